import { expect, test } from "vitest";
import type { Rule } from "@/api/moderation";
import { bodyOf, describe, NEW_RULE } from "@/features/moderation/rule-words";

const RULE = { ...NEW_RULE, id: "1", name: "Secrets", terms: ["a", "b"], findings: 0, open: 0 } as Rule;

test("a rule says what it does, of whom, by what, and what it has found", () => {
  expect(describe(RULE)).toBe("Flags prompts · 2 words");
  const changed: Partial<Rule> = {
    verdict: "hold",
    moment: "both",
    audience: "not_administrators",
    kind: "model",
    model_id: "judge",
    findings: 3,
    open: 1,
  };
  expect(describe({ ...RULE, ...changed })).toBe(
    "Holds prompts and replies of members and guests · A model with a policy, judge · found 3, 1 to review",
  );
});

test("a rule is sent back without what the server counts", () => {
  expect(bodyOf(RULE)).toEqual({ ...NEW_RULE, name: "Secrets", terms: ["a", "b"] });
});
