import type { ReactNode } from "react";
import type { DecisionView } from "@/api/standings-types";
import { formatAbout, formatChance, formatCount } from "@/lib/format";

/** More than anybody will ever cast between two models. */
const MOST_VOTES = 1_000_000;

interface DecisionLineProps {
  decision: DecisionView;
  nameOf: (id: string) => string;
}

/** Whether two models can be told apart already, and what it would take. */
export function DecisionLine({ decision, nameOf }: DecisionLineProps) {
  const ahead = <Name>{nameOf(decision.model)}</Name>;
  const other = <Name>{nameOf(decision.other)}</Name>;
  if (!decision.comparable) {
    return (
      <>
        {ahead} and {other} have no battles linking them, so they can’t be compared yet. Start one between
        them to compare.
      </>
    );
  }
  return (
    <>
      {decision.decided && "Yes. "}
      {ahead} is better than {other} with probability <Strong>{formatChance(decision.better)}</Strong>.{" "}
      {!decision.decided && <VotesNeeded decision={decision} />}
      {decision.flip_votes !== null &&
        `${decision.flip_votes === 1 ? "One vote" : `${formatCount(decision.flip_votes)} votes`} could change the order.`}
    </>
  );
}

/** How many votes would settle an open decision. */
export function VotesNeeded({ decision: { votes_needed: votes } }: { decision: DecisionView }) {
  if (votes === null || votes > MOST_VOTES)
    return "They are too close to estimate how many more votes it takes. ";
  return (
    <>
      If the lead is real, about <Strong>{moreVotes(votes)}</Strong> between them would settle it with 80%
      probability.{" "}
    </>
  );
}

const moreVotes = (count: number) => (count === 1 ? "1 more vote" : `${formatAbout(count)} more votes`);

const Name = ({ children }: { children: ReactNode }) => <b className="font-semibold text-ink">{children}</b>;

const Strong = ({ children }: { children: ReactNode }) => (
  <b className="num font-semibold text-ink">{children}</b>
);
