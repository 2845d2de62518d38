import { expect, test } from "vitest";
import type { Limit } from "@/api/limits";
import {
  amountIn,
  amountText,
  amountWords,
  waitText,
  widthsOf,
  writtenAmount,
} from "@/features/limits/amounts";
import { nearest } from "@/features/limits/limit-note";

const limit = (rest: Partial<Limit>): Limit => ({
  id: "1",
  subject: { kind: "person", id: "ana", name: "Ana" },
  meter: "money",
  period: "day",
  cap: 10_000_000,
  warn_percent: 80,
  unpriced: "refuse",
  raised_by: null,
  raised_until: null,
  spent: 0,
  held: 0,
  left: 10_000_000,
  unconfirmed: 0,
  resets_at: "2026-11-29T00:00:00+00:00",
  is_near: false,
  rounded: true,
  ...rest,
});

test("amounts have the unit of their limit", () => {
  expect([4_100_000, 0, 999, 250_000_000_000].map((micros) => amountText("money", micros))).toEqual([
    "$4.10",
    "$0.00",
    "$0.0010",
    "$250,000",
  ]);
  expect([999_999, 1_940_000].map((tokens) => amountText("tokens", tokens))).toEqual(["999,999", "1.94 M"]);
  expect([amountWords("images", 1), amountWords("images", 26)]).toEqual(["1 picture", "26 pictures"]);
});

test("what is typed is an amount in the unit, or none", () => {
  expect(["$4.10", "1,000", "", "x", "-1", "1.5"].map((text) => amountIn("money", text))).toEqual([
    4_100_000,
    1_000_000_000,
    null,
    null,
    null,
    1_500_000,
  ]);
  expect([amountIn("tokens", "1.5"), amountIn("tokens", "2 000 000")]).toEqual([null, 2_000_000]);
  expect(writtenAmount("money", 4_100_000)).toBe("4.1");
});

test("the wait is in days and hours, hours and minutes, or minutes", () => {
  const now = Date.UTC(2026, 10, 28, 15, 48);
  expect(waitText("2026-11-29T00:00:00Z", now)).toBe("8 h 12 min");
  expect(waitText("2026-12-02T00:00:00Z", now)).toBe("3 d 8 h");
  expect(waitText("2026-11-28T15:48:01Z", now)).toBe("1 min");
});

test("a bar never outgrows its width", () => {
  expect(widthsOf(limit({ spent: 9_000_000, held: 2_000_000 }))).toEqual({ spent: 90, held: 10, raised: 0 });
  expect(widthsOf(limit({ cap: 0 })).spent).toBe(100);
});

test("the composer names the limit with the least left that counts here", () => {
  const near = { is_near: true, left: 1_000_000 };
  const workspace = limit({ ...near, left: 1, subject: { kind: "workspace", id: "lab", name: "Lab" } });
  const key = limit({ ...near, left: 0, subject: { kind: "api_key", id: "k", name: "ci" } });
  const person = limit(near);
  expect(nearest([workspace, key, person, limit({ left: 0 })], null)).toBe(person);
  expect(nearest([workspace, key, person], "lab")).toBe(workspace);
  expect(nearest([], null)).toBeUndefined();
});
