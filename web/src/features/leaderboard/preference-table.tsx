/** Votes that no rating comes from, as a table of their own; there is none before the first of them. */

import { useQuery } from "@tanstack/react-query";
import { preferencesQuery } from "@/api/standings";
import { STRINGS } from "@/features/leaderboard/strings";
import { ModelName } from "@/features/standings/model-name";
import { counted } from "@/lib/format";

const HEAD = [STRINGS.rankUb, STRINGS.model, STRINGS.rating, STRINGS.interval95Head, STRINGS.chosen];

export function PreferenceTable() {
  const { data } = useQuery(preferencesQuery);
  if (!data || data.votes + data.ties === 0) return null;
  return (
    <section aria-labelledby="preferences" className="flex flex-col gap-2 pt-4">
      <h2 id="preferences" className="text-sm font-semibold">
        {STRINGS.preferences}
      </h2>
      <p className="text-sm text-ink-2">
        {STRINGS.preferencesHint(counted(data.votes, "vote"))}
        {data.ties > 0 && STRINGS.preferenceTies(counted(data.ties, "vote"))}
      </p>
      {data.lines.length > 0 && (
        <div className="overflow-x-auto rounded-lg border border-line">
          <table
            className="w-full text-left text-sm whitespace-nowrap [&_:is(td,th)]:px-2 [&_:is(td,th)]:py-1.5 sm:[&_:is(td,th)]:px-3"
            aria-labelledby="preferences"
          >
            <thead className="text-xs text-ink-3">
              <tr>
                {HEAD.map((title) => (
                  <th key={title} scope="col" className="font-medium">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.lines.map((line) => (
                <tr key={line.model.id} className="border-t border-line">
                  <td className="num">{line.rank_ub}</td>
                  <td>
                    <ModelName model={line.model} />
                  </td>
                  <td className="num">{Math.round(line.rating)}</td>
                  <td className="num text-ink-2">{intervalText(line.ci_lower, line.ci_upper)}</td>
                  <td className="num text-ink-2">{STRINGS.countOf(line.chosen, line.shown)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const intervalText = (lower: number | null, upper: number | null) =>
  lower === null || upper === null ? "–" : `${Math.round(lower)}–${Math.round(upper)}`;
