/** Bars beside names, and win rates with their intervals: lists that read without their pictures. */

import type { UsageCard, UsageTable } from "@/api/usage";
import { intervalOf, placeOf } from "@/features/analytics/plot";
import { formatValue, nameOf } from "@/features/analytics/words";
import { formatPercent } from "@/lib/format";
import { seriesColor } from "@/lib/series";

const MOST = 8;

interface ListProps {
  card: UsageCard;
  table: UsageTable;
  models: ReadonlyMap<string, string>;
}

export function BarList({ card, table, models }: ListProps) {
  const at = table.by.length + placeOf(card, table);
  const unit = table.values[placeOf(card, table)]?.unit ?? "count";
  const rows = table.rows
    .map((row) => ({
      key: String(row[0]),
      name: nameOf(row[0] ?? null, table.by[0] ?? "", table, models),
      value: Number(row[at] ?? 0),
    }))
    .sort((a, b) => b.value - a.value);
  const top = Math.max(...rows.map(({ value }) => value), 0);
  return (
    <ul className="flex flex-col gap-2 py-1">
      {rows.slice(0, MOST).map(({ key, name, value }) => (
        <li
          key={key}
          className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_4.5rem] items-center gap-3 text-sm"
        >
          <span className="truncate" title={name}>
            {name}
          </span>
          <span aria-hidden="true" className="h-2 rounded-xs bg-raised">
            <i
              className="block h-2 rounded-xs"
              style={{
                width: `${top > 0 ? (value / top) * 100 : 0}%`,
                background: card.measure === "errors" ? "var(--bad)" : seriesColor(0),
              }}
            />
          </span>
          <span className="num text-right">{formatValue(value, unit)}</span>
        </li>
      ))}
      {rows.length > MOST && <li className="text-xs text-ink-3">{rows.length - MOST} more in the table</li>}
    </ul>
  );
}

export function RangeList({ table, models }: ListProps) {
  const places = new Map(table.values.map(({ name }, at) => [name, table.by.length + at]));
  const rows = table.rows.map((row) => {
    const [rate, votes] = ["rate", "votes"].map((name) => Number(row[places.get(name) ?? 0] ?? 0));
    const [low, high] = intervalOf(rate ?? 0, Math.max(1, votes ?? 1));
    return {
      key: String(row[0]),
      name: nameOf(row[0] ?? null, "model", table, models),
      rate: rate ?? 0,
      votes,
      low,
      high,
    };
  });
  return (
    <ul className="flex flex-col gap-2.5 py-1">
      {rows.slice(0, MOST).map(({ key, name, rate, votes, low, high }) => (
        <li
          key={key}
          className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_5.5rem] items-center gap-3 text-sm"
        >
          <span className="truncate" title={name}>
            {name}
          </span>
          <svg aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none" className="h-2.5 w-full">
            <line x1={50} x2={50} y1={0} y2={10} stroke="var(--line-strong)" strokeWidth={0.5} />
            <rect
              x={low * 100}
              width={(high - low) * 100}
              y={3.5}
              height={3}
              fill="var(--gold-line)"
              opacity={0.45}
            />
            <rect x={Math.min(98.5, rate * 100 - 0.75)} width={1.5} y={1} height={8} fill="var(--gold)" />
          </svg>
          <span className="num text-right">
            {formatPercent(rate)}{" "}
            <span className="text-ink-3" title={`${votes} votes`}>
              of {votes}
            </span>
          </span>
        </li>
      ))}
      {rows.length > MOST && <li className="text-xs text-ink-3">{rows.length - MOST} more in the table</li>}
    </ul>
  );
}
