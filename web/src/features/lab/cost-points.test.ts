import { expect, test } from "vitest";
import { choiceOf, layOutCosts, pointsOf } from "@/features/lab/cost-points";
import type { ColumnFigures } from "@/features/lab/lab-api";

const column = (model: string, cost: number | null, mean: number | null, half = 0.05) =>
  ({
    version: 1,
    model,
    mean,
    low: mean === null ? null : mean - half,
    high: mean === null ? null : mean + half,
    cost_usd_per_1000: cost,
  }) as ColumnFigures;

test("columns without a cost or a score are no points, and those that another one beats are not the best", () => {
  const points = pointsOf([
    column("dear", 10, 0.9),
    column("worse", 12, 0.8),
    column("cheap", 1, 0.7),
    column("free", null, 0.6),
    column("open", 2, null),
  ]);
  expect(points.map(({ model, best }) => [model, best])).toEqual([
    ["cheap", true],
    ["dear", true],
    ["worse", false],
  ]);
});

test("the cheapest column whose interval reaches the best score is named", () => {
  const choice = choiceOf(pointsOf([column("a", 10, 0.9), column("b", 1, 0.86), column("c", 0.1, 0.5)]));
  expect([choice?.best.model, choice?.cheap.model]).toEqual(["a", "b"]);
  expect(choiceOf([])).toBeNull();
});

test("costs of very different sizes stand on powers of ten, others begin at zero", () => {
  const wide = layOutCosts(pointsOf([column("a", 0.1, 0.5), column("b", 10, 0.9)]), 600, 300);
  expect(wide.xMarks).toEqual([0.01, 0.1, 1, 10, 100].slice(0, wide.xMarks.length));
  const near = layOutCosts(pointsOf([column("a", 5, 0.5), column("b", 10, 0.9)]), 600, 300);
  expect(near.xMarks[0]).toBe(0);
  const free = layOutCosts(pointsOf([column("a", 0, 0.5), column("b", 0, 0.5)]), 600, 300);
  expect(free.places.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  const [first, second] = free.places;
  expect(Math.abs((first?.label ?? 0) - (second?.label ?? 0))).toBeGreaterThanOrEqual(14);
});
