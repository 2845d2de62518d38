/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  howTheLeaderboardWorks: "How the leaderboard works",
  leaderboard: "Leaderboard",
  method: "Method",
  upToDate: "Up to date",
  updating: "Updating",
  failed: "Failed",
  notRunYet: "Not run yet",
  status: "Status",
  took: (duration: Shown) => `, took ${duration}`,
} as const;
