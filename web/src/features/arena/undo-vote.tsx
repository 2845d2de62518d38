/** The ten seconds in which a vote can be undone, and what is said before and after. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useMayWrite } from "@/api/permissions";
import { asApiError } from "@/api/problem";
import { sessionKey } from "@/api/queries";
import type { VoteView } from "@/api/types";
import { votesKey, withdrawVote } from "@/api/votes";
import { isWithdrawn } from "@/features/arena/vote-status";
import { announce, showToast } from "@/lib/toast-store";
import { endUndo, UNDO_S, useUndoUntil } from "@/lib/undo-store";
import { Button } from "@/ui/button";

const VOTE_WITHDRAWN = "Vote withdrawn. It doesn’t count.";

interface UndoVoteProps {
  vote: VoteView;
  session: string;
  /** What undoing does, where it is not to take the vote back. */
  onUndo?: () => void;
  /** What to do to vote again, once it is withdrawn. */
  again?: string;
}

/** Nothing, once the time is over. */
export function UndoVote({ vote, session, onUndo, again }: UndoVoteProps) {
  const cast = useUndoUntil(vote.vote_id);
  const [saved] = useState(() => (cast === null ? untilAfter(vote.created_at) : null));
  const until = cast ?? saved;
  const left = useSecondsLeft(until);
  const { mutate, isPending } = useWithdrawal(session);
  const place = useRef<HTMLParagraphElement>(null);
  const mayWrite = useMayWrite();
  const here = cast !== null;
  // Where the window is low, what follows a vote may be below its edge.
  useEffect(() => {
    if (here) place.current?.scrollIntoView({ block: "nearest" });
  }, [here]);
  if (isWithdrawn(vote))
    return <p className="text-sm text-ink-2">{[VOTE_WITHDRAWN, again].filter(Boolean).join(" ")}</p>;
  if (until === null || !mayWrite || (left <= 0 && !isPending)) return null;
  return (
    <p ref={place} className="flex scroll-mb-4 items-center gap-2 text-sm text-ink-2">
      <span className="in-[[data-commands]]:max-sm:hidden">Vote saved.</span>
      <Button size="sm" disabled={isPending} onClick={() => (onUndo ? onUndo() : mutate(vote.vote_id))}>
        <Undo2 aria-hidden="true" />
        Undo
        <span aria-hidden="true" className="num text-ink-3">
          ({Math.max(left, 0)} s)
        </span>
      </Button>
    </p>
  );
}

/** Until when a vote can be undone that was saved before this page was loaded, or in another tab. */
function untilAfter(savedAt: string): number | null {
  const left = UNDO_S * 1000 - (Date.now() - Date.parse(savedAt));
  return left > 0 ? performance.now() + Math.min(left, UNDO_S * 1000) : null;
}

function useSecondsLeft(until: number | null): number {
  const [now, setNow] = useState(() => performance.now());
  const left = until === null ? 0 : Math.ceil((until - now) / 1000);
  const running = left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [running]);
  return left;
}

/** Takes a vote of a session back, by its id. */
export function useWithdrawal(session: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: withdrawVote,
    onSuccess: () => announce(VOTE_WITHDRAWN),
    onError: (error) => {
      const { message, detail } = asApiError(error);
      showToast(["Your vote stays.", message, detail].filter(Boolean).join(" "), { tone: "bad" });
    },
    onSettled: async (_vote, _error, voteId) => {
      await client.invalidateQueries({ queryKey: sessionKey(session) });
      endUndo();
      client.invalidateQueries({ queryKey: ["vote", voteId] });
      client.invalidateQueries({ queryKey: votesKey });
    },
  });
}
