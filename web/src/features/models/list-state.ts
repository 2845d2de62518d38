/** Which models the list shows. Pure. */

import type { PoolPlace } from "@/api/pool";
import type { ModelCard } from "@/api/types";
import { fitsSearch } from "@/features/arena/model-filter";

export type Places = ReadonlyMap<string, PoolPlace>;

export const FILTERS = [
  { value: "all", label: "All", fits: () => true },
  { value: "pool", label: "In the pool", fits: (model, places) => places.get(model.id)?.chosen === true },
  { value: "local", label: "This computer", fits: (model) => model.local },
  { value: "paused", label: "Paused", fits: (model) => !model.enabled },
  { value: "undescribed", label: "Not described", fits: (model) => isUndescribed(model) },
] as const satisfies readonly {
  value: string;
  label: string;
  fits: (model: ModelCard, places: Places) => boolean;
}[];

export type Filter = (typeof FILTERS)[number]["value"];

/** Nobody knows who made it. */
export const isUndescribed = (model: ModelCard): boolean =>
  model.kind === "single" && model.organization === "";

/** Can be changed on the page; what is in the model list is changed there. */
export const isEditable = (model: ModelCard): boolean => model.source === "database";

export interface Shown {
  rows: ModelCard[];
  counts: Record<Filter, number>;
}

/** The rows of a filter and a search, and how many each filter would show. */
export function showModels(
  models: readonly ModelCard[],
  places: Places,
  filter: Filter,
  search: string,
): Shown {
  const found = models.filter((model) => fitsSearch(model, search.trim()));
  const rowsOf = (fits: (model: ModelCard, places: Places) => boolean) =>
    found.filter((model) => fits(model, places));
  const counts = Object.fromEntries(
    FILTERS.map(({ value, fits }) => [value, rowsOf(fits).length]),
  ) as Shown["counts"];
  const { fits } = FILTERS.find(({ value }) => value === filter) ?? FILTERS[0];
  return { rows: rowsOf(fits), counts };
}

/** The selection without what the list no longer has. */
export const stillThere = (picked: readonly string[], models: readonly ModelCard[]): string[] =>
  picked.filter((id) => models.some((model) => model.id === id));

/** Tick all shown rows, or none if all were ticked. */
export function pickAll(picked: readonly string[], rows: readonly ModelCard[]): string[] {
  const ids = rows.map(({ id }) => id);
  const all = ids.every((id) => picked.includes(id));
  return all ? picked.filter((id) => !ids.includes(id)) : [...new Set([...picked, ...ids])];
}
