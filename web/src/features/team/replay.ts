/** A question once more at its own pace: who spoke when, and what stood there at each time. Pure. */

import type { NoteView, TurnView } from "@/api/types";
import type { ReplayedReply } from "@/api/votes";
import { charactersAt, textAt } from "@/features/panels/replayed-text";
import type { ChoiceNote, SaidNote } from "@/features/team/notes";
import { type Round, stepsOf, type TeamView } from "@/features/team/read-team";

/** Between two steps, as long as it takes to see that another one begins. */
const GAP_MS = 400;

interface Part {
  reply: ReplayedReply;
  start: number;
  end: number;
}

export interface Score {
  /** By the reply's id. */
  parts: ReadonlyMap<string, Part>;
  /** Milliseconds until the last character. */
  duration: number;
}

/** When each reply is given: those of one step at once, and one step after the other. */
export function scoreOf(view: TeamView, replies: readonly ReplayedReply[]): Score {
  const known = new Map(replies.map((reply) => [reply.reply_id, reply]));
  const parts = new Map<string, Part>();
  let at = 0;
  for (const step of view.rounds.flatMap(stepsIn)) {
    const given = step.flatMap((id) => known.get(id) ?? []);
    const took = Math.max(0, ...given.map(({ timeline }) => timeline.at(-1)?.[0] ?? 0));
    for (const reply of given)
      parts.set(reply.reply_id, { reply, start: at, end: at + (reply.timeline.at(-1)?.[0] ?? 0) });
    at += took + GAP_MS;
  }
  return { parts, duration: Math.max(0, at - GAP_MS) };
}

/** The ids of a round's replies, step by step. */
const stepsIn = ({ choice, statements, synthesis }: Round): string[][] => [
  ...(choice?.reply ? [[choice.reply.id]] : []),
  ...stepsOf(statements).map((step) => step.map(({ reply }) => reply.id)),
  ...(synthesis ? [[synthesis.reply.id]] : []),
];

/** The question's turns as they stood so many milliseconds after it began; later ones are not there yet. */
export function turnsAt(turns: readonly TurnView[], { parts, duration }: Score, at: number): TurnView[] {
  if (at >= duration) return [...turns];
  return turns
    .map((turn) => turnAt(turn, parts, at))
    .filter((turn, index) => index === 0 || turn.replies.length > 0);
}

function turnAt(turn: TurnView, parts: Score["parts"], at: number): TurnView {
  const isOver = (id: string) => (parts.get(id)?.end ?? 0) <= at;
  const begun = turn.replies.filter(({ id }) => {
    const part = parts.get(id);
    return part !== undefined && (isOver(id) || charactersAt(part.reply.timeline, at - part.start) > 0);
  });
  const replies = begun.map((reply) => {
    const part = parts.get(reply.id) as Part;
    return isOver(reply.id)
      ? reply
      : { ...reply, ...cutShort, text: textAt(part.reply, at - part.start).text };
  });
  const last = Math.max(0, ...begun.map(({ round }) => round));
  const ended = (round: number) =>
    begun.some((reply) => reply.round === round) &&
    turn.replies.every((reply) => reply.round !== round || isOver(reply.id));
  const isKnown = ({ name, round, data }: NoteView): boolean => {
    if (name === "team.said/1" || name === "team.synthesis/1") return isOver((data as SaidNote).reply_id);
    if (name !== "team.choice/1") return round === 0 || ended(round);
    const chooser = turn.replies.find(
      (reply) =>
        reply.round === round && reply.seat === (data as ChoiceNote).seat && reply.purpose === "choose",
    );
    return chooser ? isOver(chooser.id) : round <= last;
  };
  return {
    ...turn,
    replies,
    notes: turn.notes.filter(isKnown),
    interjections: turn.interjections.filter(({ round }) => round !== null && round <= last),
  };
}

const cutShort = { status: "streaming", metrics: null, reasoning: "" } as const;
