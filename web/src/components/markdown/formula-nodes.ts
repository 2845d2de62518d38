/** Makes nodes of the tree from the tokens of formulas in a line of text. */

export const INLINE = "formulaInline";
export const DISPLAY = "formulaDisplay";

interface Compiler {
  enter(node: unknown, token: unknown): void;
  exit(token: unknown): void;
  buffer(): void;
  resume(): string;
  stack: unknown[];
  config: { enter: Record<string, Handle>; exit: Record<string, Handle> };
}

type Handle = (this: Compiler, token: unknown) => void;

interface Formula {
  value: string;
  data: { hChildren: unknown[] };
}

const enterFormula = (kind: string): Handle =>
  function (token) {
    const data = { hName: "code", hProperties: { className: ["language-math", kind] }, hChildren: [] };
    this.enter({ type: "inlineMath", value: "", data }, token);
    this.buffer();
  };

const exitFormula: Handle = function (token) {
  const value = this.resume().trim();
  const node = this.stack.at(-1) as Formula;
  this.exit(token);
  node.value = value;
  node.data.hChildren.push({ type: "text", value });
};

const exitData: Handle = function (token) {
  this.config.enter.data?.call(this, token);
  this.config.exit.data?.call(this, token);
};

/** An extension of mdast-util-from-markdown. */
export const formulaNodes = {
  enter: { [INLINE]: enterFormula("math-inline"), [DISPLAY]: enterFormula("math-display") },
  exit: { [INLINE]: exitFormula, [DISPLAY]: exitFormula, formulaData: exitData },
};
