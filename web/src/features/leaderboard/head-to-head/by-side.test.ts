import { expect, test } from "vitest";
import type { PairCell } from "@/api/standings-types";
import { without } from "@/features/leaderboard/head-to-head/by-side";

const cell = (wins: number, losses: number, ties: number, both_bad: number): PairCell => ({
  model: "a",
  other: "b",
  votes: wins + losses + ties + both_bad,
  wins,
  losses,
  ties,
  both_bad,
  win_rate: 0.5,
  expected: 0.5,
});

test("what is not on the left was on the right", () => {
  expect(without(cell(6, 3, 2, 1), cell(4, 1, 0, 1))).toMatchObject({
    votes: 6,
    wins: 2,
    losses: 2,
    ties: 2,
    both_bad: 0,
    win_rate: 0.5,
  });
  expect(without(cell(1, 0, 0, 0), cell(1, 0, 0, 0)).win_rate).toBeNull();
});
