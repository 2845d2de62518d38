/** Follows the standings: when they change, everything that shows them is read again. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { openStream } from "@/api/client";
import { ApiError } from "@/api/problem";
import { readEvents } from "@/api/sse";
import { leaderboardsKey, standingsKey } from "@/api/standings";
import type { Leaderboard, StandingsEvent } from "@/api/standings-types";
import { votesKey } from "@/api/votes";
import { throttle } from "@/lib/throttle";

export type Liveness = "connecting" | "live" | "off";

/** The shortest time between two readings, so that a run of votes does not become a run of requests. */
const CALM_MS = 400;

/** Listen while the tab is visible: browsers allow few connections, and a hidden tab needs none. */
export function useLiveStandings(): Liveness {
  const client = useQueryClient();
  const [state, setState] = useState<Liveness>("connecting");
  useEffect(() => {
    let controller = new AbortController();
    const refresh = throttle(() => readAgain(client), CALM_MS);
    const onEvent = (event: StandingsEvent) => {
      if (event.kind === "standings.changed" && isNewer(client, event.version)) refresh.soon();
    };
    const listen = () => {
      controller.abort();
      if (document.hidden) return;
      controller = new AbortController();
      follow(onEvent, setState, controller.signal);
    };
    listen();
    document.addEventListener("visibilitychange", listen);
    return () => {
      document.removeEventListener("visibilitychange", listen);
      controller.abort();
      refresh.stop();
    };
  }, [client]);
  return state;
}

/** A stream starts with the current standings: newer only if something older is shown. */
function isNewer(client: QueryClient, version: number): boolean {
  const leaderboards = client.getQueriesData<Leaderboard>({ queryKey: leaderboardsKey, type: "active" });
  const known = leaderboards.flatMap(([, table]) => (table ? [table.version] : []));
  return known.length === 0 || known.some((each) => each !== version);
}

function readAgain(client: QueryClient): void {
  client.invalidateQueries({ queryKey: standingsKey });
  client.invalidateQueries({ queryKey: votesKey });
}

async function follow(
  onEvent: (event: StandingsEvent) => void,
  onState: (state: Liveness) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const body = await openStream("/api/leaderboard/events", { signal });
      onState("live");
      for await (const event of readEvents<StandingsEvent>(body)) {
        failures = 0;
        onEvent(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) return onState("off");
    }
    if (!signal.aborted) onState("connecting");
    await new Promise((resolve) => setTimeout(resolve, Math.min(15_000, 1000 * 2 ** failures)));
  }
}
