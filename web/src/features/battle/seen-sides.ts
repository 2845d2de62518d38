/** Which answers were on the screen once they were whole: on a phone, where one is seen at a time. */
import { useLayoutEffect } from "react";
import { create } from "zustand";
import type { MatchView, TurnView } from "@/api/types";
import { type Side, sidesOf } from "@/features/battle/seats";
import { useTwoPanels } from "@/lib/use-media";

/** `turn.seat` of all that was seen since the page was loaded. */
const useSeen = create<{ seen: ReadonlySet<string> }>()(() => ({ seen: new Set() }));
const keyOf = (turn: TurnView, seat: string) => `${turn.id}.${seat}`;

/** Note the side that is shown of a turn, once there is something to see. */
export function useSeeing(turn: TurnView, shown: Side | undefined, enabled: boolean): void {
  const key = enabled && turn.status === "completed" && shown ? keyOf(turn, shown.seat.name) : null;
  useLayoutEffect(() => {
    if (key) useSeen.setState(({ seen }) => (seen.has(key) ? { seen } : { seen: new Set([...seen, key]) }));
  }, [key]);
}

/** The sides of a battle that is still to be judged which nobody has looked at; none where both are in sight. */
export function useUnseen(match: MatchView, turn: TurnView): Side[] {
  const two = useTwoPanels();
  const seen = useSeen((state) => state.seen);
  if (two || match.status !== "open" || turn.status !== "completed") return [];
  return sidesOf(match).filter(({ seat }) => !seen.has(keyOf(turn, seat.name)));
}
