/** The texts that the first page needs; the others load with their feature. */
type Shown = string | number;

export const MODE_STRINGS = {
  newSession: (mode: Shown) => `New ${mode}`,
  hiddenHint: "Models stay hidden until you vote",
  followUpPlaceholder: "Ask a follow-up…",
  askPlaceholder: "Ask anything…",
} as const;
