/** The rows of a long list that are in view, and some beside them: only these are drawn. */

import { type RefObject, startTransition, useEffect, useState } from "react";

const BESIDE = 4;

/** `first` up to, and without, `last`; `above` is the height of what stays at the top. */
export function useWindow(
  box: RefObject<HTMLElement | null>,
  count: number,
  height: number,
  above: number,
): { first: number; last: number } {
  const [range, setRange] = useState({ first: 0, last: Math.min(count, 60) });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      const first = Math.max(0, Math.floor((element.scrollTop - above) / height) - BESIDE);
      const last = Math.min(count, Math.ceil((element.scrollTop + element.clientHeight) / height) + BESIDE);
      // In slices: a jump draws every row anew, and must not hold up the next frame.
      startTransition(() =>
        setRange((now) => (now.first === first && now.last === last ? now : { first, last })),
      );
    };
    measure();
    element.addEventListener("scroll", measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", measure);
      observer.disconnect();
    };
  }, [box, count, height, above]);
  return { first: Math.min(range.first, count), last: Math.min(range.last, count) };
}
