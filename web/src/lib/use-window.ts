/** The rows of a long list that are in view, and some beside them: only these are drawn. */

import { type RefObject, startTransition, useEffect, useState } from "react";

export const BESIDE = 4;

/** `first` up to, and without, `last`; `above` is the height of what stands above the rows, or measures it. */
export function useWindow(
  box: RefObject<HTMLElement | null>,
  count: number,
  height: number,
  above: number | (() => number),
): { first: number; last: number } {
  const [range, setRange] = useState({ first: 0, last: Math.min(count, 60) });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      const top = element.scrollTop - (typeof above === "number" ? above : above());
      const first = Math.max(0, Math.min(count, Math.floor(top / height) - BESIDE));
      const last = Math.max(
        first,
        Math.min(count, Math.ceil((top + element.clientHeight) / height) + BESIDE),
      );
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
