import { expect, test } from "vitest";
import type { MatchRecord } from "@/api/types";
import { drawsAgain, isFresh } from "@/features/battle/redraw";

const record = (status: string, id = "m1") =>
  ({ match: { id, status }, turns: [] }) as unknown as MatchRecord;
const moment = { record: record("void"), seenRunning: true, typed: false, automatic: [] as string[] };

test("a battle that becomes void before the person's eyes draws again", () => {
  expect(drawsAgain(moment)).toBe(true);
});

test.each([
  ["that is not void", { record: record("open") }],
  ["that was void when it was opened", { seenRunning: false }],
  ["beside which the person has begun to write", { typed: true }],
  ["that was itself drawn by the page", { automatic: ["m1"] }],
])("a battle %s does not", (_, change) => {
  expect(drawsAgain({ ...moment, ...change })).toBe(false);
});

test("a battle was seen to become void if it was asked on this page just now", () => {
  const created = "2026-01-01T12:00:00+00:00";
  const at = Date.parse(created);
  expect(isFresh(created, at - 1000, at + 500)).toBe(true);
  expect(isFresh(created, at + 1, at + 500)).toBe(false);
  expect(isFresh(created, at - 1000, at + 60_000)).toBe(false);
});
