/** The texts of what loads after the first page: charts, themes, settings, the list of shortcuts. */

export const LAZY_STRINGS = {
  votesPerModel: "votes per model",
  themeSystem: "System",
  themeLight: "Light",
  themeDark: "Dark",
  outsideTextFields: "Outside text fields",
  or: " or ",
  on: "On",
  off: "Off",
} as const;
