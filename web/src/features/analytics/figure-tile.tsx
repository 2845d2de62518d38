/** One figure over the range, how it compares with the time before, and how it went. */

import { useQuery } from "@tanstack/react-query";
import {
  type MeasureView,
  type UsageCard,
  type UsageQuestion,
  type UsageTable,
  usageQuery,
} from "@/api/usage";
import { plotOf } from "@/features/analytics/plot";
import { Sparkline } from "@/features/analytics/time-charts";
import { formatValue } from "@/features/analytics/words";

interface FigureTileProps {
  card: UsageCard;
  measure: MeasureView;
  question: UsageQuestion;
  before: UsageQuestion;
}

export function FigureTile({ card, measure, question, before }: FigureTileProps) {
  const { data: table } = useQuery(usageQuery(question));
  const { data: past } = useQuery(usageQuery(before));
  const value = totalOf(card, table);
  const former = totalOf(card, past);
  const unit =
    measure.values.find(({ name }) => name === card.value)?.unit ?? measure.values[0]?.unit ?? "count";
  return (
    <div className="-mt-px -ml-px min-w-0 border-t border-l border-line px-4 py-2.5" title={measure.needs}>
      <dt className="truncate text-xs text-ink-2">{card.title}</dt>
      <dd className="num flex items-center justify-between gap-2">
        <span className="text-xl font-semibold tracking-tight whitespace-nowrap">
          {table ? formatValue(value, unit) : "…"}
        </span>
        {table && <Sparkline values={lineOf(card, table)} />}
      </dd>
      <dd className="num truncate text-xs text-ink-3">{table && past ? change(value, former, unit) : " "}</dd>
    </div>
  );
}

function totalOf(card: UsageCard, table: UsageTable | undefined): number | null {
  const total = table?.total;
  if (!total) return null;
  if (!card.value) return total.reduce<number>((sum, each) => sum + Number(each ?? 0), 0);
  const value = total[table.values.findIndex(({ name }) => name === card.value)];
  return typeof value === "number" ? value : null;
}

function lineOf(card: UsageCard, table: UsageTable): (number | null)[] {
  const plot = plotOf(card, table, new Map());
  const groups = card.value ? plot.groups.filter(({ id }) => id === card.value) : plot.groups;
  return plot.times.map((_, at) => groups.reduce<number>((sum, group) => sum + (group.values[at] ?? 0), 0));
}

/** "▲ 8% from $382" */
function change(value: number | null, former: number | null, unit: string): string {
  if (!former || value === null) return "Nothing earlier";
  const share = Math.round((value / former - 1) * 100);
  const sign = share > 0 ? "▲" : share < 0 ? "▼" : "=";
  return `${sign} ${Math.abs(share)}% from ${formatValue(former, unit)}`;
}
