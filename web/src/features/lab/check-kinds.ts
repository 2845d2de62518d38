/** The kinds of checks and their fields, as the page's form shows them. */

import type { Check } from "@/features/lab/lab-api";

export interface CheckField {
  name: string;
  label: string;
  type: "text" | "area" | "number" | "list" | "switch" | "json" | "model" | "choice";
  options?: string[];
  /** The value is shown multiplied by it. */
  scale?: number;
}

export interface CheckKind {
  kind: string;
  label: string;
  about: string;
  fields: CheckField[];
  start?: Record<string, unknown>;
}

const value: CheckField = { name: "value", label: "Value", type: "text" };
const ignoreCase: CheckField = { name: "ignore_case", label: "Ignore case", type: "switch" };
const least: CheckField = { name: "least", label: "Passes from (0 to 1)", type: "number" };
const rubric: CheckField = { name: "rubric", label: "Rubric", type: "area" };
const model: CheckField = { name: "model", label: "Judge", type: "model" };
const EXPECTED = "{{expected}}";
const like = { value: EXPECTED, least: 0.5 };

export const CHECK_KINDS: CheckKind[] = [
  {
    kind: "contains",
    label: "Contains",
    about: "The answer contains all or any of these texts.",
    start: { values: [EXPECTED] },
    fields: [
      { name: "values", label: "Texts", type: "list" },
      { name: "match", label: "Match", type: "choice", options: ["all", "any"] },
      ignoreCase,
    ],
  },
  {
    kind: "equals",
    label: "Equals",
    about: "The whole answer is this text.",
    start: { value: EXPECTED },
    fields: [value, ignoreCase],
  },
  {
    kind: "starts_with",
    label: "Starts with",
    about: "The answer begins with this text.",
    start: { value: EXPECTED },
    fields: [value, ignoreCase],
  },
  {
    kind: "regex",
    label: "Regular expression",
    about: "The pattern is found in the answer.",
    start: { pattern: "" },
    fields: [{ name: "pattern", label: "Pattern", type: "text" }],
  },
  {
    kind: "json_schema",
    label: "JSON",
    about: "The answer is JSON, and follows the schema if there is one.",
    start: { schema: {} },
    fields: [
      { name: "schema", label: "Schema", type: "json" },
      { name: "within_text", label: "JSON within text will do", type: "switch" },
    ],
  },
  {
    kind: "number",
    label: "Number",
    about: "The last number of the answer is this one.",
    start: { value: EXPECTED, tolerance: 0 },
    fields: [
      value,
      { name: "tolerance", label: "Tolerance", type: "number" },
      { name: "relative", label: "As a share of the value", type: "switch" },
    ],
  },
  {
    kind: "length",
    label: "Length",
    about: "The answer is neither too short nor too long.",
    start: { least: 0, most: 100, unit: "words" },
    fields: [
      { name: "least", label: "At least", type: "number" },
      { name: "most", label: "At most", type: "number" },
      { name: "unit", label: "Unit", type: "choice", options: ["words", "characters", "lines"] },
    ],
  },
  {
    kind: "latency",
    label: "Time",
    about: "The answer is complete in time.",
    start: { most_ms: 10_000 },
    fields: [{ name: "most_ms", label: "At most, in ms", type: "number" }],
  },
  {
    kind: "cost",
    label: "Cost",
    about: "The answer costs no more than this.",
    start: { most_micros: 10_000 },
    fields: [{ name: "most_micros", label: "At most, in millionths of a dollar", type: "number" }],
  },
  {
    kind: "similarity",
    label: "Similarity",
    about: "Likeness to a text by edits of characters.",
    start: like,
    fields: [value, least],
  },
  {
    kind: "rouge_l",
    label: "ROUGE-L",
    about: "Likeness by the longest common sequence of words.",
    start: like,
    fields: [value, least],
  },
  {
    kind: "bleu",
    label: "BLEU",
    about: "Likeness to a translation, by words.",
    start: like,
    fields: [value, least],
  },
  {
    kind: "chrf",
    label: "chrF",
    about: "Likeness to a translation, by characters.",
    start: like,
    fields: [value, least],
  },
  {
    kind: "tool_call",
    label: "Calls a tool",
    about: "The model called this tool.",
    start: { name: "" },
    fields: [
      { name: "name", label: "Tool", type: "text" },
      { name: "arguments", label: "Arguments", type: "json" },
    ],
  },
  {
    kind: "refusal",
    label: "Refuses",
    about: "The model refuses to answer. With Not: it does not.",
    fields: [],
  },
  {
    kind: "language",
    label: "Language",
    about: "The answer is in this language.",
    start: { code: "en" },
    fields: [{ name: "code", label: "Code of two letters", type: "text" }],
  },
  {
    kind: "python",
    label: "Python",
    about: "Your own function. It runs with limits, without files and network.",
    start: { code: "def check(answer, expected, values):\n    return len(answer) > 20\n" },
    fields: [{ name: "code", label: "Code", type: "area" }],
  },
  {
    kind: "by_hand",
    label: "By hand",
    about: "A person grades each answer in the run.",
    start: { rubric: "" },
    fields: [rubric],
  },
  {
    kind: "judge",
    label: "Judge",
    about:
      "A model scores each answer by a rubric. Its calls cost. Its passport (parley judge) says how far to trust it.",
    start: { model: "", rubric: "", least: 0.7 },
    fields: [model, rubric, least],
  },
  {
    kind: "judge_pair",
    label: "Judge, in pairs",
    about:
      "A model prefers the answer to a text, in both orders. Its calls cost. Its passport (parley judge) says how far to trust it.",
    start: { model: "", value: EXPECTED },
    fields: [model, value, { name: "tie_passes", label: "A tie passes", type: "switch" }],
  },
];

export const kindOf = (check: Check): CheckKind | undefined =>
  CHECK_KINDS.find(({ kind }) => kind === check.kind);

/** The check in one line. */
export function checkWords(check: Check): string {
  const kind = kindOf(check);
  const shown = (kind?.fields ?? []).flatMap(({ name, label }) => {
    const set = check[name] ?? kind?.start?.[name];
    if (set === undefined || set === null || set === "" || set === false) return [];
    const text = typeof set === "object" ? JSON.stringify(set) : String(set);
    return [`${label.toLowerCase()} ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`];
  });
  return shown.join(", ");
}
