/** A table of usage as the groups of a chart. Pure. */

import type { UsageCard, UsageTable } from "@/api/usage";
import { nameOf, PERIODS } from "@/features/analytics/words";
import { seriesColor } from "@/lib/series";

export interface Group {
  id: string;
  label: string;
  color: string;
  /** One for each time of the plot. */
  values: (number | null)[];
}

export interface Plot {
  times: string[];
  period: string;
  groups: Group[];
  unit: string;
}

const MOST = 6;
const STEPS: Record<string, number> = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 };
const MONDAY = 4 * 86_400_000;

/** Every hour, day or week of a table's range, also those in which nothing happened. */
export function timesOf(table: UsageTable): string[] {
  const period = table.by.find((name) => PERIODS.includes(name)) ?? "day";
  const step = STEPS[period] ?? 86_400_000;
  const shift = period === "week" ? MONDAY : 0;
  const times: string[] = [];
  const first = Math.floor((Date.parse(table.start) - shift) / step) * step + shift;
  for (let at = first; at < Date.parse(table.end); at += step) times.push(new Date(at).toISOString());
  return times;
}

const numberOf = (cell: unknown): number | null => (typeof cell === "number" ? cell : null);

/** The place of a card's value among the values of its table. */
export const placeOf = (card: UsageCard, table: UsageTable): number =>
  Math.max(
    0,
    table.values.findIndex(({ name }) => name === card.value),
  );

export function plotOf(card: UsageCard, table: UsageTable, models: ReadonlyMap<string, string>): Plot {
  const times = timesOf(table);
  const places = new Map(times.map((time, at) => [Date.parse(time), at]));
  const period = table.by.find((name) => PERIODS.includes(name)) ?? "day";
  const when = table.by.indexOf(period);
  const other = table.by.findIndex((name) => !PERIODS.includes(name));
  const at = table.by.length + placeOf(card, table);
  const unit = table.values[placeOf(card, table)]?.unit ?? "count";
  const groups = new Map<string, Group>();
  const put = (id: string, label: string, row: UsageTable["rows"][number], value: number | null) => {
    const group = groups.get(id) ?? { id, label, color: "", values: times.map(() => null) };
    groups.set(id, group);
    const place = places.get(Date.parse(String(row[when])));
    if (place !== undefined && value !== null) group.values[place] = (group.values[place] ?? 0) + value;
  };
  for (const row of table.rows) {
    if (other >= 0) {
      const name = table.by[other] ?? "";
      put(String(row[other]), nameOf(row[other] ?? null, name, table, models), row, numberOf(row[at]));
    } else {
      const alike = table.values.filter((each) => each.unit === unit);
      for (const each of alike) {
        const place = table.by.length + table.values.indexOf(each);
        put(each.name, each.title, row, numberOf(row[place]));
      }
    }
  }
  return {
    times,
    period,
    unit,
    groups: colored(other >= 0 ? fewest([...groups.values()]) : [...groups.values()]),
  };
}

export const sumOf = (group: Group): number =>
  group.values.reduce<number>((sum, each) => sum + (each ?? 0), 0);

/** The largest groups, and the others as one. */
function fewest(groups: Group[]): Group[] {
  const sorted = groups.sort((a, b) => sumOf(b) - sumOf(a)).filter((group) => sumOf(group) > 0);
  if (sorted.length <= MOST) return sorted;
  const rest = sorted.slice(MOST - 1);
  const values = (rest[0]?.values ?? []).map((_, at) =>
    rest.reduce<number>((sum, group) => sum + (group.values[at] ?? 0), 0),
  );
  return [...sorted.slice(0, MOST - 1), { id: "", label: `${rest.length} more`, color: "", values }];
}

const colored = (groups: Group[]): Group[] =>
  groups.map((group, at) => ({ ...group, color: group.id === "" ? "var(--ink-3)" : seriesColor(at) }));

/** A Wilson interval of 95% around a win rate: what its votes can tell. */
export function intervalOf(rate: number, votes: number): [number, number] {
  const z = 1.96;
  const middle = rate + (z * z) / (2 * votes);
  const width = z * Math.sqrt((rate * (1 - rate)) / votes + (z * z) / (4 * votes * votes));
  const whole = 1 + (z * z) / votes;
  return [Math.max(0, (middle - width) / whole), Math.min(1, (middle + width) / whole)];
}
