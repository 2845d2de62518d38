/** The texts of the frame's commands and shortcuts. */
export const COMMAND_STRINGS = {
  commandPalette: "Command palette",
  toggleSidebar: "Toggle sidebar",
  shortcuts: "Keyboard shortcuts",
  themeDark: "Theme: dark",
  themeLight: "Theme: light",
  themeSystem: "Theme: system",
  everywhere: "Everywhere",
  newSession: "New session, or new battle after a vote",
  writeOrSearch: "Write a message, or search on the leaderboard",
} as const;
