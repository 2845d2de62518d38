/** Every text of this folder that stands alone, so that a translation has one place to go. */

export const STRINGS = {
  notFound: "Not found",
  notFoundTitle: "Page not found",
  notFoundHint: "Check the address. The page may have moved.",
  openArena: "Open the arena",
  pageFailed: "Couldn’t load the page",
} as const;
