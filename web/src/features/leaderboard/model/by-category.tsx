import { Link } from "@tanstack/react-router";
import type { CategoryStanding } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { STRINGS } from "@/features/leaderboard/model/strings";
import { IntervalBar } from "@/features/standings/interval-bar";
import { formatCount, formatMargin, formatPercent, formatRating } from "@/lib/format";
import { scaleOver } from "@/lib/scale";

/** The model's place in every category that it has votes in. */
export function ByCategory({ standings }: { standings: readonly CategoryStanding[] }) {
  const scale = scaleOver(
    standings.flatMap((each) => [each.ci_lower ?? each.rating, each.ci_upper ?? each.rating]),
  );
  return (
    <Panel title={STRINGS.byCategory} flush>
      <div className="@container">
        <table className="w-full table-fixed text-sm">
          <thead className="text-xs text-ink-3">
            <tr>
              <th scope="col" className="px-4 py-1.5 text-left font-medium">
                {STRINGS.category}
              </th>
              <th scope="col" className="w-14 px-2 text-right font-medium">
                {STRINGS.rank}
              </th>
              <th scope="col" className="w-26 px-2 text-right font-medium">
                {STRINGS.score}
              </th>
              <th scope="col" className="w-1/4 px-2 @max-lg:hidden">
                <span className="sr-only">{STRINGS.interval}</span>
              </th>
              <th scope="col" className="w-16 px-2 text-right font-medium @max-md:hidden">
                {STRINGS.votes}
              </th>
              <th scope="col" className="w-20 py-1.5 pr-4 pl-2 text-right font-medium">
                {STRINGS.winRate}
              </th>
            </tr>
          </thead>
          <tbody>
            {standings.map((each) => (
              <tr key={each.category.id} className="border-t border-line">
                <th scope="row" className="truncate px-4 py-1.5 text-left font-normal">
                  <Link
                    to="/leaderboard/$category"
                    params={{ category: each.category.id }}
                    title={each.category.description}
                    className="rounded-xs hover:underline"
                  >
                    {each.category.title}
                  </Link>
                  {each.provisional && (
                    <span className="ml-2 text-2xs text-ink-3 @max-lg:hidden">{STRINGS.provisional}</span>
                  )}
                </th>
                <td className="num px-2 text-right text-ink-2">{each.rank_ub}</td>
                <td className="num px-2 text-right whitespace-nowrap">
                  <b className="font-semibold">{formatRating(each.rating)}</b>{" "}
                  <span className="text-xs text-ink-3">{formatMargin(each.ci_lower, each.ci_upper)}</span>
                </td>
                <td className="px-2 @max-lg:hidden">
                  <IntervalBar
                    rating={each.rating}
                    lower={each.ci_lower}
                    upper={each.ci_upper}
                    scale={scale}
                    color="var(--accent)"
                  />
                </td>
                <td className="num px-2 text-right @max-md:hidden">{formatCount(each.votes)}</td>
                <td className="num pr-4 pl-2 text-right">{formatPercent(each.win_rate)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
