/** The leaderboard in a sentence: who is first, from how many votes, and whether that is settled. Pure. */
import type { Leaderboard } from "@/api/standings-types";
import { counted, formatAbout } from "@/lib/format";

type Board = Pick<Leaderboard, "lines" | "votes" | "method" | "decision">;

interface Sentence {
  title: string;
  text: string;
}

/** More than anybody will ever cast between two models. */
const MOST_VOTES = 1_000_000;

const NUMBERS = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

export function boardSentence(board: Board): Sentence | null {
  const [best] = [...board.lines].sort((a, b) => b.rating - a.rating);
  if (!best) return null;
  const based = `Based on ${counted(board.votes, "vote")}`;
  if (board.method === "elo") {
    return {
      title: `${best.model.name} is first by Elo`,
      text: `${based}. Elo has no intervals, so it can’t tell whether the order is settled.`,
    };
  }
  const firm = board.lines.filter((line) => !line.provisional);
  if (firm.length < 2) {
    return {
      title: "Too early to say who leads",
      text: `${based}. ${firm.length ? "All other scores are" : "All scores are"} provisional.`,
    };
  }
  return { title: titleOf(board), text: decisionOf(board, based) };
}

const nameOf = (board: Board, id: string) =>
  board.lines.find((line) => line.model.id === id)?.model.name ?? id;

function titleOf(board: Board): string {
  const firm = board.lines.filter((line) => !line.provisional);
  const first = Math.min(...firm.map((line) => line.rank_ub));
  const share = firm.filter((line) => line.rank_ub === first);
  const leader = board.decision?.model ?? share[0]?.model.id ?? "";
  if (board.decision?.decided || share.length < 2) return `${nameOf(board, leader)} leads`;
  return `${NUMBERS[share.length - 2] ?? share.length} models share first place`;
}

function decisionOf(board: Board, based: string): string {
  const { decision } = board;
  if (!decision) return `${based}.`;
  const [ahead, other] = [nameOf(board, decision.model), nameOf(board, decision.other)];
  if (!decision.comparable)
    return `${based}. No battles link ${ahead} and ${other}, so they can’t be compared.`;
  if (decision.decided) return `${based}. The lead over ${other} is settled.`;
  const needed = decision.votes_needed;
  const more =
    needed === null || needed > MOST_VOTES
      ? "They are too close to say how many more votes it takes."
      : `About ${needed === 1 ? "1 more vote" : `${formatAbout(needed)} more votes`} between them would probably settle it.`;
  return `${based}, ${ahead} is ahead. Its lead over ${other} is not settled. ${more}`;
}
