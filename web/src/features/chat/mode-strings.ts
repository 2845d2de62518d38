/** The texts that the first page needs; the others load with their feature. */

export const MODE_STRINGS = {
  newChat: "New chat",
  chatWithOneModel: "Chat with one model.",
  chooseAModelYouCan: "Choose a model. You can switch models at any time.",
  reply: "Reply…",
  askAnything: "Ask anything…",
  noModelsAvailable: "No models available",
} as const;
