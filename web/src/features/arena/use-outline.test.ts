import { expect, test } from "vitest";
import type { MatchRecord, ReplyView, TurnView } from "@/api/types";
import { sameRecord, sameTurn } from "@/features/arena/use-outline";

const reply = (text: string, status = "streaming") => ({ id: "r", attempt: 1, status, text }) as ReplyView;
const turn = (replies: ReplyView[], more: Partial<TurnView> = {}) =>
  ({ id: "t", status: "running", replies, notes: NOTES, ...more }) as TurnView;
const NOTES: TurnView["notes"] = [];

test("a turn whose replies only grow is the same", () => {
  expect(sameTurn(turn([reply("a")]), turn([reply("ab")]))).toBe(true);
});

test.each([
  ["a reply ends", turn([reply("a", "completed")])],
  ["a reply is added", turn([reply("a"), reply("b")])],
  ["the turn ends", turn([reply("a")], { status: "completed" })],
  ["a note is added", turn([reply("a")], { notes: [] })],
])("it is another one when %s", (_, after) => {
  expect(sameTurn(turn([reply("a")]), after)).toBe(false);
});

test("a record is another one when its match changes or a turn is added", () => {
  const match = { id: "m" } as MatchRecord["match"];
  const before = { match, turns: [turn([reply("a")])] };
  expect(sameRecord(before, { match, turns: [turn([reply("ab")])] })).toBe(true);
  expect(sameRecord(before, { match: { ...match }, turns: before.turns })).toBe(false);
  expect(sameRecord(before, { match, turns: [...before.turns, turn([])] })).toBe(false);
  expect(sameRecord(null, before)).toBe(false);
});
