/** The timeline as a table: who spoke when, whom they answer, who changed their mind, what it took. */

import type { Column } from "@/components/table";
import { ScrollTable } from "@/features/panels/table";
import { AnchorLink } from "@/features/rounds/anchors";
import { FollowsReferences, LinkedText } from "@/features/team/linked-text";
import type { Expert, TeamView } from "@/features/team/read-team";
import { eventsOf, type TimelineEvent } from "@/features/team/timeline-events";
import { costWord, isFailed, sentenceOf } from "@/features/team/timeline-sentences";
import { roleOf, taskWord } from "@/features/team/words";
import { formatCount, formatMs } from "@/lib/format";
import { exactTime } from "@/lib/time";

export function TeamTable({ view }: { view: TeamView }) {
  return (
    <FollowsReferences className="team-text">
      <ScrollTable
        label="Timeline"
        columns={columnsOf(view.experts)}
        rows={eventsOf(view)}
        rowKey={({ anchor }) => anchor}
      />
    </FollowsReferences>
  );
}

const columnsOf = (experts: readonly Expert[]): Column<TimelineEvent>[] => [
  {
    header: "Reference",
    cell: (event) => (
      <AnchorLink name={event.anchor} label={goTo(event, experts)}>
        {statementOf(event)?.ref ?? event.round ?? "–"}
      </AnchorLink>
    ),
  },
  { header: "Who", cell: ({ seat }) => (seat === null ? "You" : roleOf(experts, seat)), className: ONE_LINE },
  { header: "What", cell: (event) => whatOf(event, experts), className: "min-w-32" },
  {
    header: "Answers",
    cell: (event) =>
      statementOf(event)?.said?.answers.map(({ ref, seat, how }) => (
        <span key={ref} className="block">
          {`${ref} ${roleOf(experts, seat)}`}
          <span className="text-ink-3"> {how === "said" ? "said" : "found"}</span>
        </span>
      )),
    className: ONE_LINE,
  },
  { header: "Position", cell: (event) => quiet(statementOf(event)?.said?.position), className: "min-w-40" },
  {
    header: "Changed their mind",
    cell: (event) => quiet(statementOf(event)?.said?.changed?.text),
    className: "min-w-40",
  },
  {
    header: "Time",
    cell: (event) =>
      event.kind === "person" ? exactTime(event.said.at) : formatMs(metricsOf(event)?.duration_ms),
    className: ONE_LINE,
  },
  {
    header: "Tokens",
    cell: (event) => {
      const metrics = metricsOf(event);
      return metrics ? formatCount(metrics.input_tokens + metrics.output_tokens) : "–";
    },
  },
  {
    header: "Cost",
    cell: (event) => {
      const metrics = metricsOf(event);
      return metrics ? costWord(metrics.cost_micros) : "–";
    },
    className: ONE_LINE,
  },
];

/** Says what stands on the link, too. */
function goTo(event: TimelineEvent, experts: readonly Expert[]): string {
  const there = `Go to ${sentenceOf(event, experts)}`;
  return statementOf(event) || event.round === null ? there : `${there}, round ${event.round}`;
}

const ONE_LINE = "whitespace-nowrap";

const quiet = (text: string | null | undefined) =>
  text && (
    <div className="quiet-text">
      <LinkedText text={text} />
    </div>
  );

const statementOf = (event: TimelineEvent) => (event.kind === "statement" ? event.statement : undefined);

function metricsOf(event: TimelineEvent) {
  if (event.kind === "statement") return event.statement.reply.metrics;
  if (event.kind === "synthesis") return event.synthesis.reply.metrics;
  return event.kind === "choice" ? event.choice.reply?.metrics : undefined;
}

function whatOf(event: TimelineEvent, experts: readonly Expert[]): string {
  if (event.kind !== "statement") {
    const text = event.kind === "person" && "text" in event.said.input && event.said.input.text;
    const what = sentenceOf(event, experts);
    return text ? `${what}: ${text}` : what;
  }
  const { statement } = event;
  return [taskWord(statement), statement.writing && "writing", isFailed(statement) && "no answer"]
    .filter(Boolean)
    .join(", ");
}
