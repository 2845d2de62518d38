/** How the two sides of a battle are called and coloured. */
import type { MatchView, SeatView } from "@/api/types";

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

export const choiceLabel = (choice: string, match: MatchView): string => {
  if (choice === "tie") return "Tie";
  if (choice === "both_bad") return "Both are bad";
  const side = sidesOf(match).find(({ seat }) => seat.name === choice);
  return side ? `${side.letter} is better` : choice;
};
