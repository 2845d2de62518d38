/** Tells screen readers that the replies have finished, once per turn and never per token. */

import { useEffect, useRef } from "react";
import type { MatchRecord } from "@/api/types";
import { lastTurn } from "@/features/arena/mode-feature";
import { announce } from "@/lib/toast-store";
import { isUnfinished } from "@/turn/reduce-turn";

export function useAnnouncedTurn(record: MatchRecord | null): void {
  const turn = lastTurn(record);
  const before = useRef<string | null>(null);
  const open = record?.match.ballot?.open === true;
  const who = record?.match.seats.map((seat) => seat.model?.name ?? seat.label).join(" and ");
  useEffect(() => {
    if (!turn) return;
    const wasRunning = before.current === turn.id;
    before.current = isUnfinished(turn.status) ? turn.id : null;
    if (!wasRunning || isUnfinished(turn.status)) return;
    if (turn.status === "completed")
      announce(open ? `${who ?? ""} finished. You can vote now.` : `${who ?? ""} finished.`);
    else announce(turn.status === "stopped" ? "Stopped." : (turn.error?.title ?? "The turn failed."));
  }, [turn, open, who]);
}
