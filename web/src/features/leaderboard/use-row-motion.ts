/** Rows glide to their new places and glow once when their figures change. */
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { LeaderboardLine } from "@/api/standings-types";
import { calm } from "@/lib/motion";

const GLIDE: KeyframeAnimationOptions = { duration: 520, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" };
const GLOW: KeyframeAnimationOptions = { duration: 1400, easing: "ease-out" };

interface Seen {
  arrangement: string;
  places: Map<string, number>;
  figures: Map<string, string>;
}

/**
 * Move the rows of `body` (children with data-row). `arrangement` names what the reader chose: where that
 * changes, rows jump, because everything else did too. Nothing moves for those who asked for less motion.
 */
export function useRowMotion(
  body: RefObject<HTMLElement | null>,
  lines: readonly LeaderboardLine[],
  arrangement: string,
): void {
  const seen = useRef<Seen | null>(null);
  useLayoutEffect(() => {
    const rows = [...(body.current?.children ?? [])].filter((row) => row instanceof HTMLElement);
    const places = new Map(rows.map((row) => [row.dataset.row ?? "", row.offsetTop]));
    const figures = new Map(lines.map((line) => [line.model.id, `${line.votes} ${Math.round(line.rating)}`]));
    const before = seen.current;
    seen.current = { arrangement, places, figures };
    if (before?.arrangement !== arrangement || calm()) return;
    for (const row of rows) {
      const id = row.dataset.row ?? "";
      const from = before.places.get(id);
      const to = places.get(id);
      if (from !== undefined && to !== undefined && from !== to) {
        row.animate([{ transform: `translateY(${from - to}px)` }, { transform: "none" }], GLIDE);
      }
      const shown = before.figures.get(id);
      if (shown !== undefined && shown !== figures.get(id)) {
        row.animate([{ backgroundColor: "color-mix(in oklab, var(--accent) 16%, transparent)" }, {}], GLOW);
      }
    }
  }, [body, lines, arrangement]);
}
