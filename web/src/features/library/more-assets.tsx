/** The end of the grid: the next page comes by itself before a person has scrolled there. */
import { useEffect, useRef } from "react";
import { Button } from "@/ui/button";

/** Pixels below the visible part within which the next page is asked for. */
const AHEAD = 1200;

interface MoreAssetsProps {
  loading: boolean;
  /** The last page did not come: a person asks again. */
  failed: boolean;
  onMore: () => void;
}

export function MoreAssets({ loading, failed, onMore }: MoreAssetsProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element || loading || failed) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), {
      root: element.closest("[data-scroll-area]"),
      rootMargin: `0px 0px ${AHEAD}px`,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [loading, failed, onMore]);
  return (
    <div ref={place} className="flex justify-center py-5">
      <Button disabled={loading} onClick={onMore}>
        {loading ? "Loading…" : "Load more"}
      </Button>
    </div>
  );
}
