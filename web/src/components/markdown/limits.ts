/** What is laid out as Markdown and as coloured code; what exceeds it is shown as plain text, whole. */

/** UTF-16 units of a text. */
export const MAX_TEXT = 200_000;
/** Elements within elements, as lists in lists. */
export const MAX_DEPTH = 48;
/** Elements and pieces of text, of a block and of all of them. */
export const MAX_BLOCK_NODES = 4_000;
export const MAX_NODES = 30_000;
/** Code counts as many, for all that stands around it. */
export const CODE_NODES = 40;
/** So many are put on the page at a time. */
export const STEP_NODES = 1_000;
/** Units of running text in a block, since a block is laid out in one go. */
export const MAX_RUN = 20_000;
export const MAX_FORMULA = 3_000;
/** Braces within braces of a formula: roots in roots take long to lay out. */
export const MAX_FORMULA_DEPTH = 20;
export const MAX_FORMULAS = 200;
export const MAX_COLOURED = 40_000;
export const MAX_LINE = 2_000;
export const MAX_DIAGRAM = 20_000;
export const MAX_DRAWING = 500_000;

/** How long a worker may take over one text. */
export const PARSE_MS = 4_000;
export const COLOUR_MS = 3_000;
export const DRAW_MS = 6_000;

/** Why a text is shown plainly. */
export type Excess = "length" | "depth" | "elements" | "run" | "time" | "fault";

export const EXCESS: Record<Excess, string> = {
  length: `longer than ${MAX_TEXT.toLocaleString("en")} characters`,
  depth: "nested too deeply",
  elements: "too many elements",
  run: "a paragraph or word is too long",
  time: "takes too long to render",
  fault: "can’t be rendered",
};
