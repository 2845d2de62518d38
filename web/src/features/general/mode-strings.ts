/** The texts that the first page needs; the others load with their feature. */
type Shown = string | number;

export const MODE_STRINGS = {
  newMode: (value: Shown, value2: Shown) => `New ${value}${value2}`,
  modelsStayHiddenUntil: "Models stay hidden until you vote.",
  askAFollowUp: "Ask a follow-up…",
  askAnything: "Ask anything…",
} as const;
