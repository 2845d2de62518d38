/** The texts that the first page needs; the others load with their feature. */

export const MODE_STRINGS = {
  newComparison: "New comparison",
  headline: "Compare models side by side.",
  subline: "Choose two to six models. Pick the answer you prefer, then continue with one or all.",
  followUpPlaceholder: "Ask them all a follow-up…",
  askPlaceholder: "Ask them all…",
} as const;
