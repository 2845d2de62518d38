/** The end of the grid: the next page comes by itself before a person has scrolled there. */
import { useEffect, useRef, useState } from "react";
import { Button } from "@/ui/button";

/** Pixels below the visible part within which the next page is asked for. */
const AHEAD = 1200;

interface MoreAssetsProps {
  /** How many there are. */
  count: number;
  loading: boolean;
  /** The last page did not come: a person asks again. */
  failed: boolean;
  onMore: () => void;
}

export function MoreAssets({ count, loading, failed, onMore }: MoreAssetsProps) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    // Several entries come at once while the page is busy: the last one says how it is now.
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting === true), {
      root: element.closest("[data-scroll-area]"),
      rootMargin: `0px 0px ${AHEAD}px`,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    // A page may come so soon that `loading` was never drawn: then only the count tells that the end is near again.
    if (count > 0 && near && !loading && !failed) onMore();
  }, [count, near, loading, failed, onMore]);
  return (
    <div ref={place} className="flex justify-center py-5">
      <Button disabled={loading} onClick={onMore}>
        {loading ? "Loading…" : "Load more"}
      </Button>
    </div>
  );
}
