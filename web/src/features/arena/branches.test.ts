import { expect, test } from "vitest";
import type { MatchRecord } from "@/api/types";
import { pathOf, picksTo } from "@/features/arena/branches";

const chats = (mode: string) => mode === "chat";
let clock = 0;

/** A match with these turns; `from` is the turn whose conversation it carries on. */
function match(id: string, turns: string[], from: string | null = null, mode = "chat"): MatchRecord {
  const continues = from && { turn_id: from, seat: "assistant" };
  return {
    match: { id, mode, seats: [{ name: "assistant", continues }] },
    turns: turns.map((turn) => ({ id: turn, created_at: `2026-01-01T00:00:${10 + clock++}Z` })),
  } as unknown as MatchRecord;
}

const shown = (matches: MatchRecord[], picks = {}) =>
  pathOf(matches, picks, chats).matches.flatMap(({ turns }) => turns.map(({ id }) => id));

test("a conversation without branches is shown whole, as the same objects", () => {
  const matches = [match("m", ["a", "b"]), match("n", ["c"], "b")];
  const path = pathOf(matches, {}, chats);
  expect(path.matches).toEqual(matches);
  expect(path.matches[0]).toBe(matches[0]);
  expect(path.forks.size).toBe(0);
});

test("a question that was edited replaces what followed, and both ways can be browsed", () => {
  const matches = [match("m", ["a", "b", "c"]), match("n", ["b2"], "a")];
  expect(shown(matches)).toEqual(["a", "b2"]);
  const { forks } = pathOf(matches, {}, chats);
  const fork = forks.get("b2");
  expect(fork).toMatchObject({ ways: ["b", "b2"], shown: 1 });
  expect(shown(matches, { [fork?.place ?? ""]: { turn: "b", of: 2 } })).toEqual(["a", "b", "c"]);
});

test("the first question can be edited too; a battle between two chats parts them", () => {
  expect(shown([match("m", ["a"]), match("n", ["a2"])])).toEqual(["a2"]);
  const parted = [match("m", ["a"]), match("x", ["duel"], null, "battle"), match("n", ["z"])];
  expect(shown(parted)).toEqual(["a", "duel", "z"]);
});

test("what is asked later at a place is shown, whatever was picked before", () => {
  const matches = [match("m", ["a", "b"]), match("n", ["b2"], "a")];
  const picks = { "a.assistant": { turn: "b", of: 2 } };
  expect(shown(matches, picks)).toEqual(["a", "b"]);
  expect(shown([...matches, match("o", ["b3"], "a")], picks)).toEqual(["a", "b3"]);
});

test("what carries on from a hidden turn is hidden with it", () => {
  const matches = [match("m", ["a", "b"]), match("n", ["b2"], "a"), match("o", ["c2"], "b2")];
  expect(shown(matches)).toEqual(["a", "b2", "c2"]);
  expect(shown(matches, { "a.assistant": { turn: "b", of: 2 } })).toEqual(["a", "b"]);
});

test("a hidden turn that is named is shown with the way to it", () => {
  const matches = [match("m", ["a", "b", "c"]), match("n", ["b2", "c2"], "a"), match("o", ["c3"], "b2")];
  expect(shown(matches, picksTo("c", matches, chats))).toEqual(["a", "b", "c"]);
  expect(shown(matches, picksTo("c2", matches, chats))).toEqual(["a", "b2", "c2"]);
  expect(shown(matches, picksTo("nowhere", matches, chats))).toEqual(["a", "b2", "c3"]);
});

test("two ways from a battle's sides stand one after the other", () => {
  const battle = match("x", ["duel"], null, "battle");
  const left = match("l", ["p"], "duel");
  const right = match("r", ["q"], "duel");
  for (const seat of right.match.seats) seat.continues = { turn_id: "duel", seat: "right" };
  expect(shown([battle, left, right])).toEqual(["duel", "p", "q"]);
});
