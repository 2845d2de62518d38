/** A rendered text as one string, and the way back from its offsets to the page. */
export class RenderedText {
  readonly text: string;
  private readonly parts: { node: Text; start: number }[] = [];

  /** Of what `without` selects, nothing is taken. */
  constructor(root: Element, without = "button, svg, .katex, .code-block, .sr-only") {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, {
      acceptNode: (node) =>
        node.parentElement?.closest(without) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    });
    let text = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      this.parts.push({ node: node as Text, start: text.length });
      text += `${node.nodeValue ?? ""}\n`;
    }
    this.text = text;
  }

  range({ start, end }: { start: number; end: number }): Range | null {
    const first = this.parts.findLast((part) => part.start <= start);
    const last = this.parts.findLast((part) => part.start < end);
    if (!first || !last) return null;
    const range = new Range();
    range.setStart(first.node, Math.min(start - first.start, first.node.length));
    range.setEnd(last.node, Math.min(end - last.start, last.node.length));
    return range;
  }

  /** The offset of a point of the window; -1 where no text of this root is. */
  offsetAt(x: number, y: number): number {
    const caret = document.caretPositionFromPoint?.(x, y);
    const part = caret && this.parts.find(({ node }) => node === caret.offsetNode);
    return part && caret ? part.start + caret.offset : -1;
  }
}

export const canPaint = typeof CSS !== "undefined" && "highlights" in CSS && typeof Highlight === "function";

/** The browser's highlight of this name, made when it is first wanted. */
export function highlightOf(name: string, priority = 0): Highlight {
  const known = CSS.highlights.get(name);
  if (known) return known;
  const made = new Highlight();
  made.priority = priority;
  CSS.highlights.set(name, made);
  return made;
}
