/** Where a line chart's parts stand. Pure: sizes in pixels, times in milliseconds. */
import { formatCount } from "@/lib/format";
import { scaleFrom, scaleOver, ticks, timeTicks } from "@/lib/scale";

export interface ChartSeries {
  id: string;
  label: string;
  color: string;
  dashed?: boolean;
  /** Oldest first. */
  points: readonly { x: number; y: number }[];
}

/** What a chart goes along: the clock, or the votes on each line's model. */
export type Along = "time" | "votes";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** So long the clock tells less than the votes do. */
const FIRST_DAYS = 3 * DAY;
const TOP = 10;
const LEFT = 44;
const FOOT = 26;

interface Change {
  at: string;
  rating: number;
  votes: number;
}

/** What the histories of models go along: their votes in the first days, then the clock. */
export function alongOf(histories: readonly (readonly Change[])[]): Along {
  const times = histories.flat().map(({ at }) => Date.parse(at));
  return Math.max(...times) - Math.min(...times) < FIRST_DAYS ? "votes" : "time";
}

export const pointsAlong = (along: Along, changes: readonly Change[]) =>
  changes.map(({ at, rating, votes }) => ({ x: along === "votes" ? votes : Date.parse(at), y: rating }));

export function layOut(
  series: readonly ChartSeries[],
  width: number,
  height: number,
  rightMargin: number,
  along: Along = "time",
) {
  const [left, right, top, bottom] = [LEFT, Math.max(LEFT + 40, width - rightMargin), TOP, height - FOOT];
  const times = series.flatMap((each) => each.points.map((point) => point.x));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const byVotes = along === "votes";
  const least = byVotes ? 0 : last - HOUR;
  const time =
    times.length === 0 ? scaleFrom(0, HOUR) : scaleFrom(Math.min(first, least), Math.max(last, least + 1));
  const value = scaleOver(
    series.flatMap((each) => each.points.map((point) => point.y)),
    0.08,
  );
  const x = (at: number) => left + time.at(at) * (right - left);
  const y = (at: number) => bottom - value.at(at) * (bottom - top);
  const written = dateParts(time.min, time.max);
  return {
    left,
    right,
    top,
    bottom,
    x,
    y,
    yTicks: ticks(value, height < 200 ? 3 : 5),
    xTicks: (byVotes ? ticks : timeTicks)(time, Math.max(2, Math.floor((right - left) / 110))),
    timeAt: (pixel: number) => time.min + ((pixel - left) / (right - left)) * (time.max - time.min),
    timeLabel: (at: number) => (byVotes ? formatCount(at) : new Date(at).toLocaleString(undefined, written)),
    path: (each: ChartSeries) =>
      each.points
        .map((point, index) => `${index === 0 ? "M" : "L"}${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`)
        .join(""),
  };
}

/** What tells times of this range apart: the hour, the day, and the year where a day would come twice. */
function dateParts(first: number, last: number): Intl.DateTimeFormatOptions {
  if (last - first <= 36 * HOUR) return { hour: "2-digit", minute: "2-digit" };
  const years = new Date(first).getFullYear() !== new Date(last).getFullYear();
  return { month: "short", day: "numeric", ...(years && { year: "numeric" }) };
}

/** A line's value at a time: that of its last point until then; null before its first. */
export function valueAt(series: ChartSeries, time: number): number | null {
  let value: number | null = null;
  for (const point of series.points) {
    if (point.x > time) break;
    value = point.y;
  }
  return value;
}

/** The time of any line's point that is nearest to the given one. */
export function nearestAt(series: readonly ChartSeries[], time: number): number | null {
  let nearest: number | null = null;
  for (const { points } of series) {
    for (const { x } of points) {
      if (nearest === null || Math.abs(x - time) < Math.abs(nearest - time)) nearest = x;
    }
  }
  return nearest;
}

/** Move places apart until none is closer than `gap` to the next; their order and the bounds are kept. */
export function spread(places: readonly number[], gap: number, min: number, max: number): number[] {
  const order = places.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place);
  let low = min;
  for (const each of order) {
    each.place = Math.max(each.place, low);
    low = each.place + gap;
  }
  let high = max;
  for (const each of order.toReversed()) {
    each.place = Math.min(each.place, high);
    high = each.place - gap;
  }
  const result = [...places];
  for (const { place, index } of order) result[index] = place;
  return result;
}
