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
        {ahead} and {other} never met, not even through other models, so nobody can say yet. A battle between
        them would begin it.
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
          between them would settle it
          {decision.flip_votes === null ? ". " : "; "}
        </>
      )}
      {open && !enough && "They are too close for a guess at how many votes it takes. "}
      {decision.flip_votes !== null && (
        <>
          {formatCount(decision.flip_votes)} {decision.flip_votes === 1 ? "vote" : "votes"} fewer would turn
          it round.
        </>
      )}
    </>
  );
}

const Name = ({ children }: { children: ReactNode }) => <b className="font-semibold text-ink">{children}</b>;

const Strong = ({ children }: { children: ReactNode }) => (
  <b className="num font-semibold text-ink">{children}</b>
);
