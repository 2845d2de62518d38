/** Rules in words, and as the server takes them. */
import type { Rule, RuleBody } from "@/api/moderation";
import { counted } from "@/lib/format";

export const KINDS: Record<Rule["kind"], string> = {
  words: "Words and phrases",
  patterns: "Patterns",
  model: "A model with a policy",
  endpoint: "A moderation endpoint",
};

export const MOMENTS: Record<Rule["moment"], string> = {
  prompt: "Prompts",
  reply: "Replies",
  both: "Prompts and replies",
};

export const AUDIENCES: Record<Rule["audience"], string> = {
  everybody: "Everybody",
  not_administrators: "Members and guests",
  workspace: "One workspace",
};

/** A new rule: it flags prompts, which harms nobody. */
export const NEW_RULE: RuleBody = {
  name: "",
  kind: "words",
  moment: "prompt",
  verdict: "flag",
  enabled: true,
  audience: "everybody",
  space_id: null,
  terms: [],
  model_id: null,
  policy: "",
  on_failure: "flag",
  before_showing: false,
};

/** A rule as the server takes it. */
export function bodyOf(rule: Rule): RuleBody {
  const { id: _, findings: __, open: ___, ...body } = rule;
  return body;
}

/** What a rule does, on one line. */
export function describe(rule: Rule): string {
  const by = { words: "word", patterns: "pattern" } as const;
  const kind =
    rule.kind === "words" || rule.kind === "patterns"
      ? counted(rule.terms.length, by[rule.kind])
      : `${KINDS[rule.kind]}, ${rule.model_id}`;
  const does = `${rule.verdict === "hold" ? "Holds" : "Flags"} ${MOMENTS[rule.moment].toLowerCase()}`;
  const whose = rule.audience === "everybody" ? "" : ` of ${AUDIENCES[rule.audience].toLowerCase()}`;
  const found = rule.findings ? ` · found ${rule.findings}, ${rule.open} to review` : "";
  return `${does}${whose} · ${kind}${found}`;
}
