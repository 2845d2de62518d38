/** What stands under a battle: who is writing, the ballot, the verdict, or a way out. */

import type { MatchRecord } from "@/api/types";
import { HealthLink } from "@/features/arena/health-link";
import { lastTurn } from "@/features/arena/mode-feature";
import { Notice } from "@/features/arena/notice";
import { useDrawAgain, useRetry } from "@/features/arena/use-turn-actions";
import { Ballot } from "@/features/battle/ballot";
import { useRedraw } from "@/features/battle/use-redraw";
import { Verdict } from "@/features/battle/verdict";
import { Button } from "@/ui/button";

export function BattleDock({ record }: { record: MatchRecord }) {
  const { match } = record;
  const turn = lastTurn(record);
  const drawAgain = useDrawAgain(match);
  const retry = useRetry();
  useRedraw(record, drawAgain);
  if (!turn) return null;
  if (match.vote) return <Verdict match={match} vote={match.vote} turn={turn} />;
  const again = (
    <Button disabled={drawAgain.isPending} onClick={() => drawAgain.mutate(turn)}>
      Draw again
    </Button>
  );
  if (match.status === "void") {
    const problem = match.void ?? turn.error;
    return (
      <Notice
        alert
        title={problem?.title ?? "Battle void."}
        detail={problem?.detail ?? "No vote was counted."}
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
          Retry
        </Button>
        {again}
      </Notice>
    );
  }
  return match.ballot?.open ? (
    <Ballot match={match} turn={turn} />
  ) : (
    <Writing tools={match.brief.tools === true} />
  );
}

const WAYS_ON = "Finished answers are saved. Retry asks the same two models. Draw again picks new ones.";

const ENDED = {
  stopped: "Answers stopped.",
  failed: "The answers are incomplete.",
};

function Writing({ tools }: { tools: boolean }) {
  return (
    // As high as the ballot that takes its place.
    <p className="ballot-place">
      <span aria-hidden="true" className="flex gap-1">
        <i className="size-1.5 animate-shimmer rounded-full" style={{ background: "var(--seat-a)" }} />
        <i
          className="size-1.5 animate-shimmer rounded-full [animation-delay:0.5s]"
          style={{ background: "var(--seat-b)" }}
        />
      </span>
      <span>
        {tools
          ? "Both models are answering and may call tools. Their answers appear together."
          : "Both models are answering. You can vote when they’re done."}
      </span>
    </p>
  );
}
