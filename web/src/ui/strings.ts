/** Every text of this folder that stands alone, so that a translation has one place to go. */

export const STRINGS = {
  close: "Close",
  dismiss: "Dismiss",
} as const;
