/** A session as Markdown: its questions and answers from above, under the names that are shown. Pure. */

import type { MatchView, ReplyView, SessionView, TurnView } from "@/api/types";
import { LAZY_STRINGS } from "@/features/arena/lazy-strings";
import { readArbiterText, readMemberText } from "@/lib/read-tags";

export const seatName = (match: MatchView, name: string): string => {
  const seat = match.seats.find((each) => each.name === name);
  return seat?.model?.name ?? seat?.label ?? name;
};

export const turnText = (turn: TurnView): string => ("text" in turn.input ? turn.input.text : "");

/** One answer under its question. */
export function answerMarkdown(question: string, name: string, text: string): string {
  const quoted = question && `${quote(question)}\n\n`;
  return `${quoted}**${name}**\n\n${plainText(text)}\n`;
}

export function sessionMarkdown({ session, matches }: SessionView): string {
  const parts = [`# ${session.title}`];
  let number = 0;
  for (const { match, turns } of matches) {
    for (const turn of turns) {
      number += 1;
      parts.push(`## ${number}. ${turn.input.type === "prompt" ? LAZY_STRINGS.question : turn.input.type}`);
      const text = turnText(turn);
      if (text) parts.push(quote(text));
      const files = turn.input.type === "prompt" ? turn.input.attachments : [];
      if (files.length > 0) parts.push(LAZY_STRINGS.attached(files.map(({ name }) => name).join(", ")));
      for (const reply of turn.replies.filter(hasText)) parts.push(replyMarkdown(match, turn, reply));
    }
    const vote = match.vote?.vote;
    if (vote) {
      const preferred = match.seats.some(({ name }) => name === vote) ? seatName(match, vote) : vote;
      parts.push(LAZY_STRINGS.vote(preferred.replace("_", " ")));
    }
  }
  return `${parts.join("\n\n")}\n`;
}

const hasText = (reply: ReplyView) => reply.text !== "";

function replyMarkdown(match: MatchView, turn: TurnView, reply: ReplyView): string {
  const rounds = turn.replies.some(({ round }) => round !== reply.round);
  const instead = reply.metrics?.answered_by;
  const name = seatName(match, reply.seat) + (instead ? LAZY_STRINGS.insteadBy(instead) : "");
  return `### ${name}${rounds ? LAZY_STRINGS.inRound(reply.round) : ""}\n\n${plainText(reply.text)}`;
}

/** An answer without the tags that a consortium asks its models for; one without tags stays as it is. */
function plainText(text: string): string {
  if (/<synthesis>/i.test(text)) {
    const { synthesis, analysis, dissent } = readArbiterText(text, false);
    const rest = [
      [LAZY_STRINGS.analysis, analysis],
      [LAZY_STRINGS.dissent, dissent],
    ];
    return [synthesis, ...rest.flatMap(([title, part]) => (part ? [`**${title}**`, part] : []))].join("\n\n");
  }
  if (!/<(answer|updated_response)>/i.test(text)) return text.trim();
  const { answer, confidence } = readMemberText(text, false);
  if (confidence === null) return answer;
  return `${answer}\n\n*${LAZY_STRINGS.confidence(confidence.toFixed(2))}*`;
}

const quote = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
