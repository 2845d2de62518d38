/** The axis that all lines of the table share. Pure. */
import type { LeaderboardLine } from "@/api/standings-types";
import { type Scale, scaleOver } from "@/lib/scale";

/** An interval so many times as wide as the usual one would squeeze all others into dots. */
const TOO_WIDE = 4;

/** An axis over every score and the intervals of usual width; a much wider one goes beyond its ends. */
export function boardScale(
  lines: readonly Pick<LeaderboardLine, "rating" | "ci_lower" | "ci_upper">[],
): Scale {
  const widths = lines.flatMap((line) => widthOf(line) ?? []).sort((a, b) => a - b);
  const usual = widths[Math.floor((widths.length - 1) / 2)] ?? 0;
  return scaleOver(
    lines.flatMap((line) => {
      const width = widthOf(line);
      if (width === null || width > usual * TOO_WIDE) return [line.rating];
      return [line.ci_lower ?? line.rating, line.ci_upper ?? line.rating];
    }),
  );
}

const widthOf = ({ ci_lower, ci_upper }: Pick<LeaderboardLine, "ci_lower" | "ci_upper">): number | null =>
  ci_lower === null || ci_upper === null ? null : ci_upper - ci_lower;
