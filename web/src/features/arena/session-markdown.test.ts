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
          input: { type: "prompt", text: "Why?\n\nBriefly." },
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

  it("quotes the question above one answer", () => {
    expect(answerMarkdown("Why?", "Ada", "So.")).toBe("> Why?\n\n**Ada**\n\nSo.\n");
    expect(answerMarkdown("", "Ada", "So.")).toBe("**Ada**\n\nSo.\n");
  });
});
