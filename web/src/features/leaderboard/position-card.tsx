import type { SideEffect } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { Shifts } from "@/features/leaderboard/shifts";
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
    <Panel title="Left or right" className="flex-[1_1_28rem]">
      <p className="num max-w-read text-ink-2">
        {worth
          ? `The left side is worth ${formatSigned(worth.points)} points (95% interval ${formatSigned(worth.ci_lower)} to ${formatSigned(worth.ci_upper)}).`
          : "In nearly all votes the same models sat on the same sides, so a side can’t be told from the models. If people prefer a side, the scores are off by what it is worth."}{" "}
        {worth && (real ? "People prefer a side." : "No side is clearly preferred.")}{" "}
        {real &&
          (differ.length > 0
            ? "Holding the side constant changes these scores by more than chance:"
            : "Sides are even here: holding the side constant changes no score by more than chance.")}
      </p>
      <Shifts shifts={differ.slice(0, MOST_SHOWN)} nameOf={nameOf} />
      {more > 0 && <p className="num mt-1 text-ink-2">and {more} more.</p>}
    </Panel>
  );
}
