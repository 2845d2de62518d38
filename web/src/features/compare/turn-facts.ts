/** Who plays in a turn, and what the turn took. Pure. */

import type { MatchView, ReplyView, SeatView, TurnView } from "@/api/types";
import { seatColor } from "@/features/lineup/seat-colors";
import { answerIn, stepsOf } from "@/features/tools/steps";

export interface Contender {
  seat: string;
  /** The model's name, with its number where it plays more than once. */
  name: string;
  color: string;
  model: string | undefined;
  /** Undefined until it is asked. */
  reply: ReplyView | undefined;
}

/** Those who play in a turn of the match, from 0, in the order of their seats. */
export function contendersIn(match: MatchView, turn: TurnView, index: number): Contender[] {
  const replies = new Map(turn.replies.map(({ seat }) => [seat, answerIn(stepsOf(turn, seat))] as const));
  const plays = (seat: SeatView) => seat.from_turn <= index && index < (seat.until_turn ?? Infinity);
  const here = match.seats.filter((seat) => replies.has(seat.name) || plays(seat));
  const names = here.map((seat) => seat.model?.name ?? seat.label);
  return here.map((seat, at) => {
    const name = names[at] ?? seat.name;
    const several = names.filter((other) => other === name).length > 1;
    const number = names.slice(0, at + 1).filter((other) => other === name).length;
    return {
      seat: seat.name,
      name: several ? `${name} #${number}` : name,
      color: seatColor(match.seats.indexOf(seat)),
      model: seat.model?.id,
      reply: replies.get(seat.name),
    };
  });
}

export interface TurnFacts {
  /** Null where fewer than two answered, or all alike. */
  fastest: { name: string; ms: number } | null;
  cheapest: { name: string; micros: number } | null;
  micros: number | null;
  /** Some answer has no price: the sum is at least this. */
  unpriced: boolean;
  /** Some figures are estimates: those of an answer that was stopped. */
  estimated: boolean;
  input: number;
  output: number;
}

export function factsOf(contenders: readonly Contender[]): TurnFacts {
  const taken = contenders.flatMap(({ name, reply }) =>
    reply?.metrics ? [{ name, whole: isWhole(reply), ...reply.metrics }] : [],
  );
  const whole = taken.filter((each) => each.whole);
  const fastest = least(whole, ({ duration_ms }) => duration_ms);
  const cheapest = least(whole, ({ cost_micros }) => cost_micros);
  const priced = taken.filter(({ cost_micros }) => cost_micros !== null);
  const sum = priced.reduce((all, each) => all + (each.cost_micros ?? 0), 0);
  const unpriced = priced.length < taken.length;
  return {
    fastest: fastest && { name: fastest.name, ms: fastest.duration_ms },
    cheapest: cheapest && { name: cheapest.name, micros: cheapest.cost_micros ?? 0 },
    // What was refused costs nothing; beside an answer without a price that is no sum.
    micros: taken.length > 0 && (!unpriced || sum > 0) ? sum : null,
    unpriced,
    estimated: taken.some((each) => each.estimated),
    input: taken.reduce((sum, { input_tokens }) => sum + input_tokens, 0),
    output: taken.reduce((sum, { output_tokens }) => sum + output_tokens, 0),
  };
}

/** Who is cut off at a limit is not the fastest for it. */
const isWhole = ({ status, finish_reason }: ReplyView) =>
  status === "completed" && finish_reason !== "length";

/** The one with the least of something; null unless all have it, and one has less than some other. */
function least<T>(all: readonly T[], of: (one: T) => number | null): T | null {
  const values = all.map(of);
  if (values.length < 2 || values.includes(null)) return null;
  const smallest = Math.min(...(values as number[]));
  return Math.max(...(values as number[])) > smallest ? (all[values.indexOf(smallest)] ?? null) : null;
}
