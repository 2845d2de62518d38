/** The texts that the first page needs; the others load with their feature. */

export const MODE_STRINGS = {
  newConsortium: "New consortium",
  getSeveralModelsToAgree: "Get several models to agree on one answer.",
  membersAnswerInRounds:
    "Members answer in rounds. An arbiter combines their answers and states its confidence.",
  askAFollowUp: "Ask a follow-up…",
  askAConsortiumAnything: "Ask a consortium anything…",
  loading: "Loading…",
  noModelsAvailable: "No models available",
} as const;

/** What saved line-ups are called here. */
export const SAVED = { one: "Saved consortium", all: "Saved consortia" };
