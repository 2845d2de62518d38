import { expect, test } from "vitest";
import type { AutoReplay, Decision } from "@/features/auto/auto-api";
import { reasonOf, verdictOf } from "@/features/auto/auto-words";

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

test("a replay claims nothing that its interval does not bear", () => {
  const replay = { best: "Ada", win_rate: 0.52, win_low: 0.47, win_high: 0.57, better: false } as AutoReplay;
  expect(verdictOf(replay)).toContain("does not beat Ada");
  expect(verdictOf({ ...replay, win_low: 0.51, better: true })).toContain("Expected to win against Ada");
  expect(verdictOf({ ...replay, win_rate: null })).toContain("No ratings yet");
});
