/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  stopContinuing: "Stop continuing from the battle",
  continues: "Continues from the battle",
  assistant: "Assistant",
  turn: (number: Shown) => `Turn ${number}`,
  answerOf: (name: Shown) => `${name}’s answer`,
  copyAnswer: "Copy answer",
  failed: "The model failed to answer.",
  textSaved: "The text so far is saved.",
  incomplete: "The answer is incomplete.",
  stopped: "Answer stopped.",
  lengthLimit: "The answer reached the model’s length limit.",
  contentFilter: "The provider’s content filter stopped this answer.",
  retry: "Retry",
} as const;
