/** Every text of this folder that the first page shows. */
type Shown = string | number;

export const STRINGS = {
  attach: "Attach files",
  attachHint: (megabytes: Shown) =>
    `Attach pictures (PNG, JPEG, WebP, GIF), PDF, text, code or CSV: up to ${megabytes} MB each. You can also drop or paste them.`,
  drop: "Drop files to attach them",
} as const;
