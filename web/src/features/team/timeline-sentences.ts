/** An event of the timeline, as a sentence. Pure. */

import { choiceSentence } from "@/features/team/choice-line";
import type { Expert, Statement } from "@/features/team/read-team";
import type { TimelineEvent } from "@/features/team/timeline-events";
import { roleOf, saidTitle, taskWord } from "@/features/team/words";
import { formatCost, formatMs } from "@/lib/format";

export function sentenceOf(event: TimelineEvent, experts: readonly Expert[]): string {
  switch (event.kind) {
    case "statement":
      return statementSentence(event.statement, experts);
    case "choice": {
      const { note, expert } = event.choice;
      return note ? choiceSentence(note, expert.role, experts) : `${expert.role} is choosing who speaks…`;
    }
    case "synthesis":
      return `Synthesis by ${event.synthesis.expert.role}`;
    case "person":
      return saidTitle(event.said, experts);
  }
}

/** "2.1 Critic, Revised answer, answers 1.2 Proposer (found), changed their mind, took 4.20 s, $0.0012" */
function statementSentence(statement: Statement, experts: readonly Expert[]): string {
  const { ref, expert, reply, said, writing } = statement;
  const answers = said?.answers.map(
    (answer) => `${answer.ref} ${roleOf(experts, answer.seat)}${answer.how === "found" ? " (found)" : ""}`,
  );
  return [
    `${ref} ${expert.role}`,
    taskWord(statement),
    answers?.length && `answers ${answers.join(", ")}`,
    said?.changed && "changed their mind",
    writing && "writing",
    isFailed(statement) && "no answer",
    reply.metrics && `took ${formatMs(reply.metrics.duration_ms)}`,
    reply.metrics && costWord(reply.metrics.cost_micros),
  ]
    .filter(Boolean)
    .join(", ");
}

export const isFailed = ({ writing, reply, said }: Statement): boolean =>
  !writing && (said ? said.problem !== null : reply.status !== "completed");

export const costWord = (micros: number | null): string =>
  micros === null ? "no price" : formatCost(micros);
