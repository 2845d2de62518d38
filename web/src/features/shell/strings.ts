/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  runningJobs: "Running jobs",
  cancel: "Cancel",
  cancelJob: (job: Shown) => `Cancel: ${job}`,
  unreachable: "Can’t reach Parley’s server. Your text is saved.",
  unreachableKept: "Can’t reach Parley’s server. Recent sessions can still be read, and your text is saved.",
  retryNow: "Retry now",
  newVersion: "A new version of Parley is available.",
  reloadPage: "Reload page",
  skipToContent: "Skip to content",
  sessions: "Sessions",
  sidebar: "Sidebar",
  couldNotOpen: "Couldn’t open",
} as const;
