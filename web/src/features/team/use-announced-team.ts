/** Tells screen readers that a round has ended, that the team waits, and the recommendation; never single words. */

import { useEffect, useRef } from "react";
import type { TeamView } from "@/features/team/read-team";
import { STRINGS } from "@/features/team/strings";
import { announce } from "@/lib/toast-store";

const MOST = 600;

export function useAnnouncedTeam(view: TeamView, last: boolean): void {
  const ended = view.rounds.filter(({ end }) => end).length;
  const before = useRef({ ended, running: view.running });
  useEffect(() => {
    const was = before.current;
    before.current = { ended, running: view.running };
    if (!last) return;
    const round = view.rounds.findLast(({ end }) => end);
    const finished =
      round && ended > was.ended && !round.synthesis
        ? STRINGS.announceRound(round.number, STRINGS.statements(round.statements.length))
        : "";
    if (!was.running || view.running) return finished ? announce(finished) : undefined;
    announce([finished, endingOf(view)].filter(Boolean).join(" "));
  }, [view, ended, last]);
}

function endingOf(view: TeamView): string {
  const turn = view.turns.at(-1)?.turn;
  if (turn?.status === "failed") return turn.error?.title ?? STRINGS.failed;
  if (turn?.status === "stopped") return STRINGS.announceStopped;
  if (view.paused) return STRINGS.announcePaused;
  const note = view.synthesis?.note;
  return note
    ? STRINGS.announceFinished(
        note.recommendation
          .map(({ text }) => text)
          .join(" ")
          .slice(0, MOST),
      )
    : "";
}
