import type { WeightedRatings } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { Shifts } from "@/features/leaderboard/shifts";
import { counted, formatCount } from "@/lib/format";

interface WeightedCardProps {
  weighted: WeightedRatings;
  nameOf: (id: string) => string;
}

/** How scores would move had every pair been drawn equally often. */
export function WeightedCard({ weighted, nameOf }: WeightedCardProps) {
  const differ = weighted.shifts.filter(({ ci_lower, ci_upper }) => ci_lower > 0 || ci_upper < 0);
  return (
    <Panel title="Unequal draws" className="basis-full">
      <p className="num max-w-read text-ink-2">
        Some pairs were drawn more often than others. Weighted as if all had been drawn equally often,{" "}
        {counted(weighted.votes, "vote")} are worth {formatCount(Math.round(weighted.effective_votes))}.{" "}
        {differ.length > 0
          ? "These scores change by more than chance:"
          : "No score changes by more than chance."}
      </p>
      <Shifts shifts={differ} nameOf={nameOf} />
    </Panel>
  );
}
