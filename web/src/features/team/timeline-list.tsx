/** The timeline from top to bottom, for narrow screens: a section for each round. */

import { Flag, MessageCircle, RefreshCw, Split } from "lucide-react";
import { useAnchors } from "@/features/rounds/anchors";
import type { Expert, Statement, TeamView } from "@/features/team/read-team";
import { momentsOf, type TimelineEvent, waitingOf } from "@/features/team/timeline-events";
import { isFailed, sentenceOf } from "@/features/team/timeline-sentences";
import { roundTitle, taskWord } from "@/features/team/words";
import { formatMs } from "@/lib/format";

export function TimelineList({ view }: { view: TeamView }) {
  const waiting = waitingOf(view);
  return (
    <ol aria-label="Timeline" className="flex list-none flex-col gap-3 p-0">
      {view.rounds.map((round) => (
        <li key={round.number}>
          <p className="text-xs font-medium text-ink-3">
            {round.synthesis ? "Synthesis" : roundTitle(round)}
          </p>
          <Entries events={momentsOf(round).flat()} experts={view.experts} />
        </li>
      ))}
      {waiting.length > 0 && (
        <li>
          <Entries events={waiting} experts={view.experts} />
        </li>
      )}
    </ol>
  );
}

interface EntriesProps {
  events: readonly TimelineEvent[];
  experts: readonly Expert[];
}

function Entries({ events, experts }: EntriesProps) {
  const { jump } = useAnchors();
  return (
    <ul className="flex list-none flex-col p-0">
      {events.map((event) => {
        const title = sentenceOf(event, experts);
        return (
          <li key={event.anchor}>
            <button
              type="button"
              onClick={() => jump(event.anchor)}
              className="focus-inset flex min-h-11 w-full items-center gap-2.5 rounded-sm px-1.5 text-left text-sm hover:bg-raised"
            >
              <span className="sr-only">Go to</span>
              <span
                aria-hidden="true"
                className="flex w-4 shrink-0 justify-center text-ink-3 [&_svg]:size-3.5"
                style={{ color: experts.find(({ seat }) => seat === event.seat)?.color }}
              >
                <Sign event={event} />
              </span>
              {event.kind === "statement" ? (
                <StatementLine statement={event.statement} />
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

function Sign({ event: { kind } }: { event: TimelineEvent }) {
  if (kind === "choice") return <Split />;
  if (kind === "synthesis") return <Flag />;
  if (kind === "person") return <MessageCircle />;
  return <i className="size-2 rounded-full bg-current" />;
}

function StatementLine({ statement }: { statement: Statement }) {
  const { ref, expert, reply, said, writing } = statement;
  const about = [
    said?.answers.length ? `→ ${said.answers.map((answer) => answer.ref).join(", ")}` : taskWord(statement),
    writing && "writing",
    isFailed(statement) && "no answer",
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
