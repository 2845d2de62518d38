/** The same as the pictures, as tables: for the keyboard, for screen readers, for exact figures. */

import type { Column } from "@/components/table";
import { isHighlighted, useHighlight } from "@/features/consortium/highlight";
import type { Member } from "@/features/consortium/members";
import type { ConsortiumView, Iteration } from "@/features/consortium/read-consortium";
import {
  formatConfidence,
  formatShare,
  kindLabel,
  plainSentence,
  stateOf,
  whyOf,
} from "@/features/consortium/words";
import { ScrollTable } from "@/features/panels/table";
import { AnchorLink, roundAnchor } from "@/features/rounds/anchors";
import { partOf } from "@/lib/code-points";
import { counted } from "@/lib/format";

/** Every round with its figures. */
export function RoundsTable({ view }: { view: ConsortiumView }) {
  const { members, threshold } = view;
  const columns: Column<Iteration>[] = [
    {
      header: "Round",
      cell: ({ number }) => (
        <AnchorLink name={roundAnchor(number)} label={`Go to round ${number}`}>
          {number}
        </AnchorLink>
      ),
    },
    {
      header: "Consensus",
      cell: ({ agreement }) => (agreement?.consensus == null ? "–" : formatShare(agreement.consensus)),
    },
    {
      header: "Arbiter confidence",
      cell: ({ judgement: { verdict } }) =>
        verdict
          ? `${formatConfidence(verdict.confidence, threshold)} (threshold ${formatShare(threshold)})`
          : "–",
    },
    ...members.map(({ seat, name }) => ({
      id: seat,
      header: name,
      cell: ({ answers }: Iteration) => {
        const answer = answers.find(({ member }) => member.seat === seat);
        if (!answer) return "left";
        return answer.leftOut ? "left out" : formatConfidence(answer.confidence);
      },
    })),
    { header: "State", cell: (iteration) => whyOf(iteration, view) ?? stateOf(iteration, view) },
  ];
  return (
    <ScrollTable
      label="Rounds"
      columns={columns}
      rows={view.iterations}
      rowKey={({ number }) => String(number)}
    />
  );
}

/** Every sentence with who agrees; pointing at one, or focusing it, lights up its group in the panels. */
export function SentencesTable({ iteration: { agreement, answers } }: { iteration: Iteration }) {
  const { highlighted, highlight } = useHighlight();
  if (!agreement) return null;
  const rows = answers.flatMap(({ member, answer }) =>
    (agreement.sentences[member.seat] ?? []).map((sentence, index) => ({
      member,
      sentence,
      text: plainSentence(partOf(answer, sentence.start, sentence.end)),
      here: { seat: member.seat, index, group: sentence.group },
      marked: isHighlighted(highlighted, member.seat, index, sentence.group),
    })),
  );
  const columns: Column<(typeof rows)[number]>[] = [
    MEMBER,
    {
      header: "Agreement",
      cell: ({ sentence }) => (
        <span className="agree-sample" data-kind={sentence.kind}>
          {kindLabel(sentence.kind)}
        </span>
      ),
      className: "whitespace-nowrap",
    },
    {
      header: "Sentence",
      cell: ({ here, marked, text }) => (
        <button
          type="button"
          className="rounded-xs text-left"
          aria-pressed={marked}
          onFocus={() => highlight(here)}
          onBlur={() => highlight(null)}
        >
          {text}
        </button>
      ),
    },
  ];
  return (
    <ScrollTable
      label="Agreement by sentence"
      columns={columns}
      rows={rows}
      rowKey={({ member, sentence }) => `${member.seat} ${sentence.start}`}
      rowProps={({ here, marked }) => ({
        className: marked ? "bg-raised" : undefined,
        onPointerEnter: () => highlight(here),
        onPointerLeave: () => highlight(null),
      })}
    />
  );
}

/** How alike each two answers are. */
export function PairsTable({ iteration: { agreement, answers } }: { iteration: Iteration }) {
  const nameOf = (seat: string) => answers.find(({ member }) => member.seat === seat)?.member.name ?? seat;
  const pairs = agreement?.pairs ?? [];
  if (pairs.length === 0) return null;
  return (
    <ScrollTable
      label="Answer similarity"
      columns={[
        { header: "Member", cell: ({ left }) => nameOf(left) },
        { header: "Other member", cell: ({ right }) => nameOf(right) },
        { header: "Similarity", cell: ({ similarity }) => formatShare(similarity) },
      ]}
      rows={pairs}
      rowKey={({ left, right }) => `${left} ${right}`}
    />
  );
}

export function WordsTable({ iteration: { words, answers } }: { iteration: Iteration }) {
  const wordsOf = (seat: string) =>
    words?.seats[seat]?.map(({ word, count }) => `${word} ${counted(count, "time")}`).join(", ");
  return (
    <ScrollTable
      label="Words"
      columns={[
        MEMBER,
        { header: "Words, most frequent first", cell: ({ member }) => wordsOf(member.seat) || "–" },
      ]}
      rows={answers}
      rowKey={({ member }) => member.seat}
    />
  );
}

const MEMBER: Column<{ member: Member }> = {
  header: "Member",
  cell: ({ member }) => member.name,
  className: "whitespace-nowrap",
};
