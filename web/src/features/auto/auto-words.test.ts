import { expect, test } from "vitest";
import type { AutoRecord, AutoReplay, Decision } from "@/features/auto/auto-api";
import { learningOf, reasonOf, routesOf, verdictOf, withKind } from "@/features/auto/auto-words";

test("a receipt says what is needed, who can, the price and how sure it is", () => {
  const decision = {
    because: ["needs tools for data: a table is loaded", "2 of 7 models can"],
    options: [{ model: "ada", cost_micros: 20_000 }],
    target: "ada",
    confidence: 0.91,
  } as Decision;
  expect(reasonOf(decision)).toBe(
    "Needs tools for data: a table is loaded. 2 of 7 models can. About $0.0200, 91% sure.",
  );
});

test("what was learned is said with what it is worth", () => {
  const learning = { choices: 0, foretold: 0, confirmed: 0, confirmed_foretold: 0, used: false };
  expect(learningOf(learning)).toContain("Nothing yet");
  expect(learningOf({ ...learning, choices: 2 })).toContain("It takes three");
  expect(
    learningOf({ ...learning, choices: 12, foretold: 9, confirmed: 41, confirmed_foretold: 40, used: true }),
  ).toBe(
    "Tried on each without having seen it, Auto foretells 9 of 12 choices of yours, and 40 of 41 that you kept. So they count, with at most 100 points for a model.",
  );
  expect(learningOf({ ...learning, choices: 12, foretold: 6 })).toContain("they don’t count");
});

test("where questions went is said in shares", () => {
  const record = { tool_work: 3, arena: 1, other: 0, days: 30 } as AutoRecord;
  expect(routesOf(record)).toContain("tool work and data 3 (75%), blind battles 1 (25%), other chats 0 (0%)");
  expect(routesOf({ ...record, tool_work: 0, arena: 0 })).toContain("No question");
});

test("a replay claims nothing that its interval does not bear", () => {
  const replay = { best: "Ada", win_rate: 0.52, win_low: 0.47, win_high: 0.57, better: false } as AutoReplay;
  expect(verdictOf(replay)).toContain("does not beat Ada");
  expect(verdictOf({ ...replay, win_low: 0.51, better: true })).toContain("Expected to win against Ada");
  expect(verdictOf({ ...replay, win_rate: null })).toContain("No ratings yet");
});

test("a preset is named with its kinds, and not at all without any", () => {
  const writing = withKind({}, "board", "writing", true);
  expect(writing).toEqual({ board: ["writing"] });
  expect(withKind(writing, "board", "code", true)).toEqual({ board: ["writing", "code"] });
  expect(withKind({ ...writing, team: ["chat"] }, "board", "writing", false)).toEqual({ team: ["chat"] });
});
