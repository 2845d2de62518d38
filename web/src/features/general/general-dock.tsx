/** What stands under a match of any mode: a ballot on the whole of it, or a way on after a bad end. */
import type { MatchRecord } from "@/api/types";
import { HealthLink } from "@/features/arena/health-link";
import { lastTurn } from "@/features/arena/mode-feature";
import { Notice } from "@/features/arena/notice";
import { useDrawAgain } from "@/features/arena/use-turn-actions";
import { ChoiceRow } from "@/features/panels/choice-row";
import { EndedEarly, RetryTurn } from "@/features/rounds/ending";
import { Button } from "@/ui/button";

export function GeneralDock({ record }: { record: MatchRecord }) {
  const { match } = record;
  const turn = lastTurn(record);
  const drawAgain = useDrawAgain(match);
  if (!turn) return null;
  if (match.status === "void") {
    const problem = match.void ?? turn.error;
    return (
      <Notice
        alert
        title={problem?.title ?? "Match void."}
        detail={problem?.detail ?? "No vote was counted."}
      >
        <Button disabled={drawAgain.isPending} onClick={() => drawAgain.mutate(turn)}>
          Draw again
        </Button>
        <HealthLink />
      </Notice>
    );
  }
  if ((turn.status === "stopped" || turn.status === "failed") && match.status === "open") {
    return (
      <EndedEarly
        turn={turn}
        stopped="Answers stopped."
        failed="The turn failed."
        saved="Finished answers are saved. Retry asks only the models that are missing."
      >
        <RetryTurn turn={turn} variant="primary" />
      </EndedEarly>
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
