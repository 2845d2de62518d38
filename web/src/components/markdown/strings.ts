/** Every text of this folder that stands alone, so that a translation has one place to go. */
type Shown = string | number;

export const STRINGS = {
  shownAsPlainText: (why: Shown) => `Shown as plain text: ${why}.`,
  copyText: "Copy the text",
  excess: {
    length: (limit: Shown) => `longer than ${limit} characters`,
    depth: "nested too deeply",
    elements: "too many elements",
    run: "a paragraph or word is too long",
    time: "takes too long to render",
    fault: "can’t be rendered",
  },
} as const;
