/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  voters: "Voters",
  howTheLeaderboardWorks: "How the leaderboard works",
  leaderboard: "Leaderboard",
  method: "Method",
  upToDate: "Up to date",
  updating: "Updating",
  failed: "Failed",
  notRunYet: "Not run yet",
  status: "Status",
  took: (duration: Shown) => `, took ${duration}`,
  counted: (votes: Shown, waiting: Shown) =>
    `${votes} in the overall table, ${waiting} waiting. The leaderboard updates shortly after each vote and once an hour.`,
  noneWaiting: "none",
  lastUpdate: "Last update {when}",
  version: (version: Shown) => `. Version ${version}.`,
  failedHint: "All votes are saved. The table shows the last successful update. Retrying automatically.",
} as const;
