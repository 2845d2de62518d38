/** The turns that are running now: one follower each, released to the page at most once per frame. */

import type { QueryClient } from "@tanstack/react-query";
import { openStream } from "@/api/client";
import { ApiError, asApiError } from "@/api/problem";
import { sessionKey, sessionsKey } from "@/api/queries";
import type { SessionView } from "@/api/types";
import { queueFrame } from "@/lib/frame-queue";
import { randomKey } from "@/lib/ids";
import { learnIds, learnKey } from "@/lib/seal-keys";
import { CONNECTION_LOST, type Connection, followTurn } from "@/turn/follow-turn";
import type { TurnState } from "@/turn/reduce-turn";
import { layTurn } from "@/turn/session-cache";

export interface LiveTurn {
  state: TurnState;
  connection: Connection;
}

export type LiveSnapshot = ReadonlyMap<string, LiveTurn>;

export interface LiveTurns {
  /**
   * Start a turn with a POST; resolves at its snapshot with the state, and goes on following. The same POST meanwhile
   * is the second of two clicks: it gets the same turn. `seal`: the key of the sealed session that begins.
   */
  start: (path: string, body: unknown, seal?: string) => Promise<TurnState>;
  /** Follow a running turn; does nothing where it is followed already. */
  follow: (turnId: string, sessionId: string) => void;
  snapshot: () => LiveSnapshot;
  subscribe: (listener: () => void) => () => void;
}

export function createLiveTurns(client: QueryClient): LiveTurns {
  const latest = new Map<string, LiveTurn>();
  const followed = new Set<string>();
  const starting = new Map<string, Promise<TurnState>>();
  const listeners = new Set<() => void>();
  let shown: LiveSnapshot = new Map();
  let scheduled = false;

  function publish(): void {
    scheduled = false;
    shown = new Map(latest);
    for (const listener of listeners) listener();
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    // A hidden tab gets no frames, but its title and its announcements should still keep up.
    if (document.hidden) setTimeout(publish, 250);
    else queueFrame(publish);
  }

  function update(id: string, change: Partial<LiveTurn>): void {
    const known = latest.get(id);
    const state = change.state ?? known?.state;
    if (!state) return;
    latest.set(id, { connection: "open", ...known, ...change, state });
    schedule();
  }

  async function run(
    source: Parameters<typeof followTurn>[0],
    onFirst?: (state: TurnState) => void,
    seal?: string,
  ): Promise<void> {
    let id: string | null = "turnId" in source ? source.turnId : null;
    try {
      const state = await followTurn(source, {
        onState: (state) => {
          if (!state.turn) return;
          if (id === null || !latest.has(id)) {
            id = state.turn.id;
            followed.add(id);
            learn(state, seal);
            lay(state);
            onFirst?.(state);
          }
          update(id, { state });
        },
        onConnection: (connection) => id !== null && update(id, { connection }),
      });
      lay(state);
    } finally {
      if (id !== null) {
        followed.delete(id);
        latest.delete(id);
        schedule();
      }
    }
  }

  function learn({ match, turn }: TurnState, seal: string | undefined): void {
    if (!match || !turn) return;
    if (seal) learnKey(seal, match.session_id);
    learnIds(match.session_id, [match.id, turn.id]);
  }

  function lay(state: TurnState): void {
    const sessionId = state.match?.session_id;
    if (!sessionId) return;
    client.setQueryData<SessionView>(sessionKey(sessionId), (view) => layTurn(view, state));
    client.invalidateQueries({ queryKey: sessionKey(sessionId) });
    client.invalidateQueries({ queryKey: sessionsKey });
  }

  function start(path: string, body: unknown, seal?: string): Promise<TurnState> {
    const same = `${path} ${JSON.stringify(body)}`;
    const begun = starting.get(same) ?? begin(path, body, seal).finally(() => starting.delete(same));
    starting.set(same, begun);
    return begun;
  }

  function begin(path: string, body: unknown, seal?: string): Promise<TurnState> {
    const key = randomKey();
    return new Promise((resolve, reject) => {
      const attempt = async (left: number): Promise<void> => {
        try {
          const first = await openStream(path, { method: "POST", body, key, ...(seal && { seal }) });
          await run({ first }, resolve, seal);
          reject(asApiError(new Error(CONNECTION_LOST)));
        } catch (error) {
          // The key makes a second try safe: where the first one arrived, it attaches to the same turn.
          const broken = !(error instanceof ApiError) || error.unreachable;
          if (!broken || left === 0) return reject(error);
          await new Promise((wait) => setTimeout(wait, 700));
          await attempt(left - 1);
        }
      };
      attempt(1);
    });
  }

  function follow(turnId: string, sessionId: string): void {
    if (followed.has(turnId)) return;
    followed.add(turnId);
    run({ turnId }).catch(async () => {
      // The server refused to tell more: the session says how the turn stands, after a pause.
      await new Promise((wait) => setTimeout(wait, 2000));
      client.invalidateQueries({ queryKey: sessionKey(sessionId) });
    });
  }

  return {
    start,
    follow,
    snapshot: () => shown,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
