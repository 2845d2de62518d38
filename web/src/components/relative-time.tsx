import { useEffect, useReducer } from "react";
import { ago, exactTime } from "@/lib/time";

/** How long ago something was, with the exact time on hover; `live` counts on by itself. */
export function RelativeTime({ at, live = false }: { at: string; live?: boolean }) {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, live ? 1000 : 30_000);
    return () => clearInterval(timer);
  }, [live]);
  return (
    <time dateTime={at} title={exactTime(at)} className="num whitespace-nowrap">
      {ago(at)}
    </time>
  );
}
