/** The texts that the first page needs; the others load with their feature. */

export const MODE_STRINGS = {
  newConsortium: "New consortium",
  headline: "Get several models to agree on one answer.",
  subline: "Members answer in rounds. An arbiter combines their answers and states its confidence.",
  followUpPlaceholder: "Ask a follow-up…",
  askPlaceholder: "Ask a consortium anything…",
  loading: "Loading…",
  noModels: "No models available",
} as const;

/** What saved line-ups are called here. */
export const SAVED = { one: "Saved consortium", all: "Saved consortia" };
