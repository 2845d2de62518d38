import { expect, test } from "vitest";
import type { PairCell } from "@/api/standings-types";
import { heat } from "@/features/leaderboard/heat-map";
import { bothWays, turned } from "@/features/leaderboard/win-rates";

const cell: PairCell = {
  model: "a",
  other: "b",
  votes: 10,
  wins: 6,
  losses: 2,
  ties: 1,
  both_bad: 1,
  win_rate: 0.7,
  expected: null,
};

test("a pair that is told once is known from both sides", () => {
  const pairs = bothWays([cell]);
  expect(pairs.get("a b")).toBe(cell);
  expect(pairs.get("b a")).toMatchObject({
    model: "b",
    other: "a",
    wins: 2,
    losses: 6,
    ties: 1,
    expected: null,
  });
  expect(pairs.get("b a")?.win_rate).toBeCloseTo(0.3);
  expect(turned(turned(cell))).toMatchObject({ wins: 6, losses: 2 });
});

test("colours grow with the distance from half and with the votes", () => {
  const strength = (colour: string) => Number(/(\d+)%/.exec(colour)?.[1]);
  expect(strength(heat(0.5, 100))).toBe(0);
  expect(strength(heat(0.9, 100))).toBeGreaterThan(strength(heat(0.6, 100)));
  expect(strength(heat(0.9, 100))).toBeGreaterThan(strength(heat(0.9, 1)));
  expect(heat(0.2, 9)).toContain("--heat-low");
});
