import type { ReactNode } from "react";
import type { DecisionView } from "@/api/standings-types";
import { STRINGS } from "@/features/standings/strings";
import { filled } from "@/lib/filled";
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
    return filled(STRINGS.notComparable, { first: ahead, second: other });
  }
  return (
    <>
      {decision.decided && STRINGS.decided}
      {filled(STRINGS.better, {
        first: ahead,
        second: other,
        chance: <Strong>{formatChance(decision.better)}</Strong>,
      })}
      {!decision.decided && <VotesNeeded decision={decision} />}
      {decision.flip_votes !== null &&
        STRINGS.couldFlip(
          decision.flip_votes === 1 ? STRINGS.oneVote : STRINGS.manyVotes(formatCount(decision.flip_votes)),
        )}
    </>
  );
}

/** How many votes would settle an open decision. */
export function VotesNeeded({ decision: { votes_needed: votes } }: { decision: DecisionView }) {
  if (votes === null || votes > MOST_VOTES) return STRINGS.tooClose;
  return filled(STRINGS.votesNeeded, { votes: <Strong>{moreVotes(votes)}</Strong> });
}

const moreVotes = (count: number) =>
  count === 1 ? STRINGS.oneMoreVote : STRINGS.moreVotes(formatAbout(count));

const Name = ({ children }: { children: ReactNode }) => <b className="font-semibold text-ink">{children}</b>;

const Strong = ({ children }: { children: ReactNode }) => (
  <b className="num font-semibold text-ink">{children}</b>
);
