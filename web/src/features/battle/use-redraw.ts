/** Draws a void battle again by itself, once. */
import { useEffect, useRef, useState } from "react";
import type { MatchRecord, TurnView } from "@/api/types";
import { useComposer } from "@/features/arena/composer-store";
import { isRunning, lastTurn } from "@/features/arena/mode-feature";
import type { useDrawAgain } from "@/features/arena/use-turn-actions";
import { automatic, drawsAgain, isFresh, reserveRedraw } from "@/features/battle/redraw";
import { showToast } from "@/lib/toast-store";

/** Long enough to read that it is void, and to begin to write something else. */
const AFTER_MS = 1200;

export function useRedraw(record: MatchRecord, drawAgain: ReturnType<typeof useDrawAgain>): void {
  const { match } = record;
  const [seen, setSeen] = useState(false);
  const running = isRunning(record);
  useEffect(() => {
    if (running) setSeen(true);
  }, [running]);
  const turn = lastTurn(record);
  const typed = useComposer(
    ({ drafts, attached }) =>
      Boolean(drafts[match.session_id]?.trim()) || (attached[match.session_id]?.length ?? 0) > 0,
  );
  const draw = useRef(drawAgain.mutateAsync);
  draw.current = drawAgain.mutateAsync;
  const [opened] = useState(() => Date.now());
  const seenRunning = seen || (turn !== null && isFresh(turn.created_at, performance.timeOrigin, opened));
  const wanted = drawsAgain({ record, seenRunning, typed, automatic });
  useEffect(() => {
    if (!wanted || !turn) return;
    const timer = setTimeout(() => void redraw(draw.current, turn), AFTER_MS);
    return () => clearTimeout(timer);
  }, [wanted, turn]);
}

async function redraw(draw: (turn: TurnView) => Promise<{ match: { id: string } | null }>, turn: TurnView) {
  if (!reserveRedraw(turn.match_id)) return;
  showToast("A model couldn’t answer, so Parley drew two models again.");
  try {
    const { match } = await draw(turn);
    if (match) automatic.push(match.id);
  } catch {
    // The mutation has said why; the button is there to try again.
  }
}
