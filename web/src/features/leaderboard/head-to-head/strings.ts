/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  byCategory: "By category",
  onTheLeft: (name: Shown) => `${name} on the left`,
  onTheRight: (name: Shown) => `${name} on the right`,
  bySide: "By side",
  versus: (left: Shown, right: Shown) => `${left} vs. ${right}`,
  headToHead: "Head-to-head",
  leaderboard: "Leaderboard",
  firstModel: "First model",
  swapModels: "Swap models",
  secondModel: "Second model",
  decisionTitle: "Is the result clear?",
  decisionNoVotes: "Not yet. One of the models has no votes.",
  latestVotes: "Latest votes",
  scoresOverTime: "Scores over time",
  historyLabel: (left: Shown, right: Shown) => `Scores over time of ${left} and ${right}`,
  result: "Result",
  noVotes: "No counted votes between these models yet.",
  rankAndScore: (rank: Shown, score: Shown, margin: Shown) => `Rank ${rank} · score ${score} ${margin}`,
  notRanked: "Not ranked yet",
  ofVotes: (votes: Shown) => `of ${votes}`,
  actual: (rate: Shown, name: Shown, votes: Shown) =>
    `Actual: ${rate} for ${name} in ${votes} (a tie counts as half). `,
  expected: (rate: Shown) => `Expected from scores: ${rate}.`,
} as const;
