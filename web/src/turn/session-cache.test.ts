import { expect, test } from "vitest";
import type { MatchView, SessionView, TurnView } from "@/api/types";
import type { TurnState } from "@/turn/reduce-turn";
import { layTurn } from "@/turn/session-cache";

const match = (id: string, index: number) =>
  ({
    id,
    index,
    session_id: "s",
    mode: "battle",
    status: "open",
    vote: null,
    votes: [],
  }) as unknown as MatchView;
const turn = (id: string, index: number, text = "Hi") =>
  ({ id, index, input: { type: "prompt", text }, created_at: "2026-01-01T00:00:00Z" }) as TurnView;
const state = (m: MatchView, t: TurnView): TurnState => ({ match: m, turn: t, ended: false, gap: false });

test("a session that is not known yet begins with the turn, named after its first line", () => {
  const view = layTurn(undefined, state(match("m", 0), turn("t", 0, "First line\nsecond")));
  expect(view?.session).toMatchObject({ id: "s", title: "First line", mode: "battle" });
  expect(view?.matches).toHaveLength(1);
});

test("a turn replaces its older self and leaves the others as they are", () => {
  const other = { match: match("m0", 0), turns: [turn("t0", 0)] };
  const view = {
    session: {},
    matches: [other, { match: match("m1", 1), turns: [turn("t1", 0), turn("t2", 1)] }],
  };
  const next = layTurn(view as SessionView, state(match("m1", 1), turn("t2", 1, "newer")));
  expect(next?.matches[0]).toBe(other);
  expect(next?.matches[1]?.turns.map((each) => each.input)).toEqual([
    { type: "prompt", text: "Hi" },
    { type: "prompt", text: "newer" },
  ]);
});

test("a new match comes after the ones before it", () => {
  const view = { session: {}, matches: [{ match: match("m0", 0), turns: [] }] } as unknown as SessionView;
  expect(layTurn(view, state(match("m1", 1), turn("t", 0)))?.matches.map((each) => each.match.id)).toEqual([
    "m0",
    "m1",
  ]);
});

test("a vote on an earlier turn shows while a later one streams, and the match stays one object", () => {
  const streamed = match("m", 0);
  const votes = [{ id: "v" }] as unknown as MatchView["votes"];
  const known = { ...match("m", 0), vote: votes[0] ?? null, votes };
  const view = { session: {}, matches: [{ match: known, turns: [turn("t1", 0)] }] } as unknown as SessionView;
  const lay = (text: string) => layTurn(view, state(streamed, turn("t2", 1, text)))?.matches[0]?.match;
  expect(lay("one")?.votes).toBe(votes);
  expect(lay("two")).toBe(lay("one"));
});
