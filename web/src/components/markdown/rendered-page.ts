/** Renders the texts of an exported page as this page shows them: formulas, coloured code, diagrams. */

import { drawDiagram } from "@/components/markdown/draw-diagram";
import type { Line } from "@/components/markdown/highlighter";
import { MAX_DIAGRAM } from "@/components/markdown/limits";
import { reachable, staticNodes } from "@/components/markdown/static-elements";
import { highlightWhole } from "@/components/markdown/use-highlighted";
import { parseWhole } from "@/components/markdown/use-parsed";

const STYLE = `
.tok { color: var(--tok-light); }
math[display="block"] { margin: 1rem 0; overflow: auto; padding: .25rem 0; }
figure { margin: 1rem 0; }
figure img { display: block; margin: 0 auto; max-width: 100%; height: auto; }
figure summary { color: var(--quiet); cursor: pointer; font-size: .875rem; margin-top: .5rem; }
@media (prefers-color-scheme: dark) { .tok { color: var(--tok-dark); } }
`;

/**
 * The page with its texts rendered. What can't be rendered stays as it was written. `onText` hears how many texts are
 * done, and of how many.
 */
export async function renderPage(
  source: string,
  onText: (done: number, all: number) => void,
): Promise<string> {
  // A document of its own: nothing in it runs or loads.
  const page = new DOMParser().parseFromString(source, "text/html");
  const texts = [...page.querySelectorAll("pre[data-markdown]")];
  for (const [done, place] of texts.entries()) {
    onText(done, texts.length);
    const blocks = await parseWhole(place.textContent);
    place.removeAttribute("data-markdown");
    if (!blocks) continue;
    const waiting: Promise<void>[] = [];
    const nodes = staticNodes(blocks, page, (code, language) => {
      const { element, finished } = codeBlock(page, code, language);
      waiting.push(finished);
      return element;
    });
    await Promise.all(waiting);
    place.replaceWith(...nodes);
  }
  const style = page.createElement("style");
  style.textContent = STYLE;
  page.head.append(style);
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`;
}

/** A block of code, to which its colours or its drawing come. */
function codeBlock(page: Document, code: string, language: string) {
  const element = page.createElement("div");
  const block = page.createElement("pre");
  const inner = page.createElement("code");
  inner.textContent = code;
  reachable(block);
  block.append(inner);
  element.append(block);
  const isDiagram = language === "mermaid" && code.length <= MAX_DIAGRAM;
  const finished = isDiagram ? draw(page, element, code) : colour(page, inner, code, language);
  return { element, finished };
}

async function colour(page: Document, inner: Element, code: string, language: string): Promise<void> {
  const lines = await highlightWhole(code, language);
  if (lines)
    inner.replaceChildren(...lines.flatMap((line) => [...tokens(page, line), page.createTextNode("\n")]));
}

function tokens(page: Document, line: Line): Node[] {
  return line.map(({ text, dark, light }) => {
    if (!dark || !light) return page.createTextNode(text);
    const token = page.createElement("span");
    token.className = "tok";
    token.style.setProperty("--tok-dark", dark);
    token.style.setProperty("--tok-light", light);
    token.textContent = text;
    return token;
  });
}

/** A diagram as pictures in the page for both themes; its source is folded below. */
async function draw(page: Document, element: Element, code: string): Promise<void> {
  const [light, dark] = [await drawDiagram(code, true), await drawDiagram(code, false)];
  if (!light || !dark) return;
  const figure = page.createElement("figure");
  const picture = page.createElement("picture");
  const source = page.createElement("source");
  source.setAttribute("media", "(prefers-color-scheme: dark)");
  source.setAttribute("srcset", dark.url);
  const image = page.createElement("img");
  image.setAttribute("src", light.url);
  image.setAttribute("alt", "Diagram. Its source is below.");
  if (light.width) image.setAttribute("width", String(light.width));
  picture.append(source, image);
  const details = page.createElement("details");
  const summary = page.createElement("summary");
  summary.textContent = "Source";
  details.append(summary, ...element.childNodes);
  figure.append(picture, details);
  element.append(figure);
}
