/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  oneVote: "One vote",
  manyVotes: (flip_votes: Shown) => `${flip_votes} votes`,
  wonBy: (name: Shown) => `${name} won`,
  tie: "Tie",
  bothBad: "Both bad",
  checkTheAddress: "Check the address.",
  tryAgainInAMoment: "Try again in a moment.",
  tryAgain: "Try again",
  wonAgainst: "Beat",
  lostTo: "Lost to",
  tiedWith: "Tied with",
  bothBadWith: "Both bad with",
  noBattlesYet: "No battles yet.",
  notCounted: "not counted",
  open: "Open",
} as const;
