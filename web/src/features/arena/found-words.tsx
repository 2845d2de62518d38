/** Marks the words of a search in the session that it found, and shows the first of them in the turn that it found. */
import { useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect } from "react";
import { turnAt } from "@/features/arena/turn-place";
import { BY_READER } from "@/lib/by-reader";
import { canPaint, highlightOf, RenderedText } from "@/lib/rendered-text";
import "@/features/arena/found-words.css";

/** How long texts that are still laid out may move what was found. */
const SETTLING_MS = 1500;
const MOST = 1000;

interface FoundWordsProps {
  area: RefObject<HTMLElement | null>;
  words: string;
}

export function FoundWords({ area, words }: FoundWordsProps) {
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
    if (first && !moved && performance.now() - begun < SETTLING_MS)
      first.startContainer.parentElement?.scrollIntoView({ block: "center" });
  };
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  });
  const leave = () => {
    moved = true;
  };
  for (const type of BY_READER) addEventListener(type, leave, { passive: true });
  draw();
  observer.observe(area, { childList: true, subtree: true, characterData: true });
  return () => {
    for (const type of BY_READER) removeEventListener(type, leave);
    observer.disconnect();
    cancelAnimationFrame(frame);
    highlight.clear();
  };
}

function* findRanges(area: HTMLElement, pattern: RegExp): Generator<Range> {
  const rendered = new RenderedText(area);
  let left = MOST;
  for (const match of rendered.text.matchAll(pattern)) {
    const range = rendered.range({ start: match.index, end: match.index + match[0].length });
    if (range) yield range;
    if (--left === 0) return;
  }
}

/** Words in a row, whatever space is between them. */
function patternOf(words: string): RegExp {
  const parts = words
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(parts.join("\\s+"), "giu");
}
