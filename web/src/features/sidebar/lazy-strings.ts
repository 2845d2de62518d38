/** The texts of what loads after the first page: menus and the collapsed sidebar. */

export const LAZY_STRINGS = {
  settings: "Settings",
  shortcuts: "Keyboard shortcuts",
  theme: "Theme",
  about: "About Parley",
  parley: "Parley",
  openSidebar: "Open sidebar",
  new: "New",
  rename: "Rename",
  pin: "Pin",
  unpin: "Unpin",
  exportSession: "Export as Markdown",
  archive: "Archive",
  unarchive: "Unarchive",
  delete: "Delete",
} as const;
