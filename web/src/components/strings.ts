/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  copy: "Copy",
  copied: "Copied",
  partMissing: "Couldn’t load part of the page.",
  partMissingTitle: "Couldn’t load this part of the page.",
  partMissingReloaded: "Reloading didn’t help. Try again later, or rebuild the page with make.",
  partMissingAway: "Can’t reach Parley’s server. The page reloads when it’s back. Your text is saved.",
  partMissingReloading: "Reloading the page… Your text is saved.",
  pageError: "Something went wrong on this page.",
  pageErrorHint: (error: Shown) => `Your text is saved. Retry or reload the page. (${error})`,
  retry: "Retry",
  reload: "Reload",
  providerHealth: "See provider health",
  openSidebar: "Open sidebar",
  openPalette: "Open command palette",
} as const;
