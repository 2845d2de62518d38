/** The timeline from top to bottom, for narrow screens: a section for each round. */

import { Flag, MessageCircle, RefreshCw, Split } from "lucide-react";
import { isFailed, sentenceOf } from "@/features/team/happening-words";
import { type Happening, momentsOf, waitingOf } from "@/features/team/happenings";
import { usePlaces } from "@/features/team/places";
import type { Expert, Statement, TeamView } from "@/features/team/read-team";
import { STRINGS } from "@/features/team/strings";
import { roundTitle, taskWord } from "@/features/team/words";
import { formatMs } from "@/lib/format";

export function TimelineList({ view }: { view: TeamView }) {
  const waiting = waitingOf(view);
  return (
    <ol aria-label={STRINGS.timeline} className="flex list-none flex-col gap-3 p-0">
      {view.rounds.map((round) => (
        <li key={round.number}>
          <p className="text-xs font-medium text-ink-3">
            {round.synthesis ? STRINGS.synthesis : roundTitle(round)}
          </p>
          <Entries happenings={momentsOf(round).flat()} experts={view.experts} />
        </li>
      ))}
      {waiting.length > 0 && (
        <li>
          <Entries happenings={waiting} experts={view.experts} />
        </li>
      )}
    </ol>
  );
}

interface EntriesProps {
  happenings: readonly Happening[];
  experts: readonly Expert[];
}

function Entries({ happenings, experts }: EntriesProps) {
  const { jump } = usePlaces();
  return (
    <ul className="flex list-none flex-col p-0">
      {happenings.map((happening) => {
        const title = sentenceOf(happening, experts);
        return (
          <li key={happening.place}>
            <button
              type="button"
              aria-label={STRINGS.jumpTo(title)}
              onClick={() => jump(happening.place)}
              className="focus-inset flex min-h-11 w-full items-center gap-2.5 rounded-sm px-1.5 text-left text-sm hover:bg-raised"
            >
              <span
                aria-hidden="true"
                className="flex w-4 shrink-0 justify-center text-ink-3 [&_svg]:size-3.5"
                style={{ color: experts.find(({ seat }) => seat === happening.seat)?.color }}
              >
                <Sign happening={happening} />
              </span>
              {happening.kind === "statement" ? (
                <StatementLine statement={happening.statement} />
              ) : (
                <span className="min-w-0 truncate">{title}</span>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Sign({ happening: { kind } }: { happening: Happening }) {
  if (kind === "choice") return <Split />;
  if (kind === "synthesis") return <Flag />;
  if (kind === "person") return <MessageCircle />;
  return <i className="size-2 rounded-full bg-current" />;
}

function StatementLine({ statement }: { statement: Statement }) {
  const { ref, expert, reply, said, writing } = statement;
  const about = [
    said?.answers.length ? `→ ${said.answers.map((answer) => answer.ref).join(", ")}` : taskWord(statement),
    writing && STRINGS.writing,
    isFailed(statement) && STRINGS.noAnswer,
    reply.metrics && formatMs(reply.metrics.duration_ms),
  ];
  return (
    <>
      <span className="num min-w-0 truncate">
        {ref} <span className="font-medium">{expert.role}</span>
      </span>
      {said?.changed && <RefreshCw aria-hidden="true" className="size-3 shrink-0 text-accent" />}
      <span className="num ml-auto shrink-0 text-xs text-ink-3">{about.filter(Boolean).join(" · ")}</span>
    </>
  );
}
