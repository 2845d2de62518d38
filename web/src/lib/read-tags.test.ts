import { describe, expect, it } from "vitest";
import { readArbiterText, readConfidence, readMemberText } from "@/lib/read-tags";

const WHOLE =
  "<Thought_Process>\nHm, 1 < 2.\n</thought_process>\n<answer>\nIt is **4**.\n</answer>\n<confidence>0.8</confidence>";

describe("a member's text while it is written", () => {
  it("never shows a tag, and grows", () => {
    let before = 0;
    for (let end = 0; end <= WHOLE.length; end += 1) {
      const read = readMemberText(WHOLE.slice(0, end), true);
      expect(read.answer + read.thoughts).not.toMatch(/<\s*\/?\s*[a-z_]*$|<\/?(answer|thought)/i);
      expect("Hm, 1 < 2.".startsWith(read.thoughts) || read.thoughts.startsWith("Hm, 1")).toBe(true);
      expect("It is **4**.".startsWith(read.answer)).toBe(true);
      expect(read.answer.length + 1).toBeGreaterThan(before);
      before = read.answer.length;
    }
  });

  it("keeps thoughts, answer and confidence apart", () => {
    expect(readMemberText(WHOLE, false)).toEqual({
      thoughts: "Hm, 1 < 2.",
      answer: "It is **4**.",
      confidence: 0.8,
      writing: "answer",
    });
  });

  it("takes a text without tags as the answer, a fence around it apart", () => {
    expect(readMemberText("Just this.", true).answer).toBe("Just this.");
    expect(readMemberText("```xml\n<answer>A</answer>\n```", false).answer).toBe("A");
  });

  it("ends an answer that is never closed where the confidence begins", () => {
    const read = readMemberText("<answer>So it is.\n<confidence>70%</confidence>", false);
    expect([read.answer, read.confidence]).toEqual(["So it is.", 0.7]);
  });

  it("reads what is escaped", () => {
    expect(readMemberText("<updated_response>a &lt; b &amp;&amp; c</updated_response>", false).answer).toBe(
      "a < b && c",
    );
  });
});

it("reads an arbiter's synthesis from between the others", () => {
  const read = readArbiterText("<synthesis_output><analysis>They agree.</analysis><synthesis>Par", true);
  expect([read.analysis, read.synthesis]).toEqual(["They agree.", "Par"]);
});

it("reads a confidence as people write it", () => {
  expect(["0.8", "80%", "8/10", "85", "1", "high", "250"].map(readConfidence)).toEqual([
    0.8,
    0.8,
    0.8,
    0.85,
    1,
    null,
    null,
  ]);
});
