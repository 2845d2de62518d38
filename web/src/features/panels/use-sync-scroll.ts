import { type RefObject, useEffect } from "react";

/** Scroll the reading areas inside the row together, each by its own share of its height. */
export function useSyncScroll(row: RefObject<HTMLElement | null>, enabled: boolean): void {
  useEffect(() => {
    const areas = [...(row.current?.querySelectorAll<HTMLElement>("[data-reading]") ?? [])];
    if (!enabled || areas.length < 2) return;
    let leader: HTMLElement | null = null;
    let timer: ReturnType<typeof setTimeout>;
    const onScroll = ({ currentTarget }: Event) => {
      const source = currentTarget as HTMLElement;
      if (leader && leader !== source) return;
      leader = source;
      clearTimeout(timer);
      timer = setTimeout(() => {
        leader = null;
      }, 120);
      const share = source.scrollTop / Math.max(1, source.scrollHeight - source.clientHeight);
      for (const area of areas) {
        if (area !== source) area.scrollTop = share * (area.scrollHeight - area.clientHeight);
      }
    };
    for (const area of areas) area.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const area of areas) area.removeEventListener("scroll", onScroll);
    };
  }, [row, enabled]);
}
