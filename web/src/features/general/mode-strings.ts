/** The texts that the first page needs; the others load with their feature. */
type Shown = string | number;

export const MODE_STRINGS = {
  newSession: (value: Shown, value2: Shown) => `New ${value}${value2}`,
  hiddenHint: "Models stay hidden until you vote.",
  followUpPlaceholder: "Ask a follow-up…",
  askPlaceholder: "Ask anything…",
} as const;
