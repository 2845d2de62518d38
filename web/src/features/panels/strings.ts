/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  earlierAnswersOf: (name: Shown) => `Earlier answers of ${name}`,
  earlierAnswers: "Earlier answers",
  noEarlierAnswers: "No earlier answers.",
  noText: "No text.",
  yourVote: "Your vote",
  vote: "Vote",
  yourVotePrefix: "Your vote:",
  whichWasBest: "Which was best?",
  addAReason: "Add a reason",
  reason: "Reason",
  reasonPlaceholder: "Why? Saved with your vote (optional)",
  voteSaved: "Vote saved. You can undo it for 10 seconds.",
  nameAndRound: (name: Shown, round: Shown) => `${name}, round ${round}`,
  yourPick: "Your pick",
  copyAnswerOf: (name: Shown) => `Copy ${name}’s answer`,
  stopNamed: (name: Shown) => `Stop ${name}`,
  retryNamed: (name: Shown) => `Retry ${name}`,
  textOf: (name: Shown) => `Text of ${name}`,
  noTextStopped: "Stopped before any text.",
  attempt: (number: Shown) => `Attempt ${number}`,
  shownMember: "Shown member",
  members: "Members",
} as const;
