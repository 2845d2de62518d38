/** Which models a picker shows, and in what order. Pure. */
import type { ModelCard } from "@/api/types";

/** It answers with pictures alone. */
export const draws = ({ capabilities }: Pick<ModelCard, "capabilities">): boolean =>
  capabilities.includes("images") && !capabilities.includes("text");

/** It can take a seat: it writes or draws. */
export const canAnswer = (model: Pick<ModelCard, "capabilities">): boolean =>
  model.capabilities.includes("text") || draws(model);

export interface ModelFilter {
  search: string;
  favourites: boolean;
  local: boolean;
  cheapest: boolean;
  provider: string | null;
}

export const noFilter: ModelFilter = {
  search: "",
  favourites: false,
  local: false,
  cheapest: false,
  provider: null,
};

export const providersOf = (models: readonly ModelCard[]): string[] =>
  [...new Set(models.flatMap((model) => model.provider ?? []))].sort();

/** True where every word of the search is somewhere in the model's card. */
export function fitsSearch(model: ModelCard, search: string): boolean {
  const card = [
    model.name,
    model.id,
    model.organization,
    model.family,
    model.license,
    model.provider,
    ...model.tags,
  ]
    .join(" ")
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => card.includes(word));
}

/** A typical price: three tokens read for one written. Unknown prices come last. */
const price = ({ prices }: ModelCard) =>
  prices ? 3 * prices.input + prices.output : Number.POSITIVE_INFINITY;

/** The enabled models that pass, favourites first, then by price or by name. */
export function sortedModels(
  models: readonly ModelCard[],
  filter: ModelFilter,
  favourites: readonly string[],
): ModelCard[] {
  const liked = (model: ModelCard) => favourites.includes(model.id);
  return models
    .filter(
      (model) =>
        model.enabled &&
        canAnswer(model) &&
        (!filter.favourites || liked(model)) &&
        (!filter.local || model.local) &&
        (filter.provider === null || model.provider === filter.provider) &&
        fitsSearch(model, filter.search),
    )
    .sort(
      (a, b) =>
        (filter.cheapest ? comparePrice(a, b) : Number(liked(b)) - Number(liked(a))) ||
        a.name.localeCompare(b.name),
    );
}

function comparePrice(a: ModelCard, b: ModelCard): number {
  const [left, right] = [price(a), price(b)];
  return left === right ? 0 : left - right;
}
