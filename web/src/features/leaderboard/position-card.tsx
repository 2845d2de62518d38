import type { StyleEffect } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { STRINGS } from "@/features/leaderboard/strings";
import { formatSigned } from "@/lib/format";

/** In points: with an interval as wide as this, a handful of votes say nothing of the sides. */
const UNKNOWN_WIDTH = 1000;

/** What the left side is worth, whoever sits there. */
export function PositionCard({ effect }: { effect: StyleEffect }) {
  if (effect.ci_upper - effect.ci_lower > UNKNOWN_WIDTH) return null;
  const real = effect.ci_lower > 0 || effect.ci_upper < 0;
  return (
    <Panel title={STRINGS.positionTitle} className="lg:col-span-2">
      <p className="num max-w-read text-ink-2">
        {STRINGS.position(
          formatSigned(effect.points),
          formatSigned(effect.ci_lower),
          formatSigned(effect.ci_upper),
        )}{" "}
        {real ? STRINGS.positionReal : STRINGS.positionUnclear}
      </p>
    </Panel>
  );
}
