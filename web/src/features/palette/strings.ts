/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  noResults: (search: Shown) => `No results for “${search}”.`,
  actions: "Actions",
  shortcuts: "Keyboard shortcuts",
} as const;
