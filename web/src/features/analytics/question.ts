/** The question that a card asks, with the page's range and filters. Pure. */

import type { MeasureView, UsageCard, UsageQuestion } from "@/api/usage";
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
