import { expect, test } from "vitest";
import type { MatchView, TurnView, VoteView } from "@/api/types";
import { pictureOf } from "@/features/battle/scene";

const turn = {
  index: 0,
  input: { type: "prompt", text: "Tea?", attachments: [] },
  replies: [{ seat: "a", text: "Yes.", parts: [] }],
  created_at: "2026-01-02T03:04:05Z",
} as unknown as TurnView;
const rated = { elo_before: 1500, elo_after: 1516.4 };
const cast = { vote: "a", counted: true, reason: null, not_counted_reason: null, seats: { a: rated } };
const match = (vote: Partial<VoteView> | null, blind = false) =>
  ({
    blind,
    vote: vote && { ...cast, ...vote },
    seats: ["a", "b"].map((name) => ({ name, model: blind ? null : { name: `Model ${name}` } })),
  }) as unknown as MatchView;

test("a battle has no picture before the vote, nor without it", () => {
  expect(pictureOf(match(null, true), turn, true)).toBeNull();
  expect(pictureOf(match(null), turn, true)).toBeNull();
  expect(pictureOf(match({ not_counted_reason: "withdrawn", counted: false }), turn, true)).toBeNull();
});

test("a voted battle shows who was picked and how the rating moved", () => {
  const scene = pictureOf(match({}), turn, true)?.();
  expect(scene?.result).toBe("Model a was picked over Model b.");
  expect(scene?.answers.map(({ picked, facts }) => [picked, facts])).toEqual([
    [true, "Elo 1500 → 1516 (+16)"],
    [false, ""],
  ]);
  expect(scene?.more).toEqual([]);
});

test("a vote that isn't counted moves no rating, and says why", () => {
  const scene = pictureOf(match({ counted: false, not_counted_reason: "repeat" }), turn, true)?.();
  expect(scene?.answers.every(({ facts }) => facts === "")).toBe(true);
  expect(scene?.more).toHaveLength(1);
});

test("one question of several says that the vote covers all", () => {
  expect(pictureOf(match({ vote: "tie" }), turn, false)?.().more[0]).toContain("Question 1");
});
