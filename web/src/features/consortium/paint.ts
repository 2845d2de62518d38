/** Paints stretches of rendered text without touching it: the browser's own highlights, by name. */
import { type RefObject, useEffect, useRef } from "react";
import type { Stretch } from "@/features/consortium/align-text";

export type Paint =
  | "agree-all"
  | "agree-some"
  | "agree-rounded"
  | "agree-one"
  | "agree-contradicted"
  | "agree-lit"
  | "area"
  | "area-lit";

export interface Painted extends Stretch {
  paint: Paint;
}

export const canPaint = typeof CSS !== "undefined" && "highlights" in CSS && typeof Highlight === "function";

function highlightOf(name: Paint): Highlight {
  const known = CSS.highlights.get(name);
  if (known) return known;
  const made = new Highlight();
  made.priority = name.endsWith("-lit") ? 1 : 0;
  CSS.highlights.set(name, made);
  return made;
}

/** A rendered text as one string, and the way back from its offsets to the page. */
export class RenderedText {
  readonly text: string;
  private readonly parts: { node: Text; start: number }[] = [];

  constructor(root: Element) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, {
      acceptNode: (node) =>
        node.parentElement?.closest("button, svg, .katex, .code-block, .sr-only")
          ? NodeFilter.FILTER_REJECT
          : NodeFilter.FILTER_ACCEPT,
    });
    let text = "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      this.parts.push({ node: node as Text, start: text.length });
      text += `${node.nodeValue ?? ""}\n`;
    }
    this.text = text;
  }

  range({ start, end }: Stretch): Range | null {
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

/**
 * Keep stretches of the text inside `root` painted, whatever becomes of its elements. `find` tells from the text
 * what to paint; it must be stable while it tells the same.
 */
export function usePaint(
  root: RefObject<HTMLElement | null>,
  find: ((text: string) => Painted[]) | null,
): RefObject<RenderedText | null> {
  const rendered = useRef<RenderedText | null>(null);
  useEffect(() => {
    const element = root.current;
    if (!element || !find || !canPaint) return;
    let painted: [Paint, Range][] = [];
    const wipe = () => {
      for (const [paint, range] of painted) highlightOf(paint).delete(range);
      painted = [];
    };
    const draw = () => {
      wipe();
      const text = new RenderedText(element);
      rendered.current = text;
      for (const stretch of find(text.text)) {
        const range = text.range(stretch);
        if (!range) continue;
        painted.push([stretch.paint, range]);
        highlightOf(stretch.paint).add(range);
      }
    };
    let frame = 0;
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(draw);
    });
    draw();
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      wipe();
    };
  }, [root, find]);
  return rendered;
}
