/** Was it worth it? An ensemble beside its best member, by blind votes and cost. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { modelStatsQuery } from "@/api/standings";
import type { DecisionView, EnsembleWorth } from "@/api/standings-types";
import { VotesNeeded } from "@/features/standings/decision-line";
import { formatFactor } from "@/lib/format";

/** The comparison of the ensemble that is this model; nothing until it is known, and for other models. */
export function WorthOf({ model, titled = false }: { model: string; titled?: boolean }) {
  const { data } = useQuery(modelStatsQuery(model));
  if (!data?.worth) return null;
  return (
    <>
      {titled && <b className="font-medium text-ink">Was it worth it? </b>}
      <WorthLine model={model} worth={data.worth} />
    </>
  );
}

export function WorthLine({ model, worth }: { model: string; worth: EnsembleWorth }) {
  const { best, decision, cost_factor: cost } = worth;
  if (!best) return "Not known yet: none of its members has blind votes.";
  const name = (
    <Link
      to="/head-to-head/$a/$b"
      params={{ a: model, b: best.id }}
      className="text-ink underline underline-offset-2"
    >
      {best.name}
    </Link>
  );
  if (!decision?.comparable)
    return (
      <>Not known yet: no blind votes connect it with {name}, its best member. Vote on battles to find out.</>
    );
  const points = Math.round(decision.lead);
  return (
    <>
      In blind battles it {decision.model === model ? "leads" : "trails"} {name}, its best member, by{" "}
      <Figure>{points === 1 ? "1 point" : `${points} points`}</Figure> (95% interval{" "}
      <span className="num">{intervalOf(decision)}</span>)
      {cost !== null && (
        <>
          , at <Figure>{formatFactor(cost)}</Figure> the cost per reply
        </>
      )}
      . {cost === null && "Costs can’t be compared, since prices are missing. "}
      {decision.decided ? "That is settled." : <VotesNeeded decision={decision} />}
    </>
  );
}

const intervalOf = ({ lead_low, lead_high }: DecisionView) => `${signed(lead_low)} to ${signed(lead_high)}`;

const signed = (points: number | null) => String(Math.round(points ?? 0)).replace("-", "−");

const Figure = ({ children }: { children: ReactNode }) => (
  <b className="num font-semibold text-ink">{children}</b>
);
