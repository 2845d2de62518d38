/** The texts that the first page needs; the others load with their feature. */

export const MODE_STRINGS = {
  loading: "Loading…",
  noModels: "No models available",
} as const;
