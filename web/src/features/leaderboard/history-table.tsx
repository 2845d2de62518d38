import type { ModelHistory } from "@/api/standings-types";
import { STRINGS } from "@/features/leaderboard/strings";
import { formatCount, formatMargin, formatRating } from "@/lib/format";
import { exactTime } from "@/lib/time";

/** The history as figures: a row per time, newest first, a column per model. */
export function HistoryTable({ models }: { models: readonly ModelHistory[] }) {
  const times = [...new Set(models.flatMap((each) => each.points.map((point) => point.at)))].sort().reverse();
  const known = models.map((each) => new Map(each.points.map((point) => [point.at, point])));
  return (
    <div
      role="group"
      aria-label={STRINGS.historyTable}
      tabIndex={0}
      data-scroll-area
      className="focus-inset max-h-[60vh] overflow-auto rounded-md"
    >
      <table className="num w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr className="text-xs text-ink-3">
            <th scope="col" className="sticky top-0 left-0 z-10 bg-surface py-2 pr-4 text-left font-medium">
              {STRINGS.time}
            </th>
            {models.map((each) => (
              <th
                key={each.model.id}
                scope="col"
                className="sticky top-0 bg-surface px-3 py-2 text-right font-medium whitespace-nowrap"
              >
                {each.model.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at) => (
            <tr key={at}>
              <th
                scope="row"
                className="sticky left-0 border-t border-line bg-surface py-1.5 pr-4 text-left font-normal whitespace-nowrap text-ink-2"
              >
                {exactTime(at)}
              </th>
              {known.map((points, index) => {
                const point = points.get(at);
                return (
                  <td
                    key={models[index]?.model.id}
                    title={point && STRINGS.rankAndVotes(point.rank_ub, formatCount(point.votes))}
                    className="border-t border-line px-3 py-1.5 text-right whitespace-nowrap"
                  >
                    {point ? (
                      <>
                        {formatRating(point.rating)}{" "}
                        <span className="text-xs text-ink-3">
                          {formatMargin(point.ci_lower, point.ci_upper)}
                        </span>
                      </>
                    ) : (
                      <span className="text-ink-3">–</span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
