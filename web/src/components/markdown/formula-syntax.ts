/** Formulas in the Markdown parser: `\[…\]`, `\(…\)`, `$…$` and `$$…$$`, in lists, quotes and tables as well. */
import type { Code, Construct, Effects, State, TokenizeContext, Tokenizer } from "micromark-util-types";
import type { Processor } from "unified";
import { BACKSLASH, formulaBlock, isEnd, isSpace, sign } from "@/components/markdown/formula-block";
import { DISPLAY, formulaNodes, INLINE } from "@/components/markdown/formula-nodes";
import { type Delimiter, isFormula } from "@/components/markdown/formula-text";
import { MAX_FORMULA } from "@/components/markdown/limits";

const DOLLAR = 36;
const CLOSING: Record<number, number> = { 40: 41, 91: 93 };

const isWord = (code: Code) => code !== null && code > 0 && /[\p{L}\p{N}_]/u.test(String.fromCharCode(code));

/** Add to remark-math, whose blocks of `$$` stay as they are. */
export function remarkFormulas(this: Processor): void {
  const data = this.data() as { micromarkExtensions?: Extension[]; fromMarkdownExtensions?: unknown[] };
  const math = data.micromarkExtensions?.at(-1);
  if (!math) return;
  math.text = {
    [DOLLAR]: { tokenize: dollars, previous: startsDollars },
    [BACKSLASH]: { tokenize: brackets },
  };
  math.flow = { ...math.flow, [BACKSLASH]: { tokenize: formulaBlock, concrete: true } };
  data.fromMarkdownExtensions?.push(formulaNodes);
}

interface Extension {
  text?: Record<number, Construct>;
  flow?: Record<number, Construct>;
}

function startsDollars(this: TokenizeContext, code: Code): boolean {
  return code !== DOLLAR || this.events.at(-1)?.[1].type === "characterEscape";
}

/** Read what stands between two delimiters in a line of text; what is no formula stays text. */
class Content {
  text = "";

  constructor(private readonly effects: Effects) {}

  consume(code: Code): void {
    if (isEnd(code)) {
      this.effects.enter("lineEnding");
      this.effects.consume(code);
      this.effects.exit("lineEnding");
    } else {
      this.effects.enter("formulaData" as "data");
      this.effects.consume(code);
      this.effects.exit("formulaData" as "data");
    }
    this.text += sign(code);
  }
}

const brackets: Tokenizer = (effects, ok, nok) => {
  const content = new Content(effects);
  let closing: number | undefined;
  let isDisplay = false;
  const token = () => (isDisplay ? DISPLAY : INLINE) as "data";
  const opened: State = (code) => {
    closing = CLOSING[code ?? 0];
    if (closing === undefined) return nok(code);
    isDisplay = code === 91;
    effects.consume(code);
    effects.exit("formulaMarker" as "data");
    return inside;
  };
  const inside: State = (code) => {
    if (code === null || content.text.length > MAX_FORMULA) return nok(code);
    if (code !== BACKSLASH) return take(code);
    return effects.check({ tokenize: closes, partial: true }, close, escaped)(code);
  };
  const take = (code: Code): State => {
    content.consume(code);
    return inside;
  };
  /** A backslash and what follows, as in `\\[2pt]`. */
  const escaped: State = (code) => {
    content.consume(code);
    return (next) => (next === null || CLOSING[next] ? nok(next) : take(next));
  };
  const closes: Tokenizer = (effects, ok, nok) => (code) => {
    effects.enter("formulaMarker" as "data");
    effects.consume(code);
    return (next) => {
      if (next !== closing) return nok(next);
      effects.consume(next);
      effects.exit("formulaMarker" as "data");
      return ok;
    };
  };
  const close: State = (code) => {
    if (!isFormula(content.text, isDisplay ? "\\[" : "\\(")) return nok(code);
    effects.enter("formulaMarker" as "data");
    effects.consume(code);
    return (next) => {
      effects.consume(next);
      effects.exit("formulaMarker" as "data");
      effects.exit(token());
      return ok;
    };
  };
  return (code) => effects.check({ tokenize: display, partial: true }, begin(true), begin(false))(code);
  function begin(display: boolean): State {
    return (code) => {
      isDisplay = display;
      effects.enter(token());
      effects.enter("formulaMarker" as "data");
      effects.consume(code);
      return opened;
    };
  }
};

/** Look ahead for `\[`. */
const display: Tokenizer = (effects, ok, nok) => (code) => {
  effects.enter("formulaMarker" as "data");
  effects.consume(code);
  return (next) => {
    if (next !== 91) return nok(next);
    effects.consume(next);
    effects.exit("formulaMarker" as "data");
    return ok;
  };
};

const dollars: Tokenizer = function (effects, ok, nok) {
  const content = new Content(effects);
  const before = this.previous;
  let opening = 0;
  let closing = 0;
  const open: State = (code) => {
    if (code === DOLLAR) {
      effects.consume(code);
      opening += 1;
      return open;
    }
    if (opening > 2 || (opening === 1 && (isSpace(code) || isWord(before)))) return nok(code);
    effects.exit("formulaMarker" as "data");
    return inside(code);
  };
  const inside = (code: Code): State | undefined => {
    if (code === null || (opening === 1 && isEnd(code)) || content.text.length > MAX_FORMULA)
      return nok(code);
    if (code === DOLLAR) {
      effects.enter("formulaMarker" as "data");
      return close(code);
    }
    content.consume(code);
    return code === BACKSLASH ? escaped : inside;
  };
  const escaped: State = (code) => {
    if (isEnd(code)) return nok(code);
    content.consume(code);
    return inside;
  };
  const close = (code: Code): State | undefined => {
    if (code === DOLLAR) {
      effects.consume(code);
      closing += 1;
      return close;
    }
    const isCut =
      opening === 1 && (isWord(code) || code === 123 || code === 40 || content.text.endsWith(" "));
    const delimiter: Delimiter = opening === 1 ? "$" : "$$";
    if (closing !== opening || isCut || !isFormula(content.text, delimiter)) return nok(code);
    effects.exit("formulaMarker" as "data");
    effects.exit(INLINE as "data");
    return ok(code);
  };
  return (code) => {
    effects.enter(INLINE as "data");
    effects.enter("formulaMarker" as "data");
    return open(code);
  };
};
