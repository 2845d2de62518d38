/** One round: what the person had said, whom a moderator chose, and the statements; past ones are folded. */

import { ChevronRight } from "lucide-react";
import { type CSSProperties, memo } from "react";
import type { MatchView } from "@/api/types";
import { ChoiceLine } from "@/features/team/choice-line";
import { PersonWords } from "@/features/team/person-words";
import { roundPlace, usePlaces } from "@/features/team/places";
import { type Expert, type Round as RoundView, tookMs } from "@/features/team/read-team";
import { placeOf } from "@/features/team/references";
import { StatementCard } from "@/features/team/statement-card";
import { STRINGS } from "@/features/team/strings";
import { EarlierSynthesis } from "@/features/team/synthesis-card";
import { listed, roleOf, roundTitle } from "@/features/team/words";
import { cn } from "@/lib/cn";
import { formatMs } from "@/lib/format";

interface RoundProps {
  match: MatchView;
  round: RoundView;
  experts: readonly Expert[];
  /** Folded to one line unless it is open. */
  past: boolean;
  open: boolean;
  onFold: (number: number) => void;
  /** The newest synthesis stands at the question's end, and not here. */
  newest: boolean;
}

export const Round = memo(function Round(props: RoundProps) {
  const { match, round, experts, past, onFold, newest } = props;
  const { question } = usePlaces();
  const open = !past || props.open;
  const title = roundTitle(round);
  const line = lineOf(round);
  const leftOut = round.end?.kind === "planned" ? round.end.left_out : [];
  return (
    <>
      {round.heard.map((said) => (
        <PersonWords key={said.id} said={said} experts={experts} />
      ))}
      {round.synthesis && !newest && (
        <EarlierSynthesis synthesis={round.synthesis} number={round.number} experts={experts} />
      )}
      {!round.synthesis && (
        <section
          id={placeOf(question, roundPlace(round.number))}
          tabIndex={-1}
          aria-label={title}
          className="team-place flex min-w-0 flex-col gap-3"
        >
          {past ? (
            <button
              type="button"
              aria-expanded={open}
              onClick={() => onFold(round.number)}
              className="focus-inset flex min-w-0 touch:min-h-11 items-center gap-2 rounded-md border border-line px-3 py-1.5 text-left text-sm text-ink-2 hover:border-line-strong hover:text-ink"
            >
              <ChevronRight
                aria-hidden="true"
                className={cn("size-4 shrink-0 transition-transform", open && "rotate-90")}
              />
              <span className="shrink-0 font-medium text-ink">{title}</span>
              <span className="num min-w-0 truncate">{line}</span>
            </button>
          ) : (
            <h3 className="text-sm">
              <span className="font-semibold">{title}</span>
              {line && <span className="num text-ink-3"> · {line}</span>}
            </h3>
          )}
          {open && round.choice && (
            <ChoiceLine number={round.number} choice={round.choice} experts={experts} />
          )}
          {open && round.statements.length > 0 && (
            <div
              className="team-statements grid gap-3"
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
          {open && leftOut.length > 0 && (
            <p className="text-xs text-ink-3">
              {STRINGS.leftOut(listed(leftOut.map((seat) => roleOf(experts, seat))))}
            </p>
          )}
        </section>
      )}
    </>
  );
});

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
    round.statements.length > 0 && STRINGS.statements(round.statements.length),
    changed > 0 && STRINGS.changes(changed),
    took > 0 && formatMs(took),
  ]
    .filter(Boolean)
    .join(" · ");
}
