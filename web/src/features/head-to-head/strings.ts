/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  byCategory: "By category",
  onTheLeft: (name: Shown) => `${name} on the left`,
  onTheRight: (name: Shown) => `${name} on the right`,
  bySide: "By side",
  versus: (name: Shown, name2: Shown) => `${name} vs. ${name2}`,
  headToHead: "Head-to-head",
  leaderboard: "Leaderboard",
  firstModel: "First model",
  swapModels: "Swap models",
  secondModel: "Second model",
  isTheResultClear: "Is the result clear?",
  notYetOne: "Not yet. One of the models has no votes.",
  latestVotes: "Latest votes",
  scoresOverTime: "Scores over time",
  scoresOverTimeOfAnd: (name: Shown, name2: Shown) => `Scores over time of ${name} and ${name2}`,
  result: "Result",
  noCountedVotesBetweenThese: "No counted votes between these models yet.",
  rankScore: (rank_ub: Shown, rating: Shown, ci_lower: Shown) =>
    `Rank ${rank_ub} · score ${rating} ${ci_lower}`,
  notRankedYet: "Not ranked yet",
} as const;
