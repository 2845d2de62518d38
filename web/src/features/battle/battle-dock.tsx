/** What stands under a battle: who is writing, the ballot, the verdict, or a way out. */

import type { MatchRecord } from "@/api/types";
import { HealthLink } from "@/components/health-link";
import { lastTurn } from "@/features/arena/mode-feature";
import { Notice } from "@/features/arena/notice";
import { useDrawAgain, useRetry } from "@/features/arena/use-turn-actions";
import { Ballot } from "@/features/battle/ballot";
import { Verdict } from "@/features/battle/lazy-parts";
import { STRINGS } from "@/features/battle/strings";
import { Button } from "@/ui/button";

export function BattleDock({ record }: { record: MatchRecord }) {
  const { match } = record;
  const turn = lastTurn(record);
  const drawAgain = useDrawAgain(match.mode);
  const retry = useRetry();
  if (!turn) return null;
  if (match.vote) return <Verdict match={match} vote={match.vote} turn={turn} />;
  const again = (
    <Button disabled={drawAgain.isPending} onClick={() => drawAgain.mutate(turn)}>
      {STRINGS.drawAgain}
    </Button>
  );
  if (match.status === "void") {
    const problem = match.void ?? turn.error;
    return (
      <Notice
        alert
        title={problem?.title ?? STRINGS.battleVoid}
        detail={problem?.detail ?? STRINGS.noVoteCounted}
      >
        {again}
        <HealthLink />
      </Notice>
    );
  }
  if (turn.status === "stopped" || turn.status === "failed") {
    return (
      <Notice title={ENDED[turn.status]} detail={WAYS_ON}>
        <Button variant="primary" disabled={retry.isPending} onClick={() => retry.mutate(turn)}>
          {STRINGS.retry}
        </Button>
        {again}
      </Notice>
    );
  }
  return match.ballot?.open ? <Ballot match={match} turn={turn} /> : <Writing />;
}

const WAYS_ON = STRINGS.retryHint;

const ENDED = {
  stopped: STRINGS.answersStopped,
  failed: STRINGS.answersIncomplete,
};

function Writing() {
  return (
    <p className="flex min-h-9 items-center justify-center gap-2.5 text-sm text-ink-3">
      <span aria-hidden="true" className="flex gap-1">
        <i className="size-1.5 animate-shimmer rounded-full" style={{ background: "var(--seat-a)" }} />
        <i
          className="size-1.5 animate-shimmer rounded-full [animation-delay:0.5s]"
          style={{ background: "var(--seat-b)" }}
        />
      </span>
      {STRINGS.answering}
    </p>
  );
}
