import { expect, test } from "vitest";
import { rankRange } from "@/features/standings/rank-range";

const line = (id: string, rating: number, half: number, provisional = false, comparison_group = 1) => ({
  model: { id },
  rating,
  ci_lower: rating - half,
  ci_upper: rating + half,
  provisional,
  comparison_group,
});
const LINES = [
  line("a", 1300, 10),
  line("b", 1295, 10),
  line("c", 1200, 10),
  line("new", 1400, 500, true),
  line("apart", 1400, 10, false, 2),
];

test.each([
  ["a", "1–2"],
  ["b", "1–2"],
  ["c", "3"],
  ["new", null],
  ["apart", "1"],
  ["nobody", null],
])("the ranks of %s", (model, range) => {
  expect(rankRange(LINES, model)).toBe(range);
});
