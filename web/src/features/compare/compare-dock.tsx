/** What stands under a comparison: a way on after a bad end. */

import type { MatchRecord } from "@/api/types";
import { lastTurn } from "@/features/arena/mode-feature";
import { Notice } from "@/features/arena/notice";
import { useRetry } from "@/features/arena/use-turn-actions";
import { STRINGS } from "@/features/compare/strings";
import { Button } from "@/ui/button";

export function CompareDock({ record }: { record: MatchRecord }) {
  const turn = lastTurn(record);
  const retry = useRetry();
  if (turn?.status !== "stopped" && turn?.status !== "failed") return null;
  const stopped = turn.status === "stopped";
  return (
    <Notice
      title={stopped ? STRINGS.answersStopped : (turn.error?.title ?? STRINGS.failed)}
      detail={stopped ? STRINGS.retryHint : (turn.error?.detail ?? STRINGS.answersSaved)}
      tone={stopped ? "plain" : "bad"}
    >
      <Button variant="primary" disabled={retry.isPending} onClick={() => retry.mutate(turn)}>
        {STRINGS.retry}
      </Button>
    </Notice>
  );
}
