import { expect, test } from "vitest";
import { mayHoldMath } from "@/components/markdown/formula-text";
import { formulas } from "@/components/markdown/formulas";
import { parse } from "@/components/markdown/parse";

const html = (text: string) => JSON.stringify(parse({ text, writing: false, formulas }).parsed.blocks);
const count = (text: string) => html(text).match(/"annotation"/g)?.length ?? 0;
const displayed = (text: string) => html(text).match(/"katex-display"/g)?.length ?? 0;

test.each([
  ["an inline \\(x^2\\) here", 1],
  ["so \\(x\\) and \\( n \\) are \\(5\\)", 3],
  ["so $a_1 + b$ is, and $x$", 2],
  ["$$x$$ in a line, $$E = mc^2$$ too", 2],
  ["\\[\nx\n=\n- 1\n+ 2\n\\]", 1],
  ["Text\n\\[ s = 1 \\]\nmore", 1],
  ["Text \\[ s = \\begin{matrix} 1 \\\\[2pt] 2 \\end{matrix} \\] more", 1],
  [
    "1. Sum:\n   \\[\n   s = \\sum_{i=1}^{n} i\n   \\]\n   finite.\n2. Pairs:\n   - one: \\[ 1 + n \\]\n   - two: \\[ 2 + (n-1) \\]\n3. End",
    3,
  ],
  ["> A result:\n> \\[ s = \\frac{n(n+1)}{2} \\]\n> which ends.", 1],
  ["> \\[\n> a\n> = b\n> \\]", 1],
  ["| a | b |\n|---|---|\n| sum | \\[ n(n+1)/2 \\] |\n| square | \\( n^2 \\) |", 2],
  ["From $a_1$ to $b^2$ is maths, and **$x_1$** too", 3],
  ["\\[ speed = distance / time \\]", 1],
  ["so \\[ f(x) \\] and \\[f(x)\\], \\[ P(A | B) \\] and \\[ g'(t) \\]", 4],
  ["\\[\nf(x)\n\\]", 1],
  ["\\[ sin(x) \\], \\[ |x| \\], \\[ n! \\], \\[ 2x \\], \\[ y' \\], \\[ (a, b) \\] and \\[ x, y, z \\]", 7],
  ["\\[ \\{1, 2\\} \\] and \\[ α \\]", 2],
  ["| f |\n|---|\n| \\[ f(x) \\] |", 1],
])("formulas: %s", (text, expected) => {
  expect(count(text)).toBe(expected);
});

test.each([
  "Dear \\[Your Name\\], on \\[date\\].",
  "\\[Your Name\\]",
  "claimed \\[1\\], \\[2\\] and \\[3-5\\] or \\[1, 2\\]",
  "- \\[ \\] milk\n- \\[x\\] bank",
  "`f(x)` with \\(optional\\) arguments, see \\[the manual\\](chapter 2)",
  "\\[ OK \\] and \\[ x \\] and \\[ X \\] done, \\[ 1 \\], \\[ A \\], \\[ Your Name \\], \\[ sic! \\], \\[ 10:30 \\]",
  "\\[see (a)\\], \\[item(s)\\], \\[2x\\], \\[a, b\\], \\[citation (needed)\\], \\[ 1, 2 \\]",
  "\\[a-z\\] \\[A/B\\] \\[key=value\\] \\[C++\\] \\[file_name\\]",
  "digits \\[0-9\\]+ and others \\[^abc\\]",
  "it costs $5 and $10",
  "from $5 to $10 = double",
  "It costs $5/month, or $50/year (save $10 = 17%). $20-$30, $1,000_000, US$5 and US$7",
  "It was 5$ then, 7$ now. $2.5M–$3.1M + $0.4M",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as shells write it
  "set $A_B:$C and ${HOME}_x:${PATH}, $MY_VAR$ or $(date +%s)_$(pwd)",
  "echo $$ > /run/x.pid; kill $$",
  "`$x^2$` in code and ``\\(x^2\\)``",
  "```sh\necho $A_B $C\n\\[ x = 1 \\]\n```\n",
  "```\n\\(x\\)\n",
  "a half-open \\(x^2",
  "escaped \\$x^2$",
  "[a link](https://x.example/$a_1$) and https://x.example/?q=$a_1$",
])("no formula: %s", (text) => {
  expect(count(text)).toBe(0);
});

test("brackets that are no formula stay, and stay in their paragraph", () => {
  expect(html("Dear\n\\[Your Name\\],")).toContain("Dear\\n[Your Name],");
  expect(html("Dear\n\\[Your Name\\]")).toContain("Dear\\n[Your Name]");
});

test("brackets set a formula on a line of its own", () => {
  expect(displayed("a \\[ x = 1 \\] b and \\( y = 2 \\)")).toBe(1);
  expect(displayed("\\[\nx = 1\n\\]")).toBe(1);
});

test("many open brackets are read in time", () => {
  expect(count("\\[ a ".repeat(3000))).toBe(0);
});

test("plain text does not load the formulas' renderer", () => {
  expect(mayHoldMath("It costs $5, or $10 for two.")).toBe(false);
  expect(mayHoldMath("so \\(x\\)")).toBe(true);
  expect(mayHoldMath("so $x^2$")).toBe(true);
});
