import { expect, test } from "vitest";
import type { UsageTable } from "@/api/usage";
import { type Rated, savingsOf } from "@/features/analytics/savings";

const line = (
  id: string,
  price: number | null,
  low: number,
  high: number,
  more: Partial<Rated> = {},
): Rated => ({
  model: { id, name: id.toUpperCase() },
  price,
  ci_lower: low,
  ci_upper: high,
  provisional: false,
  comparison_group: 0,
  ...more,
});
const costs = (...rows: [string, number][]) =>
  ({ rows: rows.map(([id, cost]) => [id, cost, 0]) }) as unknown as UsageTable;

test("the cheapest model that nothing says is worse is compared", () => {
  const lines = [line("dear", 10, 1000, 1100), line("same", 4, 990, 1010), line("worse", 1, 800, 900)];
  expect(savingsOf(costs(["dear", 1000], ["same", 500]), lines)).toEqual([
    { model: "DEAR", cost: 1000, cheaper: "SAME", saved: 600 },
  ]);
});

test("a model with few votes, without a price or of another group is no offer", () => {
  const lines = [
    line("dear", 10, 1000, 1100),
    line("new", 1, 0, 2000, { provisional: true }),
    line("free", null, 1000, 1100),
    line("other", 1, 1000, 1100, { comparison_group: 1 }),
  ];
  expect(savingsOf(costs(["dear", 1000], ["unknown", 9]), lines)).toEqual([]);
});
