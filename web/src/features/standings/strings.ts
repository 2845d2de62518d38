/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  oneVote: "One vote",
  manyVotes: (count: Shown) => `${count} votes`,
  wonBy: (name: Shown) => `${name} won`,
  tie: "Tie",
  bothBad: "Both bad",
  checkAddress: "Check the address.",
  tryAgainLater: "Try again in a moment.",
  tryAgain: "Try again",
  wonAgainst: "Beat",
  lostTo: "Lost to",
  tiedWith: "Tied with",
  bothBadWith: "Both bad with",
  noBattles: "No battles yet.",
  notCounted: "not counted",
  open: "Open",
} as const;
