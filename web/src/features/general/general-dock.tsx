/** What stands under a match of any mode: a ballot on the whole of it, or a way on after a bad end. */
import type { MatchRecord } from "@/api/types";
import { HealthLink } from "@/components/health-link";
import { lastTurn } from "@/features/arena/mode-feature";
import { Notice } from "@/features/arena/notice";
import { useDrawAgain, useRetry } from "@/features/arena/use-turn-actions";
import { STRINGS } from "@/features/general/strings";
import { ChoiceRow } from "@/features/panels/choice-row";
import { Button } from "@/ui/button";

export function GeneralDock({ record }: { record: MatchRecord }) {
  const { match } = record;
  const turn = lastTurn(record);
  const retry = useRetry();
  const drawAgain = useDrawAgain(match.mode);
  if (!turn) return null;
  if (match.status === "void") {
    const problem = match.void ?? turn.error;
    return (
      <Notice
        alert
        title={problem?.title ?? STRINGS.matchVoid}
        detail={problem?.detail ?? STRINGS.noVoteCounted}
      >
        <Button disabled={drawAgain.isPending} onClick={() => drawAgain.mutate(turn)}>
          {STRINGS.drawAgain}
        </Button>
        <HealthLink />
      </Notice>
    );
  }
  if ((turn.status === "stopped" || turn.status === "failed") && match.status === "open") {
    return (
      <Notice
        title={turn.status === "stopped" ? STRINGS.answersStopped : (turn.error?.title ?? STRINGS.failed)}
        detail={turn.status === "stopped" ? STRINGS.retryHint : (turn.error?.detail ?? STRINGS.answersSaved)}
        tone={turn.status === "failed" ? "bad" : "plain"}
      >
        <Button variant="primary" disabled={retry.isPending} onClick={() => retry.mutate(turn)}>
          {STRINGS.retry}
        </Button>
      </Notice>
    );
  }
  const { ballot } = match;
  const vote = match.vote ?? null;
  if (!ballot || ballot.each_turn || !(ballot.open || vote)) return null;
  return (
    <ChoiceRow
      match={match}
      turn={null}
      vote={vote}
      seats={match.seats.filter(({ name }) => ballot.choices.includes(name))}
      words={ballot.choices.filter((choice) => !match.seats.some(({ name }) => name === choice))}
      last
    />
  );
}
