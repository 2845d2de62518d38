import { Link } from "@tanstack/react-router";
import { useMayManage } from "@/api/permissions";
import type { BoardPrior, Leaderboard } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { counted, formatCount } from "@/lib/format";
import { Button } from "@/ui/button";

const VERDICTS = {
  helps: "The prior helps so far: your votes are forecast better with it.",
  harms: "The prior makes the forecast worse: your votes are forecast better without it.",
  unclear: "Not clear yet whether the prior helps to forecast your votes.",
} as const;

interface PriorCardProps {
  board: Leaderboard;
  onEdit: () => void;
}

/** Published results that the table starts from; whoever runs the server can set, change and remove them. */
export function PriorCard({ board, onEdit }: PriorCardProps) {
  const mayManage = useMayManage();
  const { prior } = board;
  const maySet = mayManage && board.category === "overall" && board.method === "bradley-terry";
  if (!prior && !maySet) return null;
  return (
    <Panel
      title="Public prior"
      className="flex-[1_1_28rem]"
      aside={
        maySet && (
          <Button size="sm" onClick={onEdit}>
            {prior ? "Change" : "Set prior"}
          </Button>
        )
      }
    >
      {prior ? (
        <Effect prior={prior} />
      ) : (
        <p className="max-w-read text-ink-2">
          None. The table can start from published results, with a weight that you choose. Your own votes
          outweigh them over time.
        </p>
      )}
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
      Starts from {prior.source}: counts as {counted(weight, "vote")} (own votes:{" "}
      {formatCount(prior.own_votes)}).{" "}
      {inUse < weight && `${formatCount(inUse)} of them count so far, those between models with own votes. `}
      {forecast
        ? VERDICTS[forecast.verdict]
        : "Not known yet whether the prior helps to forecast your votes."}{" "}
      {forecast &&
        `Log loss: ${forecast.loss_with.toFixed(3)} with it, ${forecast.loss_without.toFixed(3)} without, on ${counted(forecast.votes, "vote")} held out. `}
      <Link
        to="/leaderboard/method"
        className="rounded-xs text-ink underline underline-offset-3 hover:text-accent"
      >
        How the prior counts
      </Link>
    </p>
  );
}
