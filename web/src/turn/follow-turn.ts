/** Follows one turn to its end over any number of broken connections. */

import { openStream } from "@/api/client";
import type { TurnEvent } from "@/api/events";
import { ApiError } from "@/api/problem";
import { readEvents } from "@/api/sse";
import { useServer } from "@/lib/server";
import { emptyTurn, reduceTurn, type TurnState } from "@/turn/reduce-turn";

export const CONNECTION_LOST = "The connection was lost before the turn began.";

export type Connection = "open" | "reconnecting";

export interface Follower {
  onState: (state: TurnState) => void;
  onConnection?: (connection: Connection) => void;
  signal?: AbortSignal;
}

type Body = ReadableStream<Uint8Array>;

/** How a stream may be opened and how long to wait; replaced in tests. */
export interface Line {
  open: (turnId: string, signal?: AbortSignal) => Promise<Body>;
  pause: (attempt: number, signal?: AbortSignal) => Promise<void>;
}

export const line: Line = {
  open: (turnId, signal) => openStream(`/api/turns/${turnId}/events`, { signal }),
  pause: (attempt, signal) => sleep(Math.min(8000, 250 * 2 ** attempt) * (0.75 + Math.random() / 2), signal),
};

/**
 * Follow a turn until it ends. `first` is the body of the request that started it; every break is answered
 * by connecting again, where a snapshot replaces all. Throws ApiError where the server refuses.
 */
export async function followTurn(
  source: { turnId: string } | { first: Body },
  follower: Follower,
  { open, pause }: Line = line,
): Promise<TurnState> {
  let state = emptyTurn;
  let body = "first" in source ? source.first : null;
  let failures = 0;
  while (!follower.signal?.aborted) {
    const turnId = state.turn?.id ?? ("turnId" in source ? source.turnId : null);
    try {
      body ??= await open(required(turnId), follower.signal);
      let events = 0;
      for await (const event of readEvents<TurnEvent>(body)) {
        state = reduceTurn(state, event);
        if (state.gap) break;
        events += 1;
        if (events === 1) follower.onConnection?.("open");
        if (events === 2) failures = 0;
        follower.onState(state);
      }
    } catch (error) {
      if (follower.signal?.aborted) break;
      if (error instanceof ApiError && !error.unreachable) throw error;
      if (!state.turn && !turnId) throw error;
    }
    body = null;
    if (state.ended && !state.gap) return state;
    // A gap is filled at once the first time; whatever repeats waits a little longer each time.
    if (failures > 0 || !state.gap) follower.onConnection?.("reconnecting");
    await pause(failures, follower.signal);
    failures += 1;
  }
  return state;
}

function required(turnId: string | null): string {
  if (turnId === null) throw new Error(CONNECTION_LOST);
  return turnId;
}

/** Ends early where the signal does, or where a server that was away answers again. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      stop();
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    const stop = useServer.subscribe((now, before) => {
      if (before.away && !now.away) wake();
    });
    signal?.addEventListener("abort", wake);
  });
}
