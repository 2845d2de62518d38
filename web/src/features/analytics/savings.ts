/** What cheaper models of equal rating would have saved. Pure. */

import type { UsageTable } from "@/api/usage";

/** The part of a leaderboard line that counts. */
export interface Rated {
  model: { id: string; name: string };
  price: number | null;
  ci_lower: number | null;
  ci_upper: number | null;
  provisional: boolean;
  comparison_group: number;
}

export interface Saving {
  model: string;
  cost: number;
  cheaper: string;
  saved: number;
}

/**
 * For each model that cost something the cheapest one that nothing says is worse: its interval reaches into that of the
 * other one. Savings go by blended prices, three parts input to one part output.
 */
export function savingsOf(table: UsageTable, lines: readonly Rated[]): Saving[] {
  const rated = lines.filter((line) => !line.provisional && line.price !== null);
  return table.rows
    .flatMap(([id, cost]) => {
      const mine = rated.find(({ model }) => model.id === id);
      if (!mine?.price || mine.ci_lower === null || typeof cost !== "number") return [];
      const [lower, price] = [mine.ci_lower, mine.price];
      const others = rated.filter(
        (line) =>
          line.comparison_group === mine.comparison_group &&
          line.ci_upper !== null &&
          line.ci_upper >= lower &&
          (line.price ?? price) < price,
      );
      const [best] = others.sort((a, b) => (a.price ?? 0) - (b.price ?? 0));
      if (!best) return [];
      const saved = Math.round(cost * (1 - (best.price ?? 0) / price));
      return saved > 0 ? [{ model: mine.model.name, cost, cheaper: best.model.name, saved }] : [];
    })
    .sort((a, b) => b.saved - a.saved);
}
