/** Plays a question once more, on the page where it stands. */

import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { asApiError } from "@/api/problem";
import type { TurnView } from "@/api/types";
import { replayQuery } from "@/api/votes";
import { type Player, usePlayer } from "@/features/panels/use-player";
import type { TeamView } from "@/features/team/read-team";
import { type Score, scoreOf, turnsAt } from "@/features/team/replay";
import { calm } from "@/lib/motion";

export interface Replay {
  /** Whether the reader has asked for it. */
  on: boolean;
  switchOn: (on: boolean) => void;
  /** The turns as they stood at the player's time; null until their pace is known. */
  turns: TurnView[] | null;
  player: Player;
  duration: number;
  problem: string | null;
}

const NOTHING: Score = { parts: new Map(), duration: 0 };

export function useReplay(view: TeamView, turns: readonly TurnView[]): Replay {
  const [on, switchOn] = useState(false);
  const { replies, error } = useQueries({
    queries: on ? turns.map(({ id }) => replayQuery(id)) : [],
    combine: (results) => ({
      replies: results.every(({ data }) => data) ? results.flatMap(({ data }) => data?.replies ?? []) : null,
      error: results.find((result) => result.error)?.error ?? null,
    }),
  });
  const ready = on && replies !== null;
  const score = useMemo(() => (ready ? scoreOf(view, replies) : NOTHING), [ready, replies, view]);
  const player = usePlayer(score.duration, !calm());
  const { at } = player;
  const shown = useMemo(() => (ready ? turnsAt(turns, score, at) : null), [ready, turns, score, at]);
  return {
    on,
    switchOn,
    turns: shown,
    player,
    duration: score.duration,
    problem: error && asApiError(error).message,
  };
}
