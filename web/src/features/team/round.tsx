/** One round: what the person had said, whom a moderator chose, and the statements; past ones are folded. */

import { type CSSProperties, memo } from "react";
import type { MatchView } from "@/api/types";
import { InterjectionBubble } from "@/features/rounds/interjection-bubble";
import { Round } from "@/features/rounds/round";
import { ChoiceLine } from "@/features/team/choice-line";
import { type Expert, type PersonSaid, type Round as RoundView, tookMs } from "@/features/team/read-team";
import { StatementCard } from "@/features/team/statement-card";
import { EarlierSynthesis } from "@/features/team/synthesis-card";
import { listed, roleOf, roundTitle, saidTitle, statementCount } from "@/features/team/words";
import { formatMs } from "@/lib/format";

interface RoundProps {
  match: MatchView;
  round: RoundView;
  experts: readonly Expert[];
  /** Folded to one line unless it is open. */
  past: boolean;
  /** The newest synthesis stands at the question's end, and not here. */
  newest: boolean;
}

export const TeamRound = memo(function TeamRound(props: RoundProps) {
  const { match, round, experts, past, newest } = props;
  const leftOut = round.end?.kind === "planned" ? round.end.left_out : [];
  return (
    <>
      {round.heard.map((said) => (
        <TeamInterjection key={said.id} said={said} experts={experts} />
      ))}
      {round.synthesis && !newest && (
        <EarlierSynthesis synthesis={round.synthesis} number={round.number} experts={experts} />
      )}
      {!round.synthesis && (
        <Round number={round.number} title={roundTitle(round)} line={lineOf(round)} past={past}>
          {round.choice && <ChoiceLine number={round.number} choice={round.choice} experts={experts} />}
          {round.statements.length > 0 && (
            <div
              className="team-statements grid gap-3"
              data-four={round.statements.length === 4 || undefined}
              style={{ "--columns": columnsOf(round, experts.length) } as CSSProperties}
            >
              {round.statements.map((statement) => (
                <StatementCard
                  key={statement.reply.id}
                  match={match}
                  statement={statement}
                  experts={experts}
                />
              ))}
            </div>
          )}
          {leftOut.length > 0 && (
            <p className="text-xs text-ink-3">
              Not asked in this round: {listed(leftOut.map((seat) => roleOf(experts, seat)))}.
            </p>
          )}
        </Round>
      )}
    </>
  );
});

interface TeamInterjectionProps {
  said: PersonSaid;
  experts: readonly Expert[];
  note?: string;
}

export function TeamInterjection({ said, experts, note }: TeamInterjectionProps) {
  return (
    <InterjectionBubble
      id={said.id}
      input={said.input}
      title={saidTitle(said, experts)}
      at={said.at}
      note={note}
    />
  );
}

const MOST_COLUMNS = 3;

/** As many as will speak, so that nobody's words move when the next one begins. */
function columnsOf({ kind, choice, statements }: RoundView, experts: number): number {
  const speak = choice?.note?.chosen.length ?? (kind === "asked" ? statements.length : experts);
  return Math.min(MOST_COLUMNS, Math.max(1, speak, statements.length));
}

/** "3 statements · 1 expert changed their mind · 12.3 s" */
function lineOf(round: RoundView): string {
  const changed = round.statements.filter(({ said }) => said?.changed).length;
  const took = tookMs(round);
  return [
    round.statements.length > 0 && statementCount(round.statements.length),
    changed > 0 && (changed === 1 ? "1 expert changed their mind" : `${changed} experts changed their minds`),
    took > 0 && formatMs(took),
  ]
    .filter(Boolean)
    .join(" · ");
}
