import { expect, test } from "vitest";
import { isShort } from "@/features/battle/length";

test.each([
  ["nothing yet", [], true],
  ["two short ones", ["Yes.", "It depends on the price."], true],
  ["a short one beside a long one, so that both look alike", ["Yes.", "Because. ".repeat(100)], false],
  ["many short lines", ["- one\n".repeat(20), "Yes."], false],
])("answers are set large while they are short: %s", (_, texts, short) => {
  expect(isShort(texts.map((text) => ({ text })))).toBe(short);
});
