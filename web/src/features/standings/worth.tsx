/** Was it worth it? An ensemble beside its best member, by blind votes and cost. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { modelStatsQuery } from "@/api/standings";
import type { DecisionView, EnsembleWorth } from "@/api/standings-types";
import { VotesNeeded } from "@/features/standings/decision-line";
import { STRINGS } from "@/features/standings/strings";
import { filled } from "@/lib/filled";
import { formatFactor } from "@/lib/format";

/** The comparison of the ensemble that is this model; nothing until it is known, and for other models. */
export function WorthOf({ model, titled = false }: { model: string; titled?: boolean }) {
  const { data } = useQuery(modelStatsQuery(model));
  if (!data?.worth) return null;
  return (
    <>
      {titled && <b className="font-medium text-ink">{STRINGS.worthTitle} </b>}
      <WorthLine model={model} worth={data.worth} />
    </>
  );
}

export function WorthLine({ model, worth }: { model: string; worth: EnsembleWorth }) {
  const { best, decision, cost_factor: cost } = worth;
  if (!best) return STRINGS.worthNoVotes;
  const name = (
    <Link
      to="/head-to-head/$a/$b"
      params={{ a: model, b: best.id }}
      className="text-ink underline underline-offset-2"
    >
      {best.name}
    </Link>
  );
  if (!decision?.comparable) return filled(STRINGS.worthNotCompared, { best: name });
  return (
    <>
      {filled(decision.model === model ? STRINGS.worthLeads : STRINGS.worthTrails, {
        best: name,
        points: <Figure>{STRINGS.worthPoints(Math.round(decision.lead))}</Figure>,
        interval: <span className="num">{intervalOf(decision)}</span>,
        cost: cost === null ? STRINGS.worthCostUnknown : filled(STRINGS.worthCost, { cost: costOf(cost) }),
      })}
      {decision.decided ? STRINGS.worthSettled : <VotesNeeded decision={decision} />}
    </>
  );
}

const costOf = (factor: number) => <Figure>{formatFactor(factor)}</Figure>;

const intervalOf = ({ lead_low, lead_high }: DecisionView) =>
  STRINGS.worthInterval(signed(lead_low), signed(lead_high));

const signed = (points: number | null) => String(Math.round(points ?? 0)).replace("-", "−");

const Figure = ({ children }: { children: ReactNode }) => (
  <b className="num font-semibold text-ink">{children}</b>
);
