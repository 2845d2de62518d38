/** What the pool's list shows. Pure. */

import { isDrawn, type PoolPlace } from "@/api/pool";
import type { ModelCard } from "@/api/types";
import { draws } from "@/features/arena/model-filter";
import type { Special } from "@/features/battle/plan";

export interface PoolRow {
  model: ModelCard;
  place: PoolPlace;
  /** Why it is not drawn though it is in the pool; null for one that is drawn, or not in the pool. */
  why: string | null;
}

export interface PoolList {
  rows: PoolRow[];
  /** How many can be drawn for this question. */
  ready: number;
}

const BLIND = "It can’t read pictures, and the question has one.";
const BARE = "It can’t call tools, and this battle has them.";

/** Every model that writes text, or every one that draws; those in the pool first; only those are drawn that can do what the battle needs. */
export function poolList(
  models: readonly ModelCard[],
  places: ReadonlyMap<string, PoolPlace>,
  pictured: boolean,
  special: Special | null = null,
): PoolList {
  const rows = models.flatMap((model): PoolRow[] => {
    const place = places.get(model.id);
    if (!place || place.out === "no_text" || draws(model) !== (special === "pictures")) return [];
    const lacks =
      pictured && !model.capabilities.includes("vision")
        ? BLIND
        : special === "tools" && !model.capabilities.includes("tools")
          ? BARE
          : null;
    return [{ model, place, why: place.chosen ? (place.why ?? lacks) : null }];
  });
  const ready = rows.filter(({ place, why }) => isDrawn(place) && why === null).length;
  return { rows, ready };
}

/** The rows in an order that stays while the list is open: those in the pool come first as it was opened. */
export function inOrder(rows: readonly PoolRow[], chosenFirst: ReadonlySet<string>): PoolRow[] {
  const rank = ({ model }: PoolRow) => (chosenFirst.has(model.id) ? 0 : 1);
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

/** What is missing for a battle; null if nothing is. */
export const tooFew = (ready: number): string | null =>
  ready >= 2 ? null : ready === 1 ? "A battle needs two. Add one more model." : "A battle needs two models.";
