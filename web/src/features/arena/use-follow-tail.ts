/** Keeps a scrolling area at its end while it is written, until the reader scrolls up. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const NEAR_PX = 48;
/** The last words are laid out a little after the text has ended. */
const LINGER_MS = 900;

interface Tail {
  /** False once the reader has scrolled away from the end. */
  atEnd: boolean;
  jump: () => void;
}

export function useFollowTail(area: RefObject<HTMLElement | null>, growing: boolean): Tail {
  const enabled = useLingering(growing);
  const [atEnd, setAtEnd] = useState(true);
  const following = useRef(true);
  const begun = useRef(false);
  const written = useRef(growing);
  written.current = growing;

  const jump = useCallback(() => {
    const element = area.current;
    if (!element) return;
    following.current = true;
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
      if (near) following.current = true;
      else if (element.scrollTop < lastTop) following.current = false;
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

  return { atEnd, jump };
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
