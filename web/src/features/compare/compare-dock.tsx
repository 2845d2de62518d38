/** What stands under a comparison: a way on after a bad end. */

import type { MatchRecord } from "@/api/types";
import { lastTurn } from "@/features/arena/mode-feature";
import { Notice } from "@/features/arena/notice";
import { useRetry } from "@/features/arena/use-turn-actions";
import { Button } from "@/ui/button";

export function CompareDock({ record }: { record: MatchRecord }) {
  const turn = lastTurn(record);
  const retry = useRetry();
  if (turn?.status !== "stopped" && turn?.status !== "failed") return null;
  const stopped = turn.status === "stopped";
  return (
    <Notice
      title={stopped ? "Answers stopped." : (turn.error?.title ?? "The turn failed.")}
      detail={
        stopped
          ? "Finished answers are saved. Retry asks only the models that are missing."
          : (turn.error?.detail ?? "Finished answers are saved.")
      }
      tone={stopped ? "plain" : "bad"}
    >
      <Button variant="primary" disabled={retry.isPending} onClick={() => retry.mutate(turn)}>
        Retry
      </Button>
    </Notice>
  );
}
