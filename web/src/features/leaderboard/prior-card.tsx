import { Link } from "@tanstack/react-router";
import type { BoardPrior } from "@/api/standings-types";
import { Panel } from "@/components/panel";
import { STRINGS } from "@/features/leaderboard/strings";
import { counted, formatCount } from "@/lib/format";

/** Published results that the table starts from, what they weigh, and whether they help. */
export function PriorCard({ prior }: { prior: BoardPrior }) {
  const { forecast } = prior;
  const weight = Math.round(prior.weight);
  const inUse = Math.round(prior.in_use);
  return (
    <Panel title={STRINGS.priorTitle} className="lg:col-span-2">
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
    </Panel>
  );
}
