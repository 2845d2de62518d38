/** Scores over time of the best models, or of those that were chosen; as lines and as a table. */

import { useQuery } from "@tanstack/react-query";
import { Table2 } from "lucide-react";
import { useMemo, useState } from "react";
import { asApiError } from "@/api/problem";
import { historyQuery } from "@/api/standings";
import type { ModelHistory } from "@/api/standings-types";
import { type Along, alongOf, pointsAlong } from "@/components/charts/layout";
import { LineChart } from "@/components/charts/line-chart";
import type { BoardViewProps } from "@/features/leaderboard/board-search";
import { HistoryTable } from "@/features/leaderboard/history-table";
import { MOST_LINES, ModelChoice } from "@/features/leaderboard/model-choice";
import { formatRating } from "@/lib/format";
import { seriesColor } from "@/lib/series";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

export function HistoryView({ board, category, search, onChange }: BoardViewProps) {
  const chosen = useMemo(() => search.models?.split(",").filter(Boolean) ?? [], [search.models]);
  const { data, error } = useQuery(historyQuery(category, search.method ?? "bradley-terry", chosen));
  const [asTable, setAsTable] = useState(false);
  const shown = useMemo(() => (data?.models ?? []).slice(0, MOST_LINES), [data]);
  const along = useMemo(() => alongOf(shown.map((each) => each.points)), [shown]);
  const series = useMemo(() => shown.map((each, index) => asSeries(each, index, along)), [shown, along]);
  if (error && !data) return <p className="py-12 text-center text-ink-2">{asApiError(error).message}</p>;
  if (!data) return <Skeleton className="h-96 w-full rounded-lg" />;
  const points = shown.reduce((most, each) => Math.max(most, each.points.length), 0);
  return (
    <section aria-label="Scores over time" className="min-w-0 rounded-lg border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5">
        <h2 className="flex-1 font-semibold max-md:hidden">
          {along === "votes" ? "Scores by votes" : "Scores over time"}
        </h2>
        <ul
          aria-label="Lines"
          className="flex min-w-0 flex-1 basis-60 flex-wrap gap-x-4 gap-y-1 text-sm md:sr-only"
        >
          {shown.map((each, index) => (
            <li key={each.model.id} className="flex min-w-0 items-center gap-2">
              <i
                aria-hidden="true"
                className="h-0.5 w-3.5 shrink-0 rounded-full"
                style={{ background: seriesColor(index) }}
              />
              <span className="leading-tight text-ink-2 [overflow-wrap:anywhere]">{each.model.name}</span>
            </li>
          ))}
        </ul>
        <ModelChoice
          models={board.lines.map((line) => line.model)}
          chosen={chosen.length > 0 ? chosen : shown.map((each) => each.model.id)}
          onChange={(models) => onChange({ models: models.length > 0 ? models.join(",") : undefined })}
        />
        <Button
          size="sm"
          aria-pressed={asTable}
          className="aria-pressed:border-accent"
          onClick={() => setAsTable(!asTable)}
        >
          <Table2 aria-hidden="true" /> Show as table{" "}
        </Button>
      </div>
      <div className="p-3 sm:p-4">
        {points === 0 && <p className="py-12 text-center text-ink-2">No history yet.</p>}
        {points > 0 && asTable && <HistoryTable models={shown} />}
        {points > 0 && !asTable && (
          <LineChart
            label={`Scores over time of ${shown.map(described).join("; ")}. Also available as a table.`}
            series={series}
            height={380}
            along={along}
            format={formatRating}
          />
        )}
        {points > 0 && along === "votes" && !asTable && (
          <p className="pt-2 text-center text-xs text-ink-3">
            For the first three days, scores are plotted by vote count, one point per hour with changes.
          </p>
        )}
      </div>
    </section>
  );
}

const asSeries = ({ model, points }: ModelHistory, index: number, along: Along) => ({
  id: model.id,
  label: model.name,
  color: seriesColor(index),
  dashed: index >= 4,
  points: pointsAlong(along, points),
});

function described({ model, points }: ModelHistory): string {
  const [first, last] = [points[0], points.at(-1)];
  return first && last
    ? `${model.name}: ${formatRating(first.rating)} to ${formatRating(last.rating)}`
    : model.name;
}
