/** Ranks that scores and their intervals allow. Pure. */
import type { LeaderboardLine } from "@/api/standings-types";

type Line = Pick<LeaderboardLine, "ci_lower" | "ci_upper" | "rating" | "provisional" | "comparison_group"> & {
  model: { id: string };
};

/** "1–3" where intervals overlap, "4" where they do not; null for a model that has no rank yet. */
export function rankRange(lines: readonly Line[], model: string): string | null {
  const own = lines.find((line) => line.model.id === model);
  if (!own || own.provisional) return null;
  const rivals = lines.filter(
    (line) => line !== own && !line.provisional && line.comparison_group === own.comparison_group,
  );
  const [low, high] = bounds(own);
  const above = rivals.filter((line) => bounds(line)[0] > high).length;
  const below = rivals.filter((line) => bounds(line)[1] < low).length;
  const [best, worst] = [above + 1, rivals.length + 1 - below];
  return best === worst ? String(best) : `${best}–${worst}`;
}

const bounds = ({ ci_lower, ci_upper, rating }: Line) => [ci_lower ?? rating, ci_upper ?? rating] as const;
