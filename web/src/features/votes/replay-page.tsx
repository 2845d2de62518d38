/** A past battle once more, at its own pace: first the answers, then the vote and the names. */

import { useQueries, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft, Award } from "lucide-react";
import { useMemo } from "react";
import { sessionQuery } from "@/api/queries";
import { replayQuery, type VoteCard, voteQuery } from "@/api/votes";
import { PageHeader } from "@/components/page-header";
import { PageProblem } from "@/features/standings/page-problem";
import { buildReel, type Reel } from "@/features/votes/reel";
import { ReelPlayer } from "@/features/votes/reel-player";
import { whyNotCounted } from "@/lib/not-counted";
import { useTitle } from "@/lib/use-title";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

const turnOf = (turn: number, turns: number) => `Turn ${turn} of ${turns}`;

export function ReplayPage() {
  const { vote: voteId } = useParams({ from: "/votes/$vote/replay" });
  const { data: vote, error } = useQuery(voteQuery(voteId));
  const { reel, problem } = useReel(vote);
  useTitle("Replay");
  const back = (
    <Button asChild variant="quiet">
      <Link to="/votes">
        <ArrowLeft aria-hidden="true" />
        My votes
      </Link>
    </Button>
  );
  if (error && !vote) return <PageProblem error={error}>{back}</PageProblem>;
  if (problem) return <PageProblem error={problem}>{back}</PageProblem>;
  return (
    <>
      <PageHeader>
        {back}
        <h1 className="truncate text-base font-semibold">Replay</h1>
        <span className="flex-1" />
        {vote?.session_id && (
          <Button asChild variant="quiet" className="max-sm:hidden">
            <Link to="/s/$session" params={{ session: vote.session_id }} search={{}}>
              Open session
            </Link>
          </Button>
        )}
      </PageHeader>
      {vote && vote.turn_id === null && (
        <p className="m-auto max-w-md p-6 text-center text-ink-2">
          Nothing to replay:{" "}
          {vote.origin === "import" ? "this vote was imported from a file" : "its session was deleted"}. The
          vote is still saved.
        </p>
      )}
      {vote?.turn_id &&
        (reel ? (
          <ReelPlayer reel={reel} of={turnOf} preferred={vote.choice} outcome={<Outcome vote={vote} />} />
        ) : (
          <Skeleton className="m-5 flex-1 rounded-lg" />
        ))}
    </>
  );
}

/** The turns of the vote's match, each with its pace. */
function useReel(vote: VoteCard | undefined): { reel: Reel | null; problem: unknown } {
  const session = useQuery({ ...sessionQuery(vote?.session_id ?? ""), enabled: Boolean(vote?.session_id) });
  const match = session.data?.matches.find((record) => record.match.id === vote?.match_id);
  const turns = match?.turns.map((turn) => turn.id) ?? [];
  const replays = useQueries({
    queries: turns.map((id) => replayQuery(id)),
    combine: (results) => ({
      data: results.flatMap((result) => (result.data ? [result.data] : [])),
      problem: results.find((result) => result.error)?.error ?? null,
    }),
  });
  const complete = turns.length > 0 && replays.data.length === turns.length;
  const reel = useMemo(() => (complete ? buildReel(replays.data) : null), [complete, replays.data]);
  return { reel, problem: session.error ?? replays.problem };
}

function Outcome({ vote }: { vote: VoteCard }) {
  const picked = vote.seats.find(({ seat }) => seat === vote.choice)?.model;
  const text =
    vote.choice === "tie"
      ? "You voted for a tie."
      : vote.choice === "both_bad"
        ? "You voted “Both are bad”."
        : `You voted for ${picked?.name ?? vote.choice}.`;
  return (
    <p className="animate-slide-in text-sm">
      <span className="inline-flex items-center gap-2 font-medium text-gold">
        <Award aria-hidden="true" className="size-4" />
        {text}
      </span>
      {vote.reason && <span className="ml-2 text-ink-2">“{vote.reason}”</span>}
      {!vote.counted && <span className="ml-2 text-ink-2">{whyNotCounted(vote.not_counted_reason)}</span>}
    </p>
  );
}
