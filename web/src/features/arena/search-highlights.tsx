/** Marks the words of a search in the session that it found, and shows the first of them in the turn that it found. */
import { useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect } from "react";
import { turnAt } from "@/features/arena/turn-place";
import { FOUND } from "@/features/arena/use-opening-place";
import { fold, patternOf } from "@/lib/fold";
import { READER_EVENTS } from "@/lib/reader-events";
import { canPaint, highlightOf, RenderedText } from "@/lib/rendered-text";
import "@/features/arena/search-highlights.css";

/** How long texts that are still laid out may move what was found. */
const SETTLING_MS = 1500;
const MOST = 1000;

interface SearchHighlightsProps {
  area: RefObject<HTMLElement | null>;
  words: string;
}

export function SearchHighlights({ area, words }: SearchHighlightsProps) {
  const turn = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    if (area.current && canPaint) return mark(area.current, turn, words);
  }, [area, turn, words]);
  return null;
}

/** Keep the words marked whatever becomes of the elements; return how to end it. */
function mark(area: HTMLElement, turn: string, words: string): () => void {
  const pattern = patternOf(words);
  const highlight = highlightOf("found");
  const begun = performance.now();
  let moved = false;
  let frame = 0;
  const draw = () => {
    highlight.clear();
    const place = turnAt(turn);
    let first: Range | undefined;
    for (const range of findRanges(area, pattern)) {
      highlight.add(range);
      if (place?.contains(range.startContainer)) first ??= range;
    }
    if (first && !moved && performance.now() - begun < SETTLING_MS) {
      area.dispatchEvent(new Event(FOUND));
      first.startContainer.parentElement?.scrollIntoView({ block: "center" });
    }
  };
  const soon = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  };
  const observer = new MutationObserver(soon);
  const sizes = new ResizeObserver(() => performance.now() - begun < SETTLING_MS && soon());
  const leave = () => {
    moved = true;
  };
  for (const type of READER_EVENTS) addEventListener(type, leave, { passive: true });
  draw();
  for (const child of area.children) sizes.observe(child);
  observer.observe(area, { childList: true, subtree: true, characterData: true });
  return () => {
    for (const type of READER_EVENTS) removeEventListener(type, leave);
    observer.disconnect();
    sizes.disconnect();
    cancelAnimationFrame(frame);
    highlight.clear();
  };
}

function* findRanges(area: HTMLElement, pattern: RegExp): Generator<Range> {
  const rendered = new RenderedText(area, "button, svg, .katex, .sr-only");
  const { text, placeOf } = fold(rendered.text);
  let left = MOST;
  for (const match of text.matchAll(pattern)) {
    const range = rendered.range(placeOf({ start: match.index, end: match.index + match[0].length }));
    if (range) yield range;
    if (--left === 0) return;
  }
}
