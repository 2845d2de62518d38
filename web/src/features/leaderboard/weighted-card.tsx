import type { WeightedRatings } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { Shifts } from "@/features/leaderboard/shifts";
import { STRINGS } from "@/features/leaderboard/strings";
import { counted, formatCount } from "@/lib/format";

interface WeightedCardProps {
  weighted: WeightedRatings;
  nameOf: (id: string) => string;
}

/** How scores would move had every pair been drawn equally often. */
export function WeightedCard({ weighted, nameOf }: WeightedCardProps) {
  const differ = weighted.shifts.filter(({ ci_lower, ci_upper }) => ci_lower > 0 || ci_upper < 0);
  return (
    <Panel title={STRINGS.drawsTitle} className="lg:col-span-2">
      <p className="num max-w-read text-ink-2">
        {STRINGS.draws(counted(weighted.votes, "vote"), formatCount(Math.round(weighted.effective_votes)))}{" "}
        {differ.length > 0 ? STRINGS.drawsDiffer : STRINGS.drawsAlike}
      </p>
      <Shifts shifts={differ} nameOf={nameOf} />
    </Panel>
  );
}
