import { describe, expect, it } from "vitest";
import { answerMarkdown } from "@/features/arena/answer-markdown";

describe("an answer as Markdown", () => {
  it("leaves out the tags that a consortium asks for", () => {
    const member =
      "<thought_process>Hm.</thought_process><answer>Use **SQLite**.</answer><confidence>0.8</confidence>";
    expect(answerMarkdown("", "Ada", member)).toBe("**Ada**\n\nUse **SQLite**.\n\n*confidence 0.80*\n");
    const arbiter =
      "<synthesis_output><synthesis>Both.</synthesis><confidence>0.9</confidence><analysis>They agree.</analysis><dissent></dissent></synthesis_output>";
    expect(answerMarkdown("", "Vera", arbiter)).toBe("**Vera**\n\nBoth.\n\n**Analysis**\n\nThey agree.\n");
    expect(answerMarkdown("", "Bob", "Write <div> here.")).toBe("**Bob**\n\nWrite <div> here.\n");
  });

  it("quotes the question above one answer", () => {
    expect(answerMarkdown("Why?", "Ada", "So.")).toBe("> Why?\n\n**Ada**\n\nSo.\n");
    expect(answerMarkdown("", "Ada", "So.")).toBe("**Ada**\n\nSo.\n");
  });
});
