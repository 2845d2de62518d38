import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from "react";
import type { SessionView } from "@/api/types";
import type { LiveSnapshot, LiveTurns } from "@/turn/live-turns";
import { isUnfinished } from "@/turn/reduce-turn";
import { layTurn } from "@/turn/session-cache";

export const TurnsContext = createContext<LiveTurns | null>(null);

export function useTurns(): LiveTurns {
  const turns = useContext(TurnsContext);
  if (!turns) throw new Error("There is no TurnsContext above.");
  return turns;
}

export interface LiveSession {
  view: SessionView | undefined;
  /** A running turn of the session has lost its connection and is trying again. */
  reconnecting: boolean;
}

/** The session with its running turns laid over it, as of the last frame. Starts following what runs. */
export function useLiveSession(view: SessionView | undefined): LiveSession {
  const turns = useTurns();
  const live = useSyncExternalStore(turns.subscribe, turns.snapshot);
  useEffect(() => {
    for (const { turns: list } of view?.matches ?? []) {
      for (const turn of list) if (isUnfinished(turn.status)) turns.follow(turn.id, turn.session_id);
    }
  }, [view, turns]);
  return useMemo(() => overlay(view, live), [view, live]);
}

function overlay(view: SessionView | undefined, live: LiveSnapshot): LiveSession {
  let shown = view;
  let reconnecting = false;
  for (const { state, connection } of live.values()) {
    if (!view || state.match?.session_id !== view.session.id) continue;
    shown = layTurn(shown, state);
    if (connection === "reconnecting") reconnecting = true;
  }
  return { view: shown, reconnecting };
}
