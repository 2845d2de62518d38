/** Every text of this folder that stands alone, so that a translation has one place to go. */

export const STRINGS = {
  newSession: "New",
  connectionLost: "The connection was lost before the turn began.",
} as const;
