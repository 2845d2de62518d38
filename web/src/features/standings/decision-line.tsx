import type { ReactNode } from "react";
import type { DecisionView } from "@/api/standings-types";
import { STRINGS } from "@/features/standings/strings";
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
  const open = !decision.decided;
  const enough = decision.votes_needed !== null && decision.votes_needed <= MOST_VOTES;
  return (
    <>
      {decision.decided && "Yes. "}
      {ahead} is better than {other} with probability <Strong>{formatChance(decision.better)}</Strong>.{" "}
      {open && enough && (
        <>
          About{" "}
          <Strong>
            {formatAbout(decision.votes_needed ?? 0)} more {decision.votes_needed === 1 ? "vote" : "votes"}
          </Strong>{" "}
          between them would settle it.{" "}
        </>
      )}
      {open && !enough && "They are too close to estimate how many more votes it takes. "}
      {decision.flip_votes !== null && (
        <>
          {decision.flip_votes === 1 ? STRINGS.oneVote : STRINGS.manyVotes(formatCount(decision.flip_votes))}{" "}
          could change the order.
        </>
      )}
    </>
  );
}

const Name = ({ children }: { children: ReactNode }) => <b className="font-semibold text-ink">{children}</b>;

const Strong = ({ children }: { children: ReactNode }) => (
  <b className="num font-semibold text-ink">{children}</b>
);
