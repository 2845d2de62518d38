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
  stateLive: "live",
  stateConnecting: "connecting",
  stateOffline: "offline",
  updated: "Updated {when}",
  pending: (votes: Shown) => ` · ${votes} pending`,
  notComparable:
    "{first} and {second} have no battles linking them, so they can’t be compared yet. Start one between them to compare.",
  decided: "Yes. ",
  better: "{first} is better than {second} with probability {chance}. ",
  votesNeeded: "If the lead is real, about {votes} between them would settle it with 80% probability. ",
  tooClose: "They are too close to estimate how many more votes it takes. ",
  couldFlip: (votes: Shown) => `${votes} could change the order.`,
  worthTitle: "Was it worth it?",
  worthLeads:
    "In blind battles it leads {best}, its best member, by {points} (95% interval {interval}){cost}. ",
  worthTrails:
    "In blind battles it trails {best}, its best member, by {points} (95% interval {interval}){cost}. ",
  worthPoints: (points: Shown) => (points === 1 ? "1 point" : `${points} points`),
  worthInterval: (low: Shown, high: Shown) => `${low} to ${high}`,
  worthCost: ", at {cost} the cost per reply",
  worthCostUnknown: "; cost can’t be compared, since prices are missing",
  worthSettled: "That is settled.",
  worthNoVotes: "Not known yet: none of its members has blind votes.",
  worthNotCompared:
    "Not known yet: no blind votes connect it with {best}, its best member. Vote on battles to find out.",
  oneMoreVote: "1 more vote",
  moreVotes: (count: Shown) => `${count} more votes`,
} as const;
