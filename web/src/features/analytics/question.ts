/** The question that a card asks, with the page's range and filters. Pure. */

import type { MeasureView, UsageCard, UsageQuestion, UsageTable } from "@/api/usage";
import { type AnalyticsSearch, FILTERS, type Filter } from "@/features/analytics/analytics-search";

const DAY = 86_400_000;
const HOUR = 3_600_000;

export interface Span {
  from: string;
  to: string;
}

/** Whole days, of which the last one is today; or the last 24 whole hours and this one. In UTC, as they are counted. */
export function spanOf(days: number, now: number): Span {
  const step = days === 1 ? HOUR : DAY;
  const end = Math.floor(now / step) * step + step;
  return { from: new Date(end - days * DAY).toISOString(), to: new Date(end).toISOString() };
}

/** The span of the same length before. */
export function spanBefore({ from, to }: Span): Span {
  const length = Date.parse(to) - Date.parse(from);
  return { from: new Date(Date.parse(from) - length).toISOString(), to: from };
}

/** The filters that are set but that a measure does not have. */
export const unfiltered = (measure: MeasureView, search: AnalyticsSearch): Filter[] =>
  FILTERS.filter((name) => search[name] !== undefined && !measure.where.includes(name));

export function questionOf(
  card: Pick<UsageCard, "measure" | "by">,
  measure: MeasureView,
  search: AnalyticsSearch,
  of: NonNullable<UsageQuestion["of"]>,
  span: Span,
): UsageQuestion {
  const hourly = Date.parse(span.to) - Date.parse(span.from) <= DAY;
  const by = (card.by ?? []).map((name) =>
    name === "day" && hourly && measure.by.includes("hour") ? "hour" : name,
  );
  const where = FILTERS.filter((name) => search[name] !== undefined && measure.where.includes(name)).map(
    (name) => `${name}:${search[name]}`,
  );
  return {
    measure: card.measure,
    of,
    ...span,
    ...(by.length > 0 && { by: by.join() }),
    ...(where.length > 0 && { where: where.join() }),
  };
}

/** The question with the conditions of a plug-in too; a filter of the page counts for more. */
export function withWhere(question: UsageQuestion, where: Record<string, readonly string[]>): UsageQuestion {
  const filtered = new Set((question.where ?? "").split(",").map((part) => part.split(":", 1)[0]));
  const own = Object.entries(where)
    .filter(([name]) => !filtered.has(name))
    .flatMap(([name, values]) => values.map((value) => `${name}:${value}`));
  const all = [...(question.where ? [question.where] : []), ...own];
  return all.length > 0 ? { ...question, where: all.join() } : question;
}

/** The figures as rows of named values, for a chart: keys as people read them, and money in dollars too. */
export function rowsOf(table: UsageTable, models: ReadonlyMap<string, string>): Record<string, unknown>[] {
  return table.rows.map((row) => {
    const named: Record<string, unknown> = {};
    table.by.forEach((name, at) => {
      const key = String(row[at] ?? "");
      named[name] = name === "model" ? (models.get(key) ?? key) : (table.names[key] ?? key);
    });
    table.values.forEach(({ name, unit }, at) => {
      const value = row[table.by.length + at] ?? null;
      named[name] = value;
      if (unit === "micros" && typeof value === "number")
        named[name.replace(/_micros$/, "_usd")] = value / 1_000_000;
    });
    // An hour stands where a card asks for days of a short range.
    if ("hour" in named) named.day = named.hour;
    return named;
  });
}
