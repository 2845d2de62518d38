/** Paints stretches of rendered text without touching it: the browser's own highlights, by name. */
import { type RefObject, useEffect, useRef } from "react";
import type { Stretch } from "@/features/consortium/align-text";
import { canPaint, highlightOf, RenderedText } from "@/lib/rendered-text";

export type HighlightName =
  | "agree-all"
  | "agree-some"
  | "agree-number"
  | "agree-one"
  | "agree-disputed"
  | "agree-lit"
  | "area"
  | "area-lit";

export interface TextHighlight extends Stretch {
  name: HighlightName;
}

const highlight = (name: HighlightName) => highlightOf(name, name.endsWith("-lit") ? 1 : 0);

/**
 * Keep stretches of the text inside `root` painted, whatever becomes of its elements. `find` tells from the text
 * what to paint; it must be stable while it tells the same.
 */
export function useTextHighlights(
  root: RefObject<HTMLElement | null>,
  find: ((text: string) => TextHighlight[]) | null,
): RefObject<RenderedText | null> {
  const rendered = useRef<RenderedText | null>(null);
  useEffect(() => {
    const element = root.current;
    if (!element || !find || !canPaint) return;
    let painted: [HighlightName, Range][] = [];
    const wipe = () => {
      for (const [paint, range] of painted) highlight(paint).delete(range);
      painted = [];
    };
    const draw = () => {
      wipe();
      const text = new RenderedText(element);
      rendered.current = text;
      for (const stretch of find(text.text)) {
        const range = text.range(stretch);
        if (!range) continue;
        painted.push([stretch.name, range]);
        highlight(stretch.name).add(range);
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
