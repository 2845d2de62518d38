/** The timeline as a table: who spoke when, whom they answer, who changed their mind, what it took. */

import { CELL, Table } from "@/features/panels/table";
import { costWord, isFailed, sentenceOf } from "@/features/team/happening-words";
import { type Happening, happeningsOf } from "@/features/team/happenings";
import { FollowsReferences, LinkedText } from "@/features/team/linked-text";
import { usePlaces } from "@/features/team/places";
import type { Expert, TeamView } from "@/features/team/read-team";
import { STRINGS } from "@/features/team/strings";
import { roleOf, taskWord } from "@/features/team/words";
import { formatCount, formatMs } from "@/lib/format";
import { exactTime } from "@/lib/time";

const HEAD = [
  STRINGS.reference,
  STRINGS.who,
  STRINGS.what,
  STRINGS.answers,
  STRINGS.position,
  STRINGS.changedMind,
  STRINGS.time,
  STRINGS.tokens,
  STRINGS.cost,
];

export function TeamTable({ view }: { view: TeamView }) {
  return (
    <FollowsReferences className="team-text">
      <Table label={STRINGS.timeline} head={HEAD}>
        {happeningsOf(view).map((happening) => (
          <Row key={happening.place} happening={happening} experts={view.experts} />
        ))}
      </Table>
    </FollowsReferences>
  );
}

function Row({ happening, experts }: { happening: Happening; experts: readonly Expert[] }) {
  const { jump } = usePlaces();
  const { place, seat, round } = happening;
  const statement = happening.kind === "statement" ? happening.statement : null;
  const said = statement?.said;
  const metrics = replyOf(happening)?.metrics;
  return (
    <tr>
      <td className={CELL}>
        <button
          type="button"
          aria-label={STRINGS.jumpTo(sentenceOf(happening, experts))}
          className="rounded-xs touch:min-h-11 touch:min-w-11 text-left whitespace-nowrap underline decoration-line-strong underline-offset-3 hover:decoration-ink"
          onClick={() => jump(place)}
        >
          {statement?.ref ?? round ?? "–"}
        </button>
      </td>
      <td className={`${CELL} whitespace-nowrap`}>{seat === null ? STRINGS.you : roleOf(experts, seat)}</td>
      <td className={`${CELL} min-w-32`}>{whatOf(happening, experts)}</td>
      <td className={`${CELL} whitespace-nowrap`}>
        {said?.answers.map(({ ref, seat: other, how }) => (
          <span key={ref} className="block">
            {STRINGS.statement(ref, roleOf(experts, other))}
            <span className="text-ink-3"> {how === "said" ? STRINGS.said : STRINGS.foundMark}</span>
          </span>
        ))}
      </td>
      <td className={`${CELL} min-w-40`}>{said?.position && <Quiet text={said.position} />}</td>
      <td className={`${CELL} min-w-40`}>{said?.changed && <Quiet text={said.changed.text} />}</td>
      <td className={`${CELL} whitespace-nowrap`}>
        {happening.kind === "person" ? exactTime(happening.said.at) : formatMs(metrics?.duration_ms)}
      </td>
      <td className={CELL}>{metrics ? formatCount(metrics.input_tokens + metrics.output_tokens) : "–"}</td>
      <td className={`${CELL} whitespace-nowrap`}>{metrics ? costWord(metrics.cost_micros) : "–"}</td>
    </tr>
  );
}

const Quiet = ({ text }: { text: string }) => (
  <div className="quiet-text">
    <LinkedText text={text} />
  </div>
);

function replyOf(happening: Happening) {
  if (happening.kind === "statement") return happening.statement.reply;
  if (happening.kind === "synthesis") return happening.synthesis.reply;
  return happening.kind === "choice" ? happening.choice.reply : undefined;
}

function whatOf(happening: Happening, experts: readonly Expert[]): string {
  if (happening.kind !== "statement") {
    const text = happening.kind === "person" && "text" in happening.said.input && happening.said.input.text;
    const what = sentenceOf(happening, experts);
    return text ? `${what}: ${text}` : what;
  }
  const { statement } = happening;
  return [taskWord(statement), statement.writing && STRINGS.writing, isFailed(statement) && STRINGS.noAnswer]
    .filter(Boolean)
    .join(", ");
}
