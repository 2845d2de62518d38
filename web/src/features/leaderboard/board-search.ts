/** What the leaderboard's address says after its category; what is usual is left out of it. */
import type { Leaderboard, Method } from "@/api/standings-types";

export type View = "table" | "confidence" | "win-rates" | "history";

export type SortKey =
  | "rank"
  | "name"
  | "rating"
  | "votes"
  | "win_rate"
  | "organization"
  | "license"
  | "price"
  | "latency";

export type Order = "asc" | "desc";

export interface BoardSearch {
  view?: View | undefined;
  /** Whose votes; without it everybody's. */
  votes?: "workspace" | undefined;
  method?: Method | undefined;
  sort_by?: SortKey | undefined;
  order?: Order | undefined;
  search?: string | undefined;
  license?: string | undefined;
  organization?: string | undefined;
  provider?: string | undefined;
  local?: boolean | undefined;
  min_votes?: number | undefined;
  include_uncounted?: boolean | undefined;
  /** The model whose line is shown and marked. */
  line?: string | undefined;
  /** The history's models, by comma; otherwise the best ones. */
  models?: string | undefined;
}

/** What every view of a table is given. */
export interface BoardViewProps {
  board: Leaderboard;
  category: string;
  search: BoardSearch;
  onChange: (change: BoardSearch) => void;
}

export const MIN_VOTES = 5;

const VIEWS: readonly View[] = ["table", "confidence", "win-rates", "history"];
const METHODS: readonly Method[] = ["bradley-terry", "style-control", "elo"];
const SORT_KEYS: readonly SortKey[] = [
  "rank",
  "name",
  "rating",
  "votes",
  "win_rate",
  "organization",
  "license",
  "price",
  "latency",
];

/** Columns whose best lines have the highest figures; they are sorted downwards at first. */
const DOWNWARDS: ReadonlySet<SortKey> = new Set(["rating", "votes", "win_rate"]);

export const firstOrder = (key: SortKey): Order => (DOWNWARDS.has(key) ? "desc" : "asc");

/** Where a click on a column's head leads: to its own order first, then to the other one. */
export function nextSort(search: BoardSearch, key: SortKey): Pick<BoardSearch, "sort_by" | "order"> {
  const now = search.sort_by ?? "rank";
  const order = search.order ?? firstOrder(now);
  const next = now === key ? (order === "asc" ? "desc" : "asc") : firstOrder(key);
  return { sort_by: key === "rank" ? undefined : key, order: next === firstOrder(key) ? undefined : next };
}

/** Read an address; what nobody knows is ignored, what is usual becomes undefined. */
export function readBoardSearch(raw: Record<string, unknown>): BoardSearch {
  return {
    view: unusual(oneOf(raw.view, VIEWS), "table"),
    votes: oneOf(raw.votes, ["workspace"] as const),
    method: unusual(oneOf(raw.method, METHODS), "bradley-terry"),
    sort_by: unusual(oneOf(raw.sort_by, SORT_KEYS), "rank"),
    order: oneOf(raw.order, ["asc", "desc"] as const),
    search: text(raw.search),
    license: text(raw.license),
    organization: text(raw.organization),
    provider: text(raw.provider),
    local: flag(raw.local),
    min_votes: unusual(whole(raw.min_votes), MIN_VOTES),
    include_uncounted: flag(raw.include_uncounted) || undefined,
    line: text(raw.line),
    models: text(raw.models),
  };
}

/** What can be shown of an address: a workspace's table has one method, and neither win rates nor a history. */
export function whatIsThere(search: BoardSearch, inWorkspace: boolean): BoardSearch {
  if (!search.votes) return search;
  if (!inWorkspace) return { ...search, votes: undefined };
  const view = search.view === "confidence" ? search.view : undefined;
  return { ...search, view, method: undefined, include_uncounted: undefined };
}

/** How many filters are set, the search not counted. */
export const countFilters = (search: BoardSearch): number =>
  [search.license, search.organization, search.provider, search.local, search.min_votes].filter(
    (value) => value !== undefined,
  ).length;

export const NO_FILTERS: BoardSearch = {
  search: undefined,
  license: undefined,
  organization: undefined,
  provider: undefined,
  local: undefined,
  min_votes: undefined,
};

const unusual = <T>(value: T | undefined, usual: T): T | undefined => (value === usual ? undefined : value);

const oneOf = <T extends string>(value: unknown, known: readonly T[]): T | undefined =>
  known.find((each) => each === value);

/** The router reads "4.0" in an address as a number; a name may look like one. */
const text = (value: unknown): string | undefined =>
  (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;

const flag = (value: unknown): boolean | undefined =>
  value === true || value === "true" ? true : value === false || value === "false" ? false : undefined;

const whole = (value: unknown): number | undefined => {
  const number = Number(value);
  return value !== "" && Number.isInteger(number) && number >= 0 && number <= 1_000_000 ? number : undefined;
};
