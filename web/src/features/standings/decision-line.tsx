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
  const open = !decision.decided;
  const enough = decision.votes_needed !== null && decision.votes_needed <= MOST_VOTES;
  return (
    <>
      {decision.decided && STRINGS.decided}
      {filled(STRINGS.better, {
        first: ahead,
        second: other,
        chance: <Strong>{formatChance(decision.better)}</Strong>,
      })}
      {open &&
        enough &&
        filled(STRINGS.votesNeeded, { votes: <Strong>{moreVotes(decision.votes_needed ?? 0)}</Strong> })}
      {open && !enough && STRINGS.tooClose}
      {decision.flip_votes !== null &&
        STRINGS.couldFlip(
          decision.flip_votes === 1 ? STRINGS.oneVote : STRINGS.manyVotes(formatCount(decision.flip_votes)),
        )}
    </>
  );
}

const moreVotes = (count: number) =>
  count === 1 ? STRINGS.oneMoreVote : STRINGS.moreVotes(formatAbout(count));

const Name = ({ children }: { children: ReactNode }) => <b className="font-semibold text-ink">{children}</b>;

const Strong = ({ children }: { children: ReactNode }) => (
  <b className="num font-semibold text-ink">{children}</b>
);
