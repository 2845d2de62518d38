import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { flaggedVotersQuery } from "@/api/standings";
import type { BoardPrior, Leaderboard } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { STRINGS } from "@/features/leaderboard/strings";
import { counted, formatCount } from "@/lib/format";
import { Button } from "@/ui/button";

interface PriorCardProps {
  board: Leaderboard;
  onEdit: () => void;
}

/** Published results that the table starts from; whoever runs the server can set, change and remove them. */
export function PriorCard({ board, onEdit }: PriorCardProps) {
  const { isSuccess: mayManage } = useQuery(flaggedVotersQuery);
  const { prior } = board;
  const maySet = mayManage && board.category === "overall" && board.method === "bradley-terry";
  if (!prior && !maySet) return null;
  return (
    <Panel
      title={STRINGS.priorTitle}
      className="lg:col-span-2"
      aside={
        maySet && (
          <Button size="sm" onClick={onEdit}>
            {prior ? STRINGS.priorChange : STRINGS.priorSet}
          </Button>
        )
      }
    >
      {prior ? <Effect prior={prior} /> : <p className="max-w-read text-ink-2">{STRINGS.priorNone}</p>}
    </Panel>
  );
}

/** What the results weigh, and whether they help. */
function Effect({ prior }: { prior: BoardPrior }) {
  const { forecast } = prior;
  const weight = Math.round(prior.weight);
  const inUse = Math.round(prior.in_use);
  return (
    <p className="num max-w-read text-ink-2">
      {STRINGS.prior(prior.source, counted(weight, "vote"), formatCount(prior.own_votes))}{" "}
      {inUse < weight && `${STRINGS.priorInUse(formatCount(inUse))} `}
      {forecast ? STRINGS.priorVerdict[forecast.verdict] : STRINGS.priorUnknown}{" "}
      {forecast &&
        `${STRINGS.priorLoss(
          forecast.loss_with.toFixed(3),
          forecast.loss_without.toFixed(3),
          counted(forecast.votes, "vote"),
        )} `}
      <Link
        to="/leaderboard/method"
        className="rounded-xs text-ink underline underline-offset-3 hover:text-accent"
      >
        {STRINGS.howThePriorCounts}
      </Link>
    </p>
  );
}
