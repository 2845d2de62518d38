/** Who sits in a consortium, and in which colours. Pure. */

import type { MatchView, ModelCard, SeatView } from "@/api/types";
import { seatColor } from "@/features/lineup/seat-colors";

export interface Member {
  seat: string;
  /** The model's name, with its number where it sits here more than once. */
  name: string;
  color: string;
  /** The part that it plays, where it was given one. */
  role: string | null;
  model?: ModelCard | null;
}

/** The parts that members play in turn where none was given. */
export const BUILT_IN_ROLES = ["Generator", "Devil’s advocate", "Fact checker"];

export const nameOf = (seat: SeatView | undefined) => seat?.model?.name ?? seat?.label ?? "The arbiter";

/** The members in one of the match's turns, in the colours that they have in all of them. */
export function membersOf(match: MatchView, turn: number): Member[] {
  const all = match.seats.filter((seat) => seat.role === "member");
  const seats = all.filter((seat) => seat.from_turn <= turn && turn < (seat.until_turn ?? Infinity));
  const plays = match.brief.strategy === "role";
  const roles = (match.brief.roles ?? {}) as Record<string, string>;
  const counts = new Map<string, number>();
  return seats.map((seat, index) => {
    const model = seat.model?.id ?? seat.name;
    const instance = (counts.get(model) ?? 0) + 1;
    counts.set(model, instance);
    const several = seats.filter((other) => other.model?.id === seat.model?.id).length > 1;
    return {
      seat: seat.name,
      name: several ? `${nameOf(seat)} #${instance}` : nameOf(seat),
      color: seatColor(all.indexOf(seat)),
      model: seat.model,
      role: plays ? (roles[seat.name] ?? BUILT_IN_ROLES[index % BUILT_IN_ROLES.length] ?? null) : null,
    };
  });
}
