import { type RefObject, useCallback, useEffect, useState } from "react";
import { scrolling } from "@/lib/motion";

/** Which panel a swiping row shows, and a way to show another. Whenever another one is `first`, that is shown. */
export function useSwipedSide(
  row: RefObject<HTMLElement | null>,
  enabled: boolean,
  first: string | undefined,
) {
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
      const [from, to] = [row.current, row.current?.children[next]].map((box) =>
        box?.getBoundingClientRect(),
      );
      if (!from || !to) return;
      // Only sideways: the page stays where it is.
      row.current?.scrollBy({
        left: to.left + to.width / 2 - from.left - from.width / 2,
        behavior: scrolling(),
      });
    },
    [row],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another first panel brings the row to its beginning
  useEffect(() => {
    row.current?.scrollTo({ left: 0, behavior: "instant" });
    setIndex(0);
  }, [first, row]);
  return { index, show };
}
