/** Who sits in a consortium, and in which colours. Pure. */
import type { MatchView, ModelCard, SeatView } from "@/api/types";

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

const COLORS = ["a", "b", "c", "d", "e", "f"];

/** The colour of the n-th member's seat, from 0; after six they begin again. */
export const seatColor = (index: number): string => `var(--seat-${COLORS[index % COLORS.length]})`;

export const nameOf = (seat: SeatView | undefined) => seat?.model?.name ?? seat?.label ?? "The arbiter";

export function membersOf(match: MatchView): Member[] {
  const seats = match.seats.filter((seat) => seat.role === "member");
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
      color: seatColor(index),
      model: seat.model,
      role: plays ? (roles[seat.name] ?? BUILT_IN_ROLES[index % BUILT_IN_ROLES.length] ?? null) : null,
    };
  });
}
