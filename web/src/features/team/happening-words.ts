/** What a happening of the timeline is, as a sentence. Pure. */

import { choiceSentence } from "@/features/team/choice-line";
import type { Happening } from "@/features/team/happenings";
import type { Expert, Statement } from "@/features/team/read-team";
import { STRINGS } from "@/features/team/strings";
import { roleOf, saidTitle, taskWord } from "@/features/team/words";
import { formatCost, formatMs } from "@/lib/format";

export function sentenceOf(happening: Happening, experts: readonly Expert[]): string {
  switch (happening.kind) {
    case "statement":
      return statementSentence(happening.statement, experts);
    case "choice": {
      const { note, expert } = happening.choice;
      return note ? choiceSentence(note, expert.role, experts) : STRINGS.choosing(expert.role);
    }
    case "synthesis":
      return `${STRINGS.synthesis} ${STRINGS.byName(happening.synthesis.expert.role)}`;
    case "person":
      return saidTitle(happening.said, experts);
  }
}

/** "2.1 Critic, Revised answer, answers 1.2 Proposer (found), changed their mind, took 4.20 s, $0.0012" */
function statementSentence(statement: Statement, experts: readonly Expert[]): string {
  const { ref, expert, reply, said, writing } = statement;
  const answers = said?.answers.map(
    (answer) =>
      STRINGS.statement(answer.ref, roleOf(experts, answer.seat)) +
      (answer.how === "found" ? ` (${STRINGS.foundMark})` : ""),
  );
  return [
    STRINGS.statement(ref, expert.role),
    taskWord(statement),
    answers?.length && STRINGS.answersOne(answers.join(", ")),
    said?.changed && STRINGS.legendChanged,
    writing && STRINGS.writing,
    isFailed(statement) && STRINGS.noAnswer,
    reply.metrics && STRINGS.took(formatMs(reply.metrics.duration_ms)),
    reply.metrics && costWord(reply.metrics.cost_micros),
  ]
    .filter(Boolean)
    .join(", ");
}

export const isFailed = ({ writing, reply, said }: Statement): boolean =>
  !writing && (said ? said.problem !== null : reply.status !== "completed");

export const costWord = (micros: number | null): string =>
  micros === null ? STRINGS.noPrice : formatCost(micros);
