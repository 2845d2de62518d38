import { expect, test } from "vitest";
import type { MatchRecord } from "@/api/types";
import { battlePlaceholder, planBattle } from "@/features/battle/plan";

const record = (match: string, turn: string) =>
  ({
    match: { id: "m", status: match, brief: {} },
    turns: [{ id: "t", status: turn }],
  }) as unknown as MatchRecord;
const plan = (last: MatchRecord | null) => planBattle({ record: last, model: null, from: null });

test("a whole, open battle takes a follow-up", () => {
  expect(plan(record("open", "completed"))).toEqual({ kind: "turn", matchId: "m" });
});

test.each([
  ["after the vote", record("voted", "completed")],
  ["after a void battle", record("void", "failed")],
  ["after a stop", record("open", "stopped")],
  ["at first", null],
])("%s the next prompt begins a new battle", (_, last) => {
  expect(plan(last)).toEqual({ kind: "match" });
});

test("a new battle has the tools that were chosen, or those of the one before", () => {
  const tools = { kind: "match", brief: { tools: true } };
  expect(planBattle({ record: null, model: null, from: null, setup: { tools: true } })).toEqual(tools);
  const before = record("voted", "completed");
  before.match.brief = { pictures: false, tools: true };
  expect(plan(before)).toEqual(tools);
  expect(planBattle({ record: before, model: null, from: null, setup: {} })).toEqual({ kind: "match" });
});

test("the composer says what the prompt will do", () => {
  expect(battlePlaceholder(null)).toMatch(/anything/);
  expect(battlePlaceholder(record("open", "running"))).toMatch(/follow-up/);
  expect(battlePlaceholder(record("voted", "completed"))).toMatch(/new battle/);
});
