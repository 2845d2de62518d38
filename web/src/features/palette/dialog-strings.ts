/** The texts of what is there before the palette's list has loaded. */
export const DIALOG_STRINGS = {
  title: "Command palette",
  searchPlaceholder: "Search pages and actions…",
} as const;
