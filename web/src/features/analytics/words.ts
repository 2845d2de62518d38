/** How figures and groups of usage read. */

import type { Cell, UsageTable } from "@/api/usage";
import { formatCost, formatCount, formatMs, formatPercent, titled } from "@/lib/format";

export const PERIODS = ["hour", "day", "week"];

/** 38.4 M, 6.2 k or 512. */
export function formatShort(value: number): string {
  for (const [size, letter] of [
    [1e9, "B"],
    [1e6, "M"],
    [1e4, "k"],
  ] as const) {
    if (value >= size) return `${Number((value / (letter === "k" ? 1e3 : size)).toFixed(1))} ${letter}`;
  }
  return formatCount(Math.round(value));
}

/** A value in its unit; a dash where there is none. */
export function formatValue(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined) return "–";
  if (unit === "micros") return formatCost(value);
  if (unit === "ms") return formatMs(value);
  if (unit === "share")
    return value > 0 && value < 0.1 ? `${(value * 100).toFixed(1)}%` : formatPercent(value);
  if (unit === "tokens") return formatShort(value);
  return unit === "per" ? value.toFixed(2) : formatCount(value);
}

const DAY: Intl.DateTimeFormatOptions = { day: "numeric", month: "short", timeZone: "UTC" };

/** The beginning of an hour, a day or a week, in UTC, as they are counted. */
export function formatPeriod(iso: string, period: string): string {
  const time = new Date(iso);
  const day = time.toLocaleDateString("en-GB", DAY);
  if (period !== "hour") return day;
  return `${day}, ${time.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" })}`;
}

const NOTHING: Record<string, string> = {
  model: "Undecided battles",
  person: "Undecided battles",
  mode: "Outside of sessions",
  provider: "No provider",
  key: "No key",
  payer: "Undecided battles",
};

/** The name of a group: of a model, a person, a mode or a time. */
export function nameOf(
  cell: Cell,
  by: string,
  table: UsageTable,
  models: ReadonlyMap<string, string>,
): string {
  if (PERIODS.includes(by)) return formatPeriod(String(cell), by);
  const id = String(cell ?? "");
  if (id === "") return NOTHING[by] ?? "None";
  if (by === "model") return models.get(id) ?? id;
  if (by === "mode" || by === "status" || by === "purpose") return titled(id);
  return table.names[id] ?? (by === "provider" ? id : "Deleted");
}

const BY: Record<string, string> = {
  day: "a day",
  hour: "an hour",
  week: "a week",
  payer: "by whose key paid",
};

/** "by model, a day" */
export const sayBy = (by: readonly string[]): string =>
  [...by]
    .sort((a, b) => Number(PERIODS.includes(a)) - Number(PERIODS.includes(b)))
    .map((name) => BY[name] ?? `by ${name}`)
    .join(", ");
