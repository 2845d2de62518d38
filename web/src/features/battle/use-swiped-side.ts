import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** Which panel a swiping row shows, and a way to show another. `picked` is shown once it is known. */
export function useSwipedSide(row: RefObject<HTMLElement | null>, enabled: boolean, picked: number) {
  const [index, setIndex] = useState(0);
  useEffect(() => {
    const element = row.current;
    if (!element || !enabled) return;
    const onScroll = () => setIndex(Math.round(element.scrollLeft / Math.max(1, element.clientWidth)));
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [row, enabled]);
  const show = useCallback(
    (next: number) => {
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      const [from, to] = [row.current, row.current?.children[next]].map((box) =>
        box?.getBoundingClientRect(),
      );
      if (!from || !to) return;
      // Only sideways: the page stays where it is.
      row.current?.scrollBy({
        left: to.left + to.width / 2 - from.left - from.width / 2,
        behavior: calm ? "auto" : "smooth",
      });
    },
    [row],
  );
  const before = useRef(picked);
  useEffect(() => {
    const isNew = picked !== before.current;
    before.current = picked;
    if (isNew && enabled && picked >= 0) show(picked);
  }, [picked, enabled, show]);
  return { index, show };
}
