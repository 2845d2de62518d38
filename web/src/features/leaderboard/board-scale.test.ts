import { expect, test } from "vitest";
import { boardScale } from "@/features/leaderboard/board-scale";

const line = (rating: number, margin: number | null) => ({
  rating,
  ci_lower: margin === null ? null : rating - margin,
  ci_upper: margin === null ? null : rating + margin,
});

test("the axis holds every interval of usual width", () => {
  const scale = boardScale([line(1100, 30), line(1000, 40), line(900, 35)]);
  expect(scale.min).toBeLessThan(865);
  expect(scale.max).toBeGreaterThan(1130);
});

test("one interval that is far wider than the others does not squeeze them", () => {
  const scale = boardScale([line(1100, 30), line(1009, 374), line(1000, 30), line(900, 30)]);
  expect(scale.min).toBeGreaterThan(850);
  expect(scale.max).toBeLessThan(1150);
  expect(scale.at(1009 + 374)).toBe(1);
});

test("where all intervals are wide they are all shown", () => {
  const scale = boardScale([line(1300, 465), line(1000, 530), line(700, 546)]);
  expect(scale.min).toBeLessThan(154);
  expect(scale.max).toBeGreaterThan(1765);
});

test("scores without intervals, and none at all, make an axis too", () => {
  expect(boardScale([line(1500, null), line(1484, null)]).at(1484)).toBeLessThan(0.2);
  expect(boardScale([]).max).toBeGreaterThan(boardScale([]).min);
});
