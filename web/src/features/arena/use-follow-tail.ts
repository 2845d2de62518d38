/** Keeps a scrolling area at its end while it is written; once it is whole, shows its beginning to whoever only watched. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { scrolling } from "@/lib/motion";

const NEAR_PX = 48;
/** The last words are laid out a little after the text has ended. */
const LINGER_MS = 900;
/** Text that grows more slowly can be read while it is written: two or three lines in as many seconds. */
const READING_PX_PER_S = 25;

interface Written {
  growing: boolean;
  /** It came to its proper end: what failed or was stopped says so where it ends. */
  whole: boolean;
  /** Scrolls to where reading begins; the top, where nothing else is said. */
  showStart?: (area: HTMLElement) => void;
}

interface Tail {
  /** False once the reader has scrolled away from the end. */
  atEnd: boolean;
  jump: () => void;
}

export function useFollowTail(
  area: RefObject<HTMLElement | null>,
  { growing, whole, showStart = showTop }: Written,
): Tail {
  const enabled = useLingering(growing);
  const [atEnd, setAtEnd] = useState(true);
  const following = useRef(true);
  const begun = useRef(false);
  const written = useRef(growing);
  written.current = growing;
  // The reader has scrolled, or has asked for the end: from then on, nothing but the tail moves the text.
  const taken = useRef(false);

  const jump = useCallback(() => {
    const element = area.current;
    if (!element) return;
    following.current = true;
    taken.current = true;
    setAtEnd(true);
    element.scrollTop = element.scrollHeight;
  }, [area]);

  useEffect(() => {
    const element = area.current;
    if (!element || !enabled) return;
    let lastTop = element.scrollTop;
    let lastHeight = element.clientHeight;
    let over = false;
    const isNear = () => element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
    // Written anew: the reader may have left the end in the meantime.
    if (begun.current) following.current = isNear();
    begun.current = true;
    const onScroll = () => {
      const near = isNear();
      // Growing content never moves the top upwards: only the reader does.
      if (near) following.current ||= written.current;
      else if (element.scrollTop < lastTop) {
        following.current = false;
        taken.current = true;
      }
      lastTop = element.scrollTop;
      setAtEnd(following.current || near);
    };
    const onGrow = () => {
      // Once it has ended, what makes room for something else must not move the text.
      if (written.current) over = false;
      else if (element.clientHeight !== lastHeight) over = true;
      lastHeight = element.clientHeight;
      if (following.current && !over) element.scrollTop = element.scrollHeight;
      else onScroll();
    };
    const observer = new ResizeObserver(onGrow);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, [area, enabled]);

  const watched = useRef<{ since: number; height: number } | null>(null);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    if (growing) {
      taken.current = false;
      watched.current ??= { since: performance.now(), height: element.scrollHeight };
    } else if (watched.current && whole) {
      const { since, height } = watched.current;
      watched.current = null;
      const seconds = (performance.now() - since) / 1000;
      if (taken.current || element.scrollHeight - height < READING_PX_PER_S * seconds) return;
      following.current = false;
      showStart(element);
    }
  }, [area, growing, whole, showStart]);

  return { atEnd, jump };
}

function showTop(area: HTMLElement): void {
  area.scrollTo({ top: 0, behavior: scrolling() });
}

/** Stays true for a moment after it was last on. */
function useLingering(on: boolean): boolean {
  const [lingering, setLingering] = useState(on);
  useEffect(() => {
    if (on) return setLingering(true);
    const timer = setTimeout(() => setLingering(false), LINGER_MS);
    return () => clearTimeout(timer);
  }, [on]);
  return on || lingering;
}
