/** What the address of the voters' page says: the order of its table, and the page. */

export const VOTER_SORTS = ["votes", "evidence", "prompts", "duplicates", "fast", "last_vote"] as const;
export type VoterSort = (typeof VOTER_SORTS)[number];

export interface VotersSearch {
  by?: VoterSort | undefined;
  rising?: true | undefined;
  /** From 2 on; the first page is left out. */
  page?: number | undefined;
}

/** Where a click on a column's head leads: downwards first, then upwards; back to the first page. */
export function nextOrder(search: VotersSearch, key: VoterSort): VotersSearch {
  const same = (search.by ?? "votes") === key;
  return {
    by: key === "votes" ? undefined : key,
    rising: (same && !search.rising) || undefined,
    page: undefined,
  };
}

/** Read an address; what nobody knows is ignored, what is usual becomes undefined. */
export function readVotersSearch(raw: Record<string, unknown>): VotersSearch {
  const sort = VOTER_SORTS.find((each) => each === raw.by);
  const page = Number(raw.page);
  return {
    by: sort === "votes" ? undefined : sort,
    rising: raw.rising === true || raw.rising === "true" || undefined,
    page: Number.isInteger(page) && page > 1 && page <= 10_000 ? page : undefined,
  };
}
