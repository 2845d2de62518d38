import { expect, test } from "vitest";
import { mayHoldMath, normaliseMath } from "@/components/markdown/math-delimiters";

test.each([
  ["an inline \\(x^2\\) here", "an inline $$x^2$$ here"],
  ["\\[\nx = 1\n\\]", "\n$$\nx = 1\n$$\n"],
  ["so $a_1 + b$ is", "so $$a_1 + b$$ is"],
  ["$$x$$ stays", "$$x$$ stays"],
])("maths: %s", (text, expected) => {
  expect(normaliseMath(text)).toBe(expected);
});

test.each([
  "it costs $5 and $10",
  "from $5 to $10 = double",
  "`$x^2$` in code",
  "```sh\necho $A_B $C\n```\n",
  "```\n\\(x\\)\n",
  "a half-open \\(x^2",
  "escaped \\$x^2$",
])("not maths: %s", (text) => {
  expect(normaliseMath(text)).toBe(text);
});

test("plain text does not load the maths renderer", () => {
  expect(mayHoldMath("It costs $5, or $10 for two.")).toBe(false);
  expect(mayHoldMath("so \\(x\\)")).toBe(true);
  expect(mayHoldMath("so $x^2$")).toBe(true);
});
