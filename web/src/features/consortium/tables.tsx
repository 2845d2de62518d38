/** The same as the pictures, as tables: for the keyboard, for screen readers, for exact figures. */

import type { ReactNode } from "react";
import { isLit, useLit } from "@/features/consortium/lit";
import type { ConsortiumView, Iteration } from "@/features/consortium/read-consortium";
import { STRINGS } from "@/features/consortium/strings";
import {
  formatConfidence,
  formatShare,
  kindLabel,
  lookOf,
  plainSentence,
  stateOf,
  whyOf,
} from "@/features/consortium/words";
import { CELL, Table } from "@/features/panels/table";
import { cn } from "@/lib/cn";
import { partOf } from "@/lib/code-points";
import { counted } from "@/lib/format";

const cells = (values: readonly ReactNode[], keys: readonly string[]) =>
  values.map((value, index) => (
    <td key={keys[index]} className={CELL}>
      {value}
    </td>
  ));

/** Every round with its figures. */
export function RoundsTable({ view }: { view: ConsortiumView }) {
  const names = view.members.map((member) => member.name);
  const head = [STRINGS.roundHead, STRINGS.consensus, STRINGS.arbiterConfidence, ...names, STRINGS.state];
  return (
    <Table label={STRINGS.rounds} head={head}>
      {view.iterations.map((iteration) => (
        <tr key={iteration.number}>
          {cells(
            [
              iteration.number,
              iteration.agreement?.consensus == null ? "–" : formatShare(iteration.agreement.consensus),
              iteration.judgement.verdict
                ? STRINGS.confidenceAndThreshold(
                    formatConfidence(iteration.judgement.verdict.confidence, view.threshold),
                    formatShare(view.threshold),
                  )
                : "–",
              ...view.members.map(({ seat }) => {
                const said = iteration.answers.find(({ member }) => member.seat === seat);
                return said
                  ? said.leftOut
                    ? STRINGS.leftOut
                    : formatConfidence(said.confidence)
                  : STRINGS.memberGone;
              }),
              whyOf(iteration, view) ?? stateOf(iteration, view),
            ],
            head,
          )}
        </tr>
      ))}
    </Table>
  );
}

/** Every sentence with who agrees; pointing at one, or focusing it, lights up its group in the panels. */
export function SentencesTable({ iteration }: { iteration: Iteration }) {
  const { lit, light } = useLit();
  const { agreement, answers } = iteration;
  if (!agreement) return null;
  const rows = answers.flatMap(({ member, answer }) =>
    (agreement.sentences[member.seat] ?? []).map((sentence, index) => ({ member, answer, sentence, index })),
  );
  return (
    <Table label={STRINGS.agreementBySentence} head={[STRINGS.member, STRINGS.agreement, STRINGS.sentence]}>
      {rows.map(({ member, answer, sentence, index }) => {
        const here = { seat: member.seat, index, group: sentence.group };
        return (
          <tr
            key={`${member.seat} ${sentence.start}`}
            className={cn(isLit(lit, member.seat, index, sentence.group) && "bg-raised")}
            onPointerEnter={() => light(here)}
            onPointerLeave={() => light(null)}
          >
            <td className={cn(CELL, "whitespace-nowrap")}>{member.name}</td>
            <td className={cn(CELL, "whitespace-nowrap")}>
              <span className="agree-sample" data-kind={lookOf(sentence)}>
                {kindLabel(lookOf(sentence))}
              </span>
            </td>
            <td className={CELL}>
              <button
                type="button"
                className="rounded-xs text-left"
                aria-pressed={isLit(lit, member.seat, index, sentence.group)}
                onFocus={() => light(here)}
                onBlur={() => light(null)}
              >
                {plainSentence(partOf(answer, sentence.start, sentence.end))}
              </button>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

/** How alike each two answers are. */
export function PairsTable({ iteration }: { iteration: Iteration }) {
  const nameOf = (seat: string) =>
    iteration.answers.find(({ member }) => member.seat === seat)?.member.name ?? seat;
  const pairs = iteration.agreement?.pairs ?? [];
  if (pairs.length === 0) return null;
  return (
    <Table label={STRINGS.answerSimilarity} head={[STRINGS.member, STRINGS.secondMember, STRINGS.similarity]}>
      {pairs.map(({ left, right, similarity }) => (
        <tr key={`${left} ${right}`}>
          {cells([nameOf(left), nameOf(right), formatShare(similarity)], ["l", "r", "s"])}
        </tr>
      ))}
    </Table>
  );
}

export function WordsTable({ iteration }: { iteration: Iteration }) {
  const { words, answers } = iteration;
  return (
    <Table label={STRINGS.words} head={[STRINGS.member, STRINGS.wordsHead]}>
      {answers.map(({ member }) => (
        <tr key={member.seat}>
          <td className={cn(CELL, "whitespace-nowrap")}>{member.name}</td>
          <td className={CELL}>
            {(words?.seats[member.seat] ?? [])
              .map(({ word, count }) => `${word} ${counted(count, "time")}`)
              .join(", ") || "–"}
          </td>
        </tr>
      ))}
    </Table>
  );
}
