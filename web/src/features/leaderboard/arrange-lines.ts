/** Filters and sorts the lines of the table. Pure. */
import type { LeaderboardLine } from "@/api/standings-types";
import { type BoardSearch, firstOrder, type SortKey } from "@/features/leaderboard/board-search";

type Value = string | number | null;

/** Dollars per million tokens; a model that runs here without a price is free. */
export const priceOf = ({ price, model }: LeaderboardLine): number | null =>
  price ?? (model.local ? 0 : null);

const VALUES: Record<SortKey, (line: LeaderboardLine) => Value> = {
  rank: (line) => line.rank_ub,
  name: (line) => line.model.name.toLowerCase(),
  rating: (line) => line.rating,
  votes: (line) => line.votes,
  win_rate: (line) => line.win_rate,
  organization: (line) => line.model.organization.toLowerCase() || null,
  license: (line) => line.model.license.toLowerCase() || null,
  price: priceOf,
  latency: (line) => line.ttft_p50_ms,
};

/** The lines that fit the address, in its order; equal ones by rating, those without a value last. */
export function arrangeLines(lines: readonly LeaderboardLine[], search: BoardSearch): LeaderboardLine[] {
  const key = search.sort_by ?? "rank";
  const sign = (search.order ?? firstOrder(key)) === "asc" ? 1 : -1;
  const value = VALUES[key];
  return lines
    .filter((line) => fits(line, search))
    .sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
      return sign * compare(x, y) || b.rating - a.rating || compare(a.model.id, b.model.id);
    });
}

function fits({ model }: LeaderboardLine, search: BoardSearch): boolean {
  if (search.license !== undefined && model.license !== search.license) return false;
  if (search.organization !== undefined && model.organization !== search.organization) return false;
  if (search.provider !== undefined && model.provider !== search.provider) return false;
  if (search.local !== undefined && model.local !== search.local) return false;
  if (!search.search) return true;
  const text = `${model.name} ${model.id} ${model.organization} ${model.family}`.toLowerCase();
  return search.search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

/** The values that a filter can choose from, sorted. */
export function choicesOf(
  lines: readonly LeaderboardLine[],
  pick: (line: LeaderboardLine) => string | null,
): string[] {
  const found = new Set<string>();
  for (const line of lines) {
    const value = pick(line) ?? "";
    if (value) found.add(value);
  }
  return [...found].sort((a, b) => a.localeCompare(b));
}
