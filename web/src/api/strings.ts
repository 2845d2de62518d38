/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  unreachable: "Can’t reach Parley’s server.",
  unreachableHint: "Check that it’s running, then try again.",
  serverError: (status: Shown) => `The server returned an error (${status}).`,
  pageError: "Something went wrong on this page.",
  connectionSilent: "The connection to the server timed out.",
} as const;
