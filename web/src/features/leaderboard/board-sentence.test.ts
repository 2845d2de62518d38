import { expect, test } from "vitest";
import type { DecisionView, Leaderboard, LeaderboardLine } from "@/api/standings-types";
import { boardSentence } from "@/features/leaderboard/board-sentence";

const line = (id: string, rank_ub: number, more: Partial<LeaderboardLine> = {}) =>
  ({
    model: { id, name: id.toUpperCase() },
    rank_ub,
    rating: 1100 - rank_ub,
    provisional: false,
    ...more,
  }) as LeaderboardLine;

const decision = (more: Partial<DecisionView>): DecisionView =>
  ({ model: "a", other: "b", decided: false, comparable: true, votes_needed: 1940, ...more }) as DecisionView;

const board = (lines: LeaderboardLine[], more: Partial<Leaderboard> = {}) =>
  ({ lines, votes: 1204, method: "bradley-terry", decision: null, ...more }) as Leaderboard;

test("models that share the first rank are counted, and what would settle it is named", () => {
  const shared = board([line("a", 1), line("b", 1), line("c", 1), line("d", 4)], { decision: decision({}) });
  expect(boardSentence(shared)).toEqual({
    title: "Three models share first place",
    text: "Based on 1,204 votes, A is ahead. Its lead over B is not settled. About 1,900 more votes between them would probably settle it.",
  });
});

test("a settled lead is said to lead, even where the intervals overlap", () => {
  const settled = board([line("a", 1), line("b", 1)], {
    decision: decision({ decided: true, votes_needed: null }),
  });
  expect(boardSentence(settled)).toEqual({
    title: "A leads",
    text: "Based on 1,204 votes. The lead over B is settled.",
  });
});

test("nothing is promised where nobody can tell", () => {
  const lines = [line("a", 1), line("b", 1)];
  const text = (more: Partial<Leaderboard>) => boardSentence(board(lines, more))?.text;
  expect(text({ decision: decision({ votes_needed: null }) })).toContain("too close to say how many");
  expect(text({ decision: decision({ votes_needed: 2_000_000 }) })).toContain("too close to say how many");
  expect(text({ decision: decision({ comparable: false }) })).toContain("No battles link A and B");
  expect(text({ method: "elo" })).toContain("Elo has no intervals");
  expect(boardSentence(board([]))).toBeNull();
  const young = board([line("a", 1), line("b", 2, { provisional: true })]);
  expect(boardSentence(young)?.title).toBe("Too early to say who leads");
});
