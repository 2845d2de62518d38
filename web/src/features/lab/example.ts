/** A first prompt with data and checks, for whoever opens an empty Prompt Lab. */

import type { components } from "@/api/__generated__/schema";

type NewPrompt = components["schemas"]["NewPrompt"];
type NewDataset = components["schemas"]["NewDataset"];

export const EXAMPLE_PROMPT: NewPrompt = {
  name: "Explain in a tone",
  note: "Example",
  messages: [
    { role: "system", text: "Answer in a {{tone}} tone, in at most 60 words." },
    { role: "user", text: "{{question}}" },
  ],
  variables: [
    { name: "question", kind: "text", choices: [] },
    { name: "tone", kind: "choice", choices: ["friendly", "formal"], default: "friendly" },
  ],
  checks: [
    { kind: "contains", label: "Has the expected answer", values: ["{{expected}}"], ignore_case: true },
    { kind: "length", label: "At most 60 words", most: 60, unit: "words" },
  ],
};

type Split = "train" | "validation" | "holdout";

const row = (question: string, tone: string, expected: string, split: Split = "validation") => ({
  fields: { question, tone },
  expected,
  split,
});

export const EXAMPLE_DATA: NewDataset = {
  name: "Five questions",
  rows: [
    row("What is 12 * 12?", "friendly", "144"),
    row("How many kilometres is 10 miles?", "formal", "16"),
    row("How many r's are in strawberry?", "friendly", "3"),
    row("A price of €80 is lowered by 25% and then raised by 25%. What is it now?", "formal", "75"),
    row("Why is the sky blue?", "friendly", "scatter"),
  ],
};

const MEAN_AND_MEDIAN = "What is the mean and median of 3, 7, 7, 12, 41?";

/** One thing to know, asked in three ways: one for each split. */
const KNOWN: readonly (readonly [expected: string, ...asked: [string, string, string]])[] = [
  ["144", "12 times 12", "What is 12 times 12?", "How much is 12 * 12?"],
  ["16", "Convert 10 miles to km", "10 miles in km", "How many kilometres are 10 miles?"],
  ["3", "Count the r's in strawberry", "How many r's in strawberry?", "How many rs are there in strawberry?"],
  ["397.8", "17% of 2340", "Calculate 17% of 2,340", "How much is 17% of 2,340?"],
  ["scatter", "Explain why the sky is blue", "What makes the sky blue?", "Why does the sky look blue?"],
  ["median", "Mean and median of 3, 7, 7, 12, 41", "Mean and median of 3 7 7 12 41", MEAN_AND_MEDIAN],
];

/** Rows of each split, to try Improve with the demo models. */
export const EXAMPLE_SEARCH_DATA: NewDataset = {
  name: "Questions in splits",
  rows: KNOWN.flatMap(([expected, train, validation, holdout]) => [
    row(train, "friendly", expected, "train"),
    row(validation, "formal", expected, "validation"),
    row(holdout, "friendly", expected, "holdout"),
    row(holdout, "formal", expected, "holdout"),
  ]),
};

/** Whether the example's rows have a value for each of these variables. */
export const fitsExample = (variables: readonly { name: string }[]): boolean =>
  variables.every(({ name }) => name in (EXAMPLE_SEARCH_DATA.rows?.[0]?.fields ?? {}));
