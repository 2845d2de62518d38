/** A session as Markdown: its questions and answers from above, under the names that are shown. Pure. */

import type { MatchView, ReplyView, SessionView, TurnView } from "@/api/types";
import { LAZY_STRINGS } from "@/features/arena/lazy-strings";

export const seatName = (match: MatchView, name: string): string => {
  const seat = match.seats.find((each) => each.name === name);
  return seat?.model?.name ?? seat?.label ?? name;
};

export const turnText = (turn: TurnView): string => ("text" in turn.input ? turn.input.text : "");

/** One answer under its question. */
export function answerMarkdown(question: string, name: string, text: string): string {
  const quoted = question && `${quote(question)}\n\n`;
  return `${quoted}**${name}**\n\n${text.trim()}\n`;
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
  const name = seatName(match, reply.seat);
  return `### ${name}${rounds ? LAZY_STRINGS.inRound(reply.round) : ""}\n\n${reply.text.trim()}`;
}

const quote = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
