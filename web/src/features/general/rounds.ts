/** A turn by its rounds: who spoke in each, and what the person had said before it. Pure. */
import type { Interjection, MatchView, ReplyView, SeatView, ToolCallView, TurnView } from "@/api/types";

export interface Round {
  number: number;
  /** What this round heard. */
  heard: Interjection[];
  replies: ReplyView[];
  tools: ToolCallView[];
}

export interface Rounds {
  rounds: Round[];
  /** What no round has heard: yet, or any more. */
  unheard: Interjection[];
}

export function roundsOf(turn: TurnView): Rounds {
  const numbers = new Set(turn.replies.map(({ round }) => round));
  for (const { round } of turn.tools) numbers.add(round);
  for (const { round } of turn.interjections) if (round !== null) numbers.add(round);
  const rounds = [...numbers]
    .sort((a, b) => a - b)
    .map((number) => ({
      number,
      heard: turn.interjections.filter(({ round }) => round === number),
      replies: turn.replies.filter(({ round }) => round === number),
      tools: turn.tools.filter(({ round }) => round === number),
    }));
  return { rounds, unheard: turn.interjections.filter(({ round }) => round === null) };
}

/** True where a match goes by rounds: then each has its number. */
export const goesByRounds = (turns: readonly TurnView[]): boolean =>
  turns.some((turn) => turn.round > 1 || turn.replies.some(({ round }) => round > 1));

/** The seats of a ballot's choices, and its other words. */
export function choicesOf(match: MatchView, turn: TurnView): { seats: SeatView[]; words: string[] } {
  const named = new Map(match.seats.map((seat) => [seat.name, seat]));
  const choices = match.ballot?.choices ?? [];
  const words = choices.filter((choice) => !named.has(choice));
  const roles = new Set(choices.flatMap((choice) => named.get(choice)?.role ?? []));
  const whole = new Set(turn.replies.map(({ seat }) => seat));
  for (const { seat, status } of turn.replies) if (status !== "completed") whole.delete(seat);
  return {
    seats: match.seats.filter(
      (seat) => whole.has(seat.name) && (choices.includes(seat.name) || roles.has(seat.role)),
    ),
    words,
  };
}
