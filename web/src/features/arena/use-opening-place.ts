/** Where a session opens: at the turn that the address names, else where the newest answer begins. */
import { useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef } from "react";
import { readingStart } from "@/features/arena/reading-start";
import { turnAt } from "@/features/arena/turn-place";
import { READER_EVENTS } from "@/lib/reader-events";

/** How long what was said before may still be laid out. */
const OPENING_MS = 1500;

/** The event by which a search says that it shows what it found there. */
export const FOUND = "parley-found";

/** Scroll there; to a turn whenever the address names another, and to the end whenever one is added. */
export function useOpeningPlace(
  area: RefObject<HTMLElement | null>,
  turnId: string | undefined,
  running: boolean,
): void {
  const opening = useRef(true);
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    turnAt(hash)?.scrollIntoView({ block: "start" });
  }, [hash]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn brings the page to its end
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    // Another last turn may come before the opening is over: that of the branch which the address names.
    if (opening.current && (location.hash !== "" || !running))
      return holdOpening(element, () => {
        opening.current = false;
      });
    opening.current = false;
    element.scrollTop = element.scrollHeight;
  }, [area, turnId]);
}

/** Keep it in its place while it is laid out, until the reader goes elsewhere (`onEnd`); return how to stop. */
function holdOpening(area: HTMLElement, onEnd: () => void): () => void {
  // What shows the turns may itself still be loaded.
  const place = () => turnAt(location.hash.slice(1)) ?? readingStart(area);
  const show = () => place()?.scrollIntoView({ block: "start" });
  const observer = new ResizeObserver(show);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    area.removeEventListener(FOUND, end);
    for (const type of READER_EVENTS) removeEventListener(type, end);
  };
  const end = () => {
    stop();
    onEnd();
  };
  const timer = setTimeout(end, OPENING_MS);
  area.addEventListener(FOUND, end);
  for (const type of READER_EVENTS) addEventListener(type, end, { passive: true });
  for (const child of area.children) observer.observe(child);
  show();
  return stop;
}
