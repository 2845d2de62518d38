import { expect, test } from "vitest";
import { scaleFrom, scaleOver, ticks, timeTicks } from "@/lib/scale";

test("an axis holds its values with room on both sides", () => {
  const scale = scaleOver([1000, 1100]);
  expect([scale.min, scale.max]).toEqual([996, 1104]);
  expect(scale.at(1050)).toBeCloseTo(0.5);
  expect(scale.at(9000)).toBe(1);
});

test("an axis over one value or none still has a width", () => {
  expect(scaleOver([7]).max).toBeGreaterThan(scaleOver([7]).min);
  expect(scaleOver([]).at(0.5)).toBeCloseTo(0.5);
});

test("ticks stand at round values inside the axis", () => {
  expect(ticks(scaleFrom(988, 1312), 5)).toEqual([1000, 1100, 1200, 1300]);
  expect(ticks(scaleFrom(0, 1), 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(ticks(scaleFrom(-3, 3), 4)).toEqual([-2, 0, 2]);
});

test("ticks of time stand at whole days or hours", () => {
  const start = new Date(2026, 0, 1, 10, 30).getTime();
  const day = 86_400_000;
  const days = timeTicks(scaleFrom(start, start + 5 * day), 5);
  expect(days.map((at) => new Date(at).getHours())).toEqual([0, 0, 0, 0, 0]);
  const hours = timeTicks(scaleFrom(start, start + 4 * 3_600_000), 5);
  expect(hours.map((at) => new Date(at).getMinutes())).toEqual([0, 0, 0, 0]);
});
