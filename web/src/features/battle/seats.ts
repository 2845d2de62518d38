/** How the two sides of a battle are called and coloured. */

import type { MatchView, SeatView } from "@/api/types";
import { isWithdrawn } from "@/features/arena/vote-status";

export interface Side {
  seat: SeatView;
  letter: string;
  /** "Assistant A": what the side is called while it is hidden. */
  alias: string;
  color: string;
}

const LETTERS = ["A", "B", "C", "D", "E", "F"];

export const sidesOf = (match: MatchView): Side[] =>
  match.seats.map((seat, index) => {
    const letter = LETTERS[index] ?? "?";
    return { seat, letter, alias: `Assistant ${letter}`, color: `var(--seat-${letter.toLowerCase()})` };
  });

/** The seat or word that the person chose; undefined once the vote is withdrawn. */
export const pickOf = (match: MatchView): string | undefined =>
  isWithdrawn(match.vote) ? undefined : match.vote?.vote;

/** The sides with the one that the person preferred first: on a phone only one is seen at a time. */
export function winnerFirst(match: MatchView): Side[] {
  const sides = sidesOf(match);
  const winner = sides.find(({ seat }) => seat.name === pickOf(match));
  return winner ? [winner, ...sides.filter((side) => side !== winner)] : sides;
}

/** Why a side has no text to show: it may have come and been withheld, so nothing is said of that. */
export const absentText = (match: MatchView): string =>
  match.status === "void" ? "Hidden because the battle is void." : "No text.";

export const choiceLabel = (choice: string, match: MatchView): string => {
  if (choice === "tie") return "Tie";
  if (choice === "both_bad") return "Both are bad";
  const side = sidesOf(match).find(({ seat }) => seat.name === choice);
  return side ? `${side.letter} is better` : choice;
};
