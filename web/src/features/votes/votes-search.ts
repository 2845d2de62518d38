/** What the address of "My votes" says: its filters. */
export const OUTCOMES = ["won", "lost", "tie", "both_bad"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface VotesSearch {
  search?: string | undefined;
  model?: string | undefined;
  outcome?: Outcome | undefined;
  category?: string | undefined;
  counted?: boolean | undefined;
  /** Opens the import when the page opens. */
  import?: boolean | undefined;
}

const text = (value: unknown): string | undefined =>
  (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;

const flag = (value: unknown): boolean | undefined =>
  value === true || value === "true" ? true : value === false || value === "false" ? false : undefined;

/** Read an address; what nobody knows is ignored. */
export const readVotesSearch = (raw: Record<string, unknown>): VotesSearch => ({
  search: text(raw.search),
  model: text(raw.model),
  outcome: OUTCOMES.find((each) => each === raw.outcome),
  category: text(raw.category),
  counted: flag(raw.counted),
  import: flag(raw.import) || undefined,
});
