/** A past turn once more, at its own pace: step by step, as its models were asked. */

import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useMemo } from "react";
import { replayQuery } from "@/api/votes";
import { PageHeader } from "@/components/page-header";
import { PageProblem } from "@/features/standings/page-problem";
import { stepsOf } from "@/features/votes/reel";
import { ReelPlayer } from "@/features/votes/reel-player";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

const stepOf = (step: number, steps: number) => `Step ${step} of ${steps}`;

export function TurnReplayPage() {
  const { turn: turnId } = useParams({ from: "/turns/$turn/replay" });
  const { data: replay, error } = useQuery(replayQuery(turnId));
  const reel = useMemo(() => (replay ? stepsOf(replay) : null), [replay]);
  useTitle("Replay");
  if (error && !replay) return <PageProblem error={error} />;
  return (
    <>
      <PageHeader>
        {replay && (
          <Button asChild variant="quiet">
            <Link to="/s/$session" params={{ session: replay.session_id }} search={{}} hash={turnId}>
              <ArrowLeft aria-hidden="true" />
              Session
            </Link>
          </Button>
        )}
        <h1 className="truncate text-base font-semibold">Replay</h1>
        <span className="flex-1" />
      </PageHeader>
      {reel ? <ReelPlayer reel={reel} open of={stepOf} /> : <Skeleton className="m-5 flex-1 rounded-lg" />}
    </>
  );
}
