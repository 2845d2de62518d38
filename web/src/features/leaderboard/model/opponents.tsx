import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ModelStatsView } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { STRINGS } from "@/features/leaderboard/model/strings";
import { ModelMark } from "@/features/standings/model-name";
import { OutcomeBar } from "@/features/standings/outcome-bar";
import { formatCount, formatPercent } from "@/lib/format";
import { PAIR_COLORS } from "@/lib/pair-colors";
import { Button } from "@/ui/button";

const FIRST = 10;

/** Against whom: how the votes fell, and what the scores expect. Most votes first. */
export function Opponents({ stats: { model, models, opponents } }: { stats: ModelStatsView }) {
  const [all, setAll] = useState(false);
  const cards = new Map(models.map((card) => [card.id, card]));
  const sorted = [...opponents].sort((a, b) => b.votes - a.votes);
  const shown = all ? sorted : sorted.slice(0, FIRST);
  return (
    <Panel title={STRINGS.byOpponent} flush className="@container">
      <table className="w-full table-fixed text-sm">
        <thead className="text-xs text-ink-3">
          <tr>
            <th scope="col" className="px-4 py-1.5 text-left font-medium">
              {" "}
              {STRINGS.opponent}{" "}
            </th>
            <th scope="col" className="w-1/4 px-2 text-left font-medium">
              {STRINGS.outcome}
            </th>
            <th scope="col" className="w-16 px-2 text-right font-medium @max-md:hidden">
              {STRINGS.votes}
            </th>
            <th scope="col" className="w-16 px-2 text-right font-medium">
              {STRINGS.won}
            </th>
            <th
              scope="col"
              className="w-22 py-1.5 pr-4 pl-2 text-right font-medium"
              title={STRINGS.expectedHint}
            >
              {STRINGS.expected}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((pair) => {
            const other = cards.get(pair.other);
            return (
              <tr key={pair.other} className="border-t border-line">
                <th scope="row" className="px-4 py-1.5 text-left font-normal">
                  <span className="flex min-w-0 items-center gap-2.5">
                    {other && <ModelMark model={other} />}
                    <Link
                      to="/head-to-head/$a/$b"
                      params={{ a: model.id, b: pair.other }}
                      className="rounded-xs leading-tight [overflow-wrap:anywhere] hover:underline"
                    >
                      {other?.name ?? pair.other}
                    </Link>
                  </span>
                </th>
                <td className="px-2">
                  <OutcomeBar
                    outcomes={pair}
                    left={{ name: model.name, color: PAIR_COLORS.left }}
                    right={{ name: other?.name ?? pair.other, color: PAIR_COLORS.right }}
                  />
                </td>
                <td className="num px-2 text-right @max-md:hidden">{formatCount(pair.votes)}</td>
                <td className="num px-2 text-right font-medium">{formatPercent(pair.win_rate)}</td>
                <td className="num pr-4 pl-2 text-right text-ink-2">{formatPercent(pair.expected)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {sorted.length > FIRST && (
        <div className="border-t border-line px-3 py-2">
          <Button size="sm" variant="quiet" onClick={() => setAll(!all)}>
            {all ? STRINGS.showTop(FIRST) : STRINGS.showAll(sorted.length)}
          </Button>
        </div>
      )}
    </Panel>
  );
}
