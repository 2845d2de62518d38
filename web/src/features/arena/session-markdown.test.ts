import { describe, expect, it } from "vitest";
import type { SessionView } from "@/api/types";
import { answerMarkdown, sessionMarkdown } from "@/features/arena/session-markdown";

const view = {
  session: { title: "Two readings" },
  matches: [
    {
      match: {
        seats: [
          { name: "left", label: "Assistant A", model: null },
          { name: "right", label: "Assistant B", model: { name: "Ada" } },
        ],
        vote: { vote: "both_bad" },
      },
      turns: [
        {
          input: { type: "prompt", attachments: [], text: "Why?\n\nBriefly." },
          replies: [
            { seat: "left", round: 1, text: "Because.\n" },
            { seat: "right", round: 1, text: "" },
            { seat: "right", round: 2, text: "So." },
          ],
        },
      ],
    },
  ],
} as unknown as SessionView;

describe("a session as Markdown", () => {
  it("has each question with its answers under the names that are shown", () => {
    expect(sessionMarkdown(view)).toBe(
      "# Two readings\n\n## 1. Question\n\n> Why?\n>\n> Briefly.\n\n" +
        "### Assistant A, round 1\n\nBecause.\n\n### Ada, round 2\n\nSo.\n\n*Vote: both bad*\n",
    );
  });

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
