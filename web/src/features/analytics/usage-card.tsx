/** A card: a question to usage as a chart or a table, with its CSV. */

import { useQuery } from "@tanstack/react-query";
import { ChartColumn, Table2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { asApiError } from "@/api/problem";
import {
  type UsageCard as Card,
  type MeasureView,
  type UsageQuestion,
  type UsageTable,
  usageCsv,
  usageQuery,
} from "@/api/usage";
import { BarList, RangeList } from "@/features/analytics/bar-list";
import { CardTable } from "@/features/analytics/card-table";
import { plotOf } from "@/features/analytics/plot";
import { LinePlot, StackedChart } from "@/features/analytics/time-charts";
import { formatValue, sayBy } from "@/features/analytics/words";
import { cn } from "@/lib/cn";
import { saveFile } from "@/lib/save-file";
import { showToast } from "@/lib/toast-store";
import { Button } from "@/ui/button";
import { Segmented } from "@/ui/segmented";
import { Skeleton } from "@/ui/skeleton";

interface UsageCardProps {
  card: Card;
  measure: MeasureView;
  question: UsageQuestion;
  /** The filters that it does not have. */
  unfiltered: readonly string[];
  models: ReadonlyMap<string, string>;
  /** Draws the figures in place of the card's own chart. */
  picture?: (table: UsageTable) => ReactNode;
}

type View = "chart" | "table";

export function UsageCard({ card, measure, question, unfiltered, models, picture }: UsageCardProps) {
  const { data: table, error, isPlaceholderData } = useQuery(usageQuery(question));
  const [view, setView] = useState<View>(card.kind === "table" ? "table" : "chart");
  const by = table?.by ?? card.by ?? [];
  const title = `${card.title} ${sayBy(by)}`;
  const empty = table !== undefined && table.rows.length === 0;
  return (
    <section
      aria-label={title}
      className="flex min-w-0 flex-col rounded-lg border border-line bg-surface px-4 pt-3 pb-3.5"
    >
      <header className="flex min-h-9 items-center gap-2 pb-1">
        <h2 className="min-w-0 flex-1 truncate font-semibold" title={measure.needs}>
          {card.title} <span className="text-xs font-normal text-ink-3">{sayBy(by)}</span>
        </h2>
        {card.kind !== "table" && !empty && (
          <Segmented
            label={`${card.title}: view`}
            value={view}
            options={[
              { value: "chart", label: "Chart", icon: <ChartColumn />, iconOnly: true },
              { value: "table", label: "Table", icon: <Table2 />, iconOnly: true },
            ]}
            onChange={setView}
          />
        )}
        {!empty && (
          <Button
            size="sm"
            variant="quiet"
            aria-label={`Save ${card.title} as CSV`}
            onClick={() => saveCsv(question)}
          >
            CSV
          </Button>
        )}
      </header>
      {error && !table && (
        <p className="py-6 text-sm text-ink-2">
          {asApiError(error).message} {asApiError(error).detail}
        </p>
      )}
      {!table && !error && <Skeleton className="h-52 w-full rounded-md" />}
      {empty && (
        <p className="py-10 text-center text-sm text-ink-2">
          {NOTHING[measure.name] ?? "Nothing in this range yet."}
        </p>
      )}
      {table && !empty && (
        <div className={cn("min-w-0 flex-1", isPlaceholderData && "opacity-60")}>
          {view === "chart" && !picture && <Headline card={card} table={table} />}
          {view === "table" ? (
            <CardTable label={`${title}, as a table`} table={table} models={models} />
          ) : (
            (picture?.(table) ?? <Chart card={card} table={table} title={title} models={models} />)
          )}
        </div>
      )}
      {unfiltered.length > 0 && !empty && (
        <p className="pt-2 text-xs text-ink-3">Not filtered by {unfiltered.join(" and ")}.</p>
      )}
    </section>
  );
}

const NOTHING: Record<string, string> = {
  win_rate: "No blind votes in this range. Vote in a battle, and its models appear here.",
  consortium: "No consortium ended in this range.",
  team: "No team ended in this range.",
};

function Chart({
  card,
  table,
  title,
  models,
}: {
  card: Card;
  table: UsageTable;
  title: string;
  models: ReadonlyMap<string, string>;
}) {
  if (card.kind === "bars") return <BarList card={card} table={table} models={models} />;
  if (card.kind === "ranges") return <RangeList card={card} table={table} models={models} />;
  const plot = plotOf(card, table, models);
  const label = `${title}: ${plot.groups.map(({ label }) => label).join(", ")}. The table has every figure.`;
  return card.kind === "line" ? (
    <LinePlot label={label} plot={plot} />
  ) : (
    <StackedChart label={label} plot={plot} />
  );
}

/** The figures over the whole range. */
function Headline({ card, table }: { card: Card; table: UsageTable }) {
  if (!table.total || card.kind === "ranges") return null;
  const summed = card.kind === "stacked" && !card.value;
  const shown = table.values
    .map((value, at) => ({
      ...value,
      figure: Number(table.total?.[at] ?? 0),
      none: table.total?.[at] === null,
    }))
    .filter(({ name, unit }) =>
      card.value ? name === card.value : unit === table.values[0]?.unit || name === "replies",
    );
  if (summed) {
    const sum = shown.reduce((all, { figure }) => all + figure, 0);
    return (
      <p className="num pb-2 text-lg font-semibold tracking-tight">
        {formatValue(sum, shown[0]?.unit ?? "count")}
      </p>
    );
  }
  return (
    <p className="num flex flex-wrap items-baseline gap-x-3 pb-2 text-xs text-ink-3">
      {shown.slice(0, 3).map(({ name, title, unit, figure, none }, at) => (
        <span key={name}>
          <b className={cn("font-semibold text-ink", at < 2 && "text-lg tracking-tight")}>
            {formatValue(none ? null : figure, unit)}
          </b>
          {!card.value && <span className="ml-1.5">{title}</span>}
        </span>
      ))}
    </p>
  );
}

async function saveCsv(question: UsageQuestion) {
  try {
    saveFile(`parley-${question.measure}.csv`, await usageCsv(question), "text/csv");
  } catch (error) {
    showToast(asApiError(error).message, { tone: "bad" });
  }
}
