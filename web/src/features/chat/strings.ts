/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  stopContinuingFromTheBattle: "Stop continuing from the battle",
  continuesFromTheBattle: "Continues from the battle",
  assistant: "Assistant",
  turn: (number: Shown) => `Turn ${number}`,
  answerOf: (name: Shown) => `${name}’s answer`,
  copyAnswer: "Copy answer",
  theModelFailedToAnswer: "The model failed to answer.",
  theTextSoFar: "The text so far is saved.",
  theAnswerIsIncomplete: "The answer is incomplete.",
  answerStopped: "Answer stopped.",
  theAnswerReachedTheModels: "The answer reached the model’s length limit.",
  theProvidersContentFilterStopped: "The provider’s content filter stopped this answer.",
  retry: "Retry",
} as const;
