// Texts that a person sees or hears live in each feature's strings files (`strings.ts`, `lazy-strings.ts`, `mode-strings.ts`),
// so that a translation has one place to go. Code samples, names of keys and of variables stay where they are.
import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import ts from "typescript";

const LETTERS = /\p{L}/u;
/** Properties that are read, and those of our own components that end there. */
const READ = new Set([
  "aria-label",
  "aria-description",
  "title",
  "placeholder",
  "alt",
  "label",
  "heading",
  "hint",
]);
const SAYING = new Set(["announce", "showToast", "useTitle"]);
/** What stands within these is typed as it is: code, keys, paths, variables. */
const CODE = new Set(["code", "pre", "Kbd", "Path", "Variable"]);
/** A key or a sign, and not a word: "N", "?", "Esc". */
const isSign = (text) => /^(\p{L}|Esc|Enter)$/u.test(text.trim());

/** Each text in a source file that belongs into a strings file, as "line: text". */
export function textsIn(source, name) {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found = [];
  const report = (node, text) => {
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    if (LETTERS.test(text) && !isSign(text)) found.push(`${line}: ${text.trim().replace(/\s+/g, " ")}`);
  };
  const visit = (node) => {
    if (ts.isJsxElement(node) && CODE.has(node.openingElement.tagName.getText(file))) return;
    if (ts.isJsxText(node)) report(node, node.text);
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) literals(node.expression, report);
    else if (ts.isJsxAttribute(node) && READ.has(node.name.getText(file))) literals(node.initializer, report);
    else if (ts.isCallExpression(node) && SAYING.has(node.expression.getText(file)))
      literals(node.arguments[0], report);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The literals that an expression can come to: through a condition, a default or a sum, not through a call. */
function literals(node, report) {
  if (!node) return;
  if (ts.isStringLiteralLike(node)) report(node, node.text);
  else if (ts.isTemplateExpression(node)) {
    const parts = [node.head, ...node.templateSpans.map((span) => span.literal)];
    report(node, parts.map((part) => part.text).join("…"));
  } else if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node))
    literals(node.expression, report);
  else if (ts.isConditionalExpression(node))
    for (const each of [node.whenTrue, node.whenFalse]) literals(each, report);
  else if (ts.isBinaryExpression(node) && !COMPARING.has(node.operatorToken.kind))
    for (const each of [node.left, node.right]) literals(each, report);
}

const COMPARING = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.InKeyword,
]);

function check() {
  const features = new URL("../src/features/", import.meta.url);
  const faults = readdirSync(features, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name) && !/(strings|\.test)\.tsx?$/.test(name))
    .sort()
    .flatMap((name) =>
      textsIn(readFileSync(new URL(name, features), "utf8"), name).map(
        (text) => `src/features/${name}:${text}: move this text into strings.ts`,
      ),
    );
  if (faults.length > 0) {
    console.error(faults.join("\n"));
    process.exit(1);
  }
  console.log("Texts live in strings files.");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) check();
