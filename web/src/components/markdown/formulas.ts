/** KaTeX, loaded by the worker when a text first holds a formula. Nothing in a formula may name an address or a class. */
import rehypeKatex from "rehype-katex";
import type { Pluggable } from "unified";

export const formulas: Pluggable = [
  rehypeKatex,
  { errorColor: "var(--bad)", maxSize: 20, maxExpand: 200, trust: false },
];
