import type { WeightedRatings } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { STRINGS } from "@/features/leaderboard/strings";
import { counted, formatCount, formatSigned } from "@/lib/format";

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
      {differ.length > 0 && (
        <ul className="num mt-1.5 flex flex-col gap-1 text-ink-2">
          {differ.map(({ model, points, ci_lower, ci_upper }) => (
            <li key={model}>
              <b className="font-medium text-ink">{nameOf(model)}</b>{" "}
              {STRINGS.drawsShift(formatSigned(points), formatSigned(ci_lower), formatSigned(ci_upper))}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
