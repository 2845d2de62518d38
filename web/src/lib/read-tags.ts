/** Reads the tags that members and arbiters write, also while they are still being written. Pure. */

const MEMBER_TAGS = ["thought_process", "thinking", "answer", "updated_response", "confidence"] as const;
const ARBITER_TAGS = [
  "thought_process",
  "thinking",
  "first_impression",
  "analysis",
  "dissent",
  "synthesis",
  "confidence",
  "refinement_areas",
  "needs_iteration",
  "ranking",
  "synthesis_output",
] as const;

/** Contents by tag; "" holds what stands outside of all of them. */
type Contents = Map<string, string>;

const patterns = new Map<readonly string[], RegExp>();

function patternOf(tags: readonly string[]): RegExp {
  const known = patterns.get(tags) ?? new RegExp(`<\\s*(/?)\\s*(${tags.join("|")})\\b[^<>]*>`, "gi");
  patterns.set(tags, known);
  return known;
}

/** A tag that is cut off at the end of the text: nobody should see it grow. */
const CUT_TAG = /<[\s/]*[a-z_]{0,20}\s*$/i;
const FENCE_OPEN = /^\s*```[\w-]*[ \t]*(\n|$)/;
const FENCE_CLOSE = /\n?\s*```\s*$/;

/**
 * Split a text by tags, in any case and with white space inside. A tag that is never closed ends where another
 * one opens; what is said a second time does not count.
 */
function split(text: string, tags: readonly string[]): Contents {
  const contents: Contents = new Map();
  let open = "";
  let last = 0;
  const add = (until: number) => {
    contents.set(open, (contents.get(open) ?? "") + text.slice(last, until));
  };
  for (const found of text.matchAll(patternOf(tags))) {
    const tag = (found[2] ?? "").toLowerCase();
    const closes = found[1] === "/";
    add(found.index);
    open = closes || tag === "synthesis_output" ? "" : contents.has(tag) && tag !== open ? "\0" : tag;
    if (open !== "" && !contents.has(open)) contents.set(open, "");
    last = found.index + found[0].length;
  }
  add(text.length);
  return contents;
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", "#39": "'" };

const clean = (text: string | undefined): string =>
  (text ?? "").replace(/&(lt|gt|amp|quot|apos|#39);/g, (all, name: string) => ENTITIES[name] ?? all).trim();

const withoutCut = (text: string, writing: boolean) => (writing ? text.replace(CUT_TAG, "") : text);

const unfenced = (text: string) => text.replace(FENCE_OPEN, "").replace(FENCE_CLOSE, "");

/** "0.8", "80%", "8/10", "85"; null for anything else. */
export function readConfidence(text: string): number | null {
  const found = /(\d+(?:[.,]\d+)?)\s*(%|\/\s*(100?))?/.exec(text);
  if (!found?.[1]) return null;
  const value = Number(found[1].replace(",", "."));
  const scale = found[2] === "%" ? 100 : found[3] ? Number(found[3]) : value >= 2 && value <= 100 ? 100 : 1;
  const share = value / scale;
  return share >= 0 && share <= 1 ? share : null;
}

export interface MemberText {
  thoughts: string;
  answer: string;
  /** Null while it is not there yet, and where it is not given. */
  confidence: number | null;
  /** What is being written now. */
  writing: "thoughts" | "answer";
}

/** A member's reply as far as it has come. Without tags all of it is the answer. */
export function readMemberText(text: string, writing: boolean): MemberText {
  const contents = split(withoutCut(text, writing), MEMBER_TAGS);
  const thoughts = clean(contents.get("thought_process") ?? contents.get("thinking"));
  const marked = contents.get("answer") ?? contents.get("updated_response");
  const answer = clean(marked ?? unfenced(contents.get("") ?? ""));
  const given = contents.get("confidence");
  return {
    thoughts,
    answer,
    confidence: given === undefined ? null : readConfidence(clean(given)),
    writing: answer === "" && thoughts !== "" ? "thoughts" : "answer",
  };
}

export interface ArbiterText {
  analysis: string;
  dissent: string;
  synthesis: string;
  firstImpression: string;
}

/** An arbiter's reply as far as it has come. JSON, which it may write too, is shown once it is whole. */
export function readArbiterText(text: string, writing: boolean): ArbiterText {
  const contents = split(withoutCut(text, writing), ARBITER_TAGS);
  return {
    analysis: clean(contents.get("analysis")),
    dissent: clean(contents.get("dissent")),
    synthesis: clean(contents.get("synthesis")),
    firstImpression: clean(contents.get("first_impression")),
  };
}
