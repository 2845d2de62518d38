/** The texts that the first page needs; the others load with their feature. */

export const MODE_STRINGS = {
  newChat: "New chat",
  headline: "Chat with one model.",
  subline: "Choose a model. You can switch models at any time.",
  replyPlaceholder: "Reply…",
  askPlaceholder: "Ask anything…",
  noModels: "No models available",
} as const;
