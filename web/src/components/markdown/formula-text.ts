/** Tells formulas from what only looks like them: escaped brackets, prices, variables of shells. */

export type Delimiter = "\\[" | "\\(" | "$" | "$$";

const COMMAND = /\\[A-Za-z]+|\\\\|\^|(?<![\p{L}\d])[\p{L}]\d*_[{\p{L}\d\\]/u;
const WORD = /\p{L}{3,}/gu;
const FUNCTIONS = /^(?:sin|cos|tan|log|exp|max|min|lim|mod|det|gcd|lcm|dim|ker|arg|sup|inf|[A-Z]{3})$/;
const FUNCTION = /(?:sin|cos|tan|log|ln|exp|max|min|lim|mod|det|gcd|lcm|dim|ker|arg|sup|inf)(?!\p{L})/gu;
const RELATION = /\s[=≈≠≤≥<>]\s/;
/** The content of a character class of a regular expression that excludes, as in `[^abc]`. */
const EXCLUDES = /^\^[^\s{}\\^]+$/u;
const OPERATION = /[\p{L}\d)\]!}]\s*[=+<>≤≥≠≈±×÷·∈→]\s*[\p{L}\d([{\\√∞-]|[\p{L}\d)]\s+[-*/−]\s+[\p{L}\d(]/u;
/** A function of something, as in `f(x)` or `P(A | B)`. */
const APPLIED = /^\p{L}+['′]*\s?\([^()]+\)$/u;
/** What stands for itself in brackets with spaces: `2x`, `n!`, `y'`, `|x|`, `(a, b)`, `{1, 2}`, `α`, `a, b, c`. */
const SIGNS =
  /^\d+\p{L}$|(?<!\p{L})[\p{L}\d]!$|^\p{L}['′]+(?:\([^()]*\))?$|^\|[^|]+\|$|^[([]\S+,.*\S[)\]]$|\\[{}|]|[α-ωΓΔΘΛΠΣΦΨΩ∞√∑∏∫∂∇∀∃]|^(?:\p{L}, ?)+(?:\p{L}|\.\.\.|…)$/u;
const VARIABLE = /^-?(?:\d*\p{L}['′]?|\d+(?:[.,]\d+)?)$/u;

/** True where the text may hold formulas, so that their renderer is worth loading. */
export const mayHoldMath = (text: string): boolean =>
  /\$\$|\\\(|\\\[|\$[^\s$][^$\n]*[\\^_={}+<>*/-][^$\n]*\$|\$\p{L}\$/u.test(text);

/** True for what is a formula between these delimiters. */
export function isFormula(text: string, delimiter: Delimiter): boolean {
  const content = text.trim();
  if (content === "" || (delimiter === "$" && isProse(content))) return false;
  if (delimiter === "\\[" && EXCLUDES.test(content)) return false;
  if (COMMAND.test(content)) return true;
  const isPlain = (content.match(WORD) ?? []).every((word) => FUNCTIONS.test(word));
  if (!isPlain) return delimiter !== "$" && RELATION.test(content);
  if (OPERATION.test(content)) return true;
  if (delimiter === "$$") return true;
  if (delimiter === "\\[" && !/\p{L}{2}/u.test(content.replace(FUNCTION, ""))) {
    if (APPLIED.test(content) || (/^\s[\s\S]*\s$/.test(text) && SIGNS.test(content))) return true;
  }
  if (delimiter === "\\(") return !/\p{Ll}{2,}/u.test(content) && /[\p{L}\d∞]/u.test(content);
  return delimiter === "$" && VARIABLE.test(content) && !/^\d/.test(content);
}

/** True for what stands between two dollars by chance: of prices, shells, templates. */
function isProse(content: string): boolean {
  const isPrice = /^\d/.test(content) && /[,.;:!?)]\s|%/.test(content);
  const isShell = /^\{\w+\}|^\((?!.*[\\^])[a-z]{2,}|^[A-Z][A-Z\d]+_|[`;&]/.test(content);
  return isPrice || (isShell && !/\\[A-Za-z]/.test(content));
}
