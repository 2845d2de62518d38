import type { SideEffect } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { Shifts } from "@/features/leaderboard/shifts";
import { STRINGS } from "@/features/leaderboard/strings";
import { formatSigned } from "@/lib/format";

/** In points: with an interval as wide as this, a handful of votes say nothing of the sides. */
const UNKNOWN_WIDTH = 1000;

/** Of fewer votes nobody expects even sides. */
const FEW_VOTES = 30;

/** So many models are named; a smaller shift than this would be shown as 0. */
const MOST_SHOWN = 6;
const LEAST_POINTS = 0.5;

interface PositionCardProps {
  effect: SideEffect;
  votes: number;
  nameOf: (id: string) => string;
}

/** What the left side is worth, whoever sits there, and which scores would change without it. */
export function PositionCard({ effect, votes, nameOf }: PositionCardProps) {
  const { worth, shifts } = effect;
  if (worth ? worth.ci_upper - worth.ci_lower > UNKNOWN_WIDTH : votes < FEW_VOTES) return null;
  const real = worth !== null && (worth.ci_lower > 0 || worth.ci_upper < 0);
  const differ = shifts
    .filter((it) => real && (it.ci_lower > 0 || it.ci_upper < 0) && Math.abs(it.points) >= LEAST_POINTS)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const more = differ.length - MOST_SHOWN;
  return (
    <Panel title={STRINGS.positionTitle} className="lg:col-span-2">
      <p className="num max-w-read text-ink-2">
        {worth
          ? STRINGS.position(
              formatSigned(worth.points),
              formatSigned(worth.ci_lower),
              formatSigned(worth.ci_upper),
            )
          : STRINGS.positionConfounded}{" "}
        {worth && (real ? STRINGS.positionReal : STRINGS.positionUnclear)}{" "}
        {real && (differ.length > 0 ? STRINGS.positionDiffers : STRINGS.positionAlike)}
      </p>
      <Shifts shifts={differ.slice(0, MOST_SHOWN)} nameOf={nameOf} />
      {more > 0 && <p className="num mt-1 text-ink-2">{STRINGS.positionMore(more)}</p>}
    </Panel>
  );
}
