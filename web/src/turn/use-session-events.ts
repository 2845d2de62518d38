/** What happens in a session beside this tab's own turns: a vote, a turn or a title from another tab, and who is there. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { openStream } from "@/api/client";
import type { SessionEvent } from "@/api/events";
import { ApiError } from "@/api/problem";
import { presentQuery, sessionKey, sessionsKey } from "@/api/queries";
import { readEvents } from "@/api/sse";
import { useTurns } from "@/turn/turns-context";

/** Listen while the tab is visible: browsers allow few connections, and a hidden tab needs none. */
export function useSessionEvents(sessionId: string): void {
  const client = useQueryClient();
  const turns = useTurns();
  useEffect(() => {
    let controller = new AbortController();
    const refresh = () => client.invalidateQueries({ queryKey: sessionKey(sessionId) });
    const onEvent = (event: SessionEvent) => {
      // This tab's own turns are told here too; its request is given a moment to get ahead.
      if (event.kind === "turn.added") setTimeout(() => turns.follow(event.turn_id, sessionId), 400);
      if (event.kind === "people.present")
        client.setQueryData(presentQuery(sessionId).queryKey, event.person_ids);
      if (event.kind === "match.revealed") {
        refresh();
        client.invalidateQueries({ queryKey: sessionsKey });
      }
      if (event.kind === "session.changed") {
        // A deleted session is forgotten, so that the page asks for it and hears that it is gone.
        if (event.deleted) client.resetQueries({ queryKey: sessionKey(sessionId) });
        else refresh();
        client.invalidateQueries({ queryKey: sessionsKey });
      }
    };
    const listen = () => {
      controller.abort();
      if (document.hidden) return;
      controller = new AbortController();
      follow(`/api/sessions/${sessionId}/events`, onEvent, refresh, controller.signal);
    };
    listen();
    document.addEventListener("visibilitychange", listen);
    return () => {
      document.removeEventListener("visibilitychange", listen);
      controller.abort();
    };
  }, [client, turns, sessionId]);
}

async function follow(
  path: string,
  onEvent: (event: SessionEvent) => void,
  onReconnect: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const body = await openStream(path, { signal });
      // This stream has no snapshot: whatever happened while nobody listened is read again.
      if (failures > 0) onReconnect();
      for await (const event of readEvents<SessionEvent>(body)) {
        failures = 0;
        onEvent(event);
      }
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) return;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(15_000, 1000 * 2 ** failures)));
  }
}
