/** Formulas on lines of their own, between `\[` and `\]`, in the Markdown parser. */
import type { Code, State, Tokenizer } from "micromark-util-types";
import { isFormula } from "@/components/markdown/formula-text";
import { MAX_FORMULA } from "@/components/markdown/limits";

export const BACKSLASH = 92;
export const isEnd = (code: Code): code is null | -5 | -4 | -3 => code === null || code < -2;
export const isSpace = (code: Code) => code === 32 || code === -1 || code === -2;
export const sign = (code: Code) => (code === null || code < 0 ? " " : String.fromCharCode(code));

/** A formula on lines of its own, so that its lines are no lists or headings. */
export const formulaBlock: Tokenizer = function (effects, ok, nok) {
  const isInterrupting = this.interrupt;
  const lazy = this.parser.lazy;
  const line = () => this.now().line;
  let text = "";
  let written = 0;
  let isOpen = false;
  const endValue = () => {
    if (isOpen) effects.exit("mathFlowValue" as "data");
    isOpen = false;
  };
  const start: State = (code) => {
    effects.enter("mathFlow" as "data");
    effects.enter("mathFlowFence" as "data");
    effects.consume(code);
    return (next) => {
      if (next !== 91) return nok(next);
      effects.consume(next);
      effects.exit("mathFlowFence" as "data");
      return first;
    };
  };
  const first: State = (code) => {
    if (isInterrupting && isEnd(code)) return code === null ? nok(code) : ok(code);
    return lineStart(code);
  };
  const lineStart = (code: Code): State | undefined => {
    return isEnd(code) ? lineEnd(code) : inside(code);
  };
  const lineEnd = (code: Code): State | undefined => {
    // A blank line ends a paragraph, and so a formula that was never closed.
    if (code === null || (text !== "" && written === 0) || isInterrupting) return nok(code);
    effects.enter("lineEnding");
    effects.consume(code);
    effects.exit("lineEnding");
    text += "\n";
    written = 0;
    return (next) => (lazy[line()] ? nok(next) : lineStart(next));
  };
  const inside = (code: Code): State | undefined => {
    if (text.length > MAX_FORMULA) return nok(code);
    if (isEnd(code)) {
      endValue();
      return lineEnd(code);
    }
    if (code === BACKSLASH)
      return effects.check({ tokenize: closesBlock, partial: true }, close, escaped)(code);
    return take(code);
  };
  const take = (code: Code): State => {
    if (!isOpen) effects.enter("mathFlowValue" as "data");
    isOpen = true;
    effects.consume(code);
    text += sign(code);
    if (!isSpace(code)) written += 1;
    return inside;
  };
  const escaped: State = (code) => {
    take(code);
    return (next) => (isEnd(next) ? inside(next) : next === 91 || next === 93 ? nok(next) : take(next));
  };
  const close: State = (code) => {
    if (!isFormula(text, "\\[")) return nok(code);
    endValue();
    effects.enter("mathFlowFence" as "data");
    return rest(code);
  };
  const rest = (code: Code): State | undefined => {
    if (!isEnd(code)) {
      effects.consume(code);
      return rest;
    }
    effects.exit("mathFlowFence" as "data");
    effects.exit("mathFlow" as "data");
    return ok(code);
  };
  return start;
};

/** Look ahead for `\]` at the end of a line. */
const closesBlock: Tokenizer = (effects, ok, nok) => {
  const rest: State = (code) => {
    if (isEnd(code)) {
      effects.exit("formulaMarker" as "data");
      return ok(code);
    }
    if (!isSpace(code)) return nok(code);
    effects.consume(code);
    return rest;
  };
  return (code) => {
    effects.enter("formulaMarker" as "data");
    effects.consume(code);
    return (next) => {
      if (next !== 93) return nok(next);
      effects.consume(next);
      return rest;
    };
  };
};
