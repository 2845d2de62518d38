/** A text's blocks as elements of a page that stands alone: no script, no address that is loaded. */
import type { ElementContent, Element as Node, RootContent } from "hast";

const MATHML = "http://www.w3.org/1998/Math/MathML";
const SAFE_LINK = /^(https?:|mailto:)/i;

/** What a text may bring, and as what: its headings stand below those of the page. */
const HTML: Record<string, string> = {
  ...Object.fromEntries(
    "p ul ol li blockquote hr strong em del code br sup sub section table thead tbody tr th td"
      .split(" ")
      .map((name) => [name, name]),
  ),
  h1: "h3",
  h2: "h4",
  h3: "h5",
  h4: "h6",
  h5: "h6",
  h6: "h6",
};
const FORMULA = new Set(
  `math semantics annotation mrow mi mo mn ms mtext mspace msup msub msubsup mover munder munderover mfrac msqrt mroot
  mtable mtr mtd mlabeledtr mstyle mpadded mphantom menclose merror mmultiscripts mprescripts none`.split(
    /\s+/,
  ),
);
const FORMULA_ATTRIBUTES = new Set(
  `display mathvariant stretchy fence separator lspace rspace minsize maxsize width height depth voffset columnalign
  rowspacing columnspacing columnlines rowlines linethickness accent accentunder movablelimits displaystyle scriptlevel
  largeop symmetric form mathcolor mathbackground notation encoding`.split(/\s+/),
);

type Any = RootContent | ElementContent;

/** Makes the element of a block of code. */
export type CodeMaker = (code: string, language: string) => Element;

export function staticNodes(nodes: readonly Any[], page: Document, codeOf: CodeMaker): globalThis.Node[] {
  return nodes.flatMap((node) => staticNode(node, page, codeOf));
}

function staticNode(node: Any, page: Document, codeOf: CodeMaker): globalThis.Node[] {
  if (node.type === "text") return [page.createTextNode(node.value)];
  if (node.type !== "element") return [];
  const { tagName, properties } = node;
  const children = () => staticNodes(node.children, page, codeOf);
  if (tagName === "pre") {
    return [codeOf(String(properties.dataCode ?? ""), String(properties.dataLanguage ?? ""))];
  }
  if (hasClass(node, "katex")) return formulaIn(node, page);
  if (tagName === "a") return link(String(properties.href ?? ""), children(), page);
  if (tagName === "img") {
    const text = page.createTextNode(`Image: ${properties.alt || "no description"}`);
    return link(String(properties.src ?? ""), [text], page);
  }
  if (tagName === "input") return [page.createTextNode(properties.checked ? "☑ " : "☐ ")];
  const name = Object.hasOwn(HTML, tagName) ? HTML[tagName] : undefined;
  if (!name) return children();
  const element = page.createElement(name);
  if (properties.align) element.style.textAlign = String(properties.align);
  if (tagName === "ol" && typeof properties.start === "number")
    element.setAttribute("start", String(properties.start));
  if (tagName === "table") reachable(element);
  element.append(...children());
  return [element];
}

/** What scrolls can be scrolled by keys. */
export const reachable = (element: Element): void => element.setAttribute("tabindex", "0");

/** What leads to another place in the text, or to what is no address, is only its words. */
function link(address: string, children: globalThis.Node[], page: Document): globalThis.Node[] {
  if (!SAFE_LINK.test(address)) return children;
  const element = page.createElement("a");
  element.setAttribute("href", address);
  element.setAttribute("rel", "noopener noreferrer nofollow");
  element.append(...children);
  return [element];
}

function hasClass({ properties }: Node, name: string): boolean {
  return Array.isArray(properties.className) && properties.className.includes(name);
}

/** A formula as MathML, which browsers lay out with their own fonts. */
function formulaIn(node: Node, page: Document): globalThis.Node[] {
  const math = find(node, "math");
  if (!math) return [];
  const formula = mathNode(math, page);
  if (formula.getAttribute("display") === "block") reachable(formula);
  return [formula];
}

function find(node: Node, name: string): Node | null {
  if (node.tagName === name) return node;
  for (const child of node.children) {
    const found = child.type === "element" ? find(child, name) : null;
    if (found) return found;
  }
  return null;
}

function mathNode(node: Node, page: Document): Element {
  const element = page.createElementNS(MATHML, FORMULA.has(node.tagName) ? node.tagName : "mrow");
  for (const [name, value] of Object.entries(node.properties)) {
    const attribute = name.toLowerCase();
    if (FORMULA_ATTRIBUTES.has(attribute)) element.setAttribute(attribute, String(value));
  }
  for (const child of node.children) {
    if (child.type === "text") element.append(child.value);
    if (child.type === "element") element.append(mathNode(child, page));
  }
  return element;
}
