import { type RefObject, useEffect, useState } from "react";

/** Which panel a swiping row shows, and a way to show another. */
export function useSwipedSide(row: RefObject<HTMLElement | null>, enabled: boolean) {
  const [index, setIndex] = useState(0);
  useEffect(() => {
    const element = row.current;
    if (!element || !enabled) return;
    const onScroll = () => setIndex(Math.round(element.scrollLeft / Math.max(1, element.clientWidth)));
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [row, enabled]);
  const show = (next: number) => {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    row.current?.children[next]?.scrollIntoView({
      behavior: calm ? "auto" : "smooth",
      inline: "center",
      block: "nearest",
    });
  };
  return { index, show };
}
