/** What everybody picked between two models, the person included. Pure. */
import type { components } from "@/api/__generated__/schema";
import { formatCount } from "@/lib/format";

type Cell = Pick<components["schemas"]["PairCell"], "wins" | "losses" | "ties" | "both_bad">;

export interface Picked {
  /** In the order of the ballot. */
  shares: { choice: string; votes: number; share: number }[];
  votes: number;
  sentence: string;
}

/** `cell` counts from the left model's side; `pick` is the person's own choice, where it is among the counts. */
export function pickedOf(cell: Cell, [left, right]: readonly [string, string], pick: string | null): Picked {
  const counts: [string, number][] = [
    [left, cell.wins],
    ["tie", cell.ties],
    ["both_bad", cell.both_bad],
    [right, cell.losses],
  ];
  const votes = counts.reduce((sum, [, count]) => sum + count, 0);
  const shares = counts.map(([choice, count]) => ({
    choice,
    votes: count,
    share: votes === 0 ? 0 : count / votes,
  }));
  return { shares, votes, sentence: sentenceOf(counts, votes, pick) };
}

function sentenceOf(counts: readonly [string, number][], votes: number, pick: string | null): string {
  const same = counts.find(([choice]) => choice === pick)?.[1];
  // The counts are made anew a moment after the vote.
  if (same === 0) return "Counting your vote…";
  if (same === undefined)
    return votes === 0 ? "Nobody has voted on this pair yet." : `${votesText(votes)} on this pair.`;
  if (votes === 1) return "Yours is the first vote on this pair.";
  const [others, agreeing] = [votes - 1, same - 1];
  const agree =
    agreeing === 0
      ? others === 1
        ? "The other one differs."
        : "None of the others agrees with you."
      : agreeing === others
        ? others === 1
          ? "The other one agrees with you."
          : "All others agree with you."
        : `${formatCount(agreeing)} of the ${formatCount(others)} others ${agreeing === 1 ? "agrees" : "agree"} with you.`;
  return `${votesText(votes)} on this pair, yours included. ${agree}`;
}

const votesText = (votes: number) => `${formatCount(votes)} ${votes === 1 ? "vote" : "votes"}`;
