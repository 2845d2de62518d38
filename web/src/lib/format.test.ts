import { expect, test } from "vitest";
import {
  counted,
  formatAbout,
  formatBlend,
  formatChance,
  formatContext,
  formatCost,
  formatMargin,
  formatMs,
  formatPercent,
  formatPrice,
  formatRate,
  formatSigned,
} from "@/lib/format";
import { ago, dayGroup } from "@/lib/time";

test("times", () => {
  expect([null, 412, 3210, 32_100, 125_000].map(formatMs)).toEqual([
    "–",
    "412 ms",
    "3.21 s",
    "32.1 s",
    "2 min 5 s",
  ]);
});

test("costs keep enough digits to be seen", () => {
  expect([null, 0, 12, 432, 250_000].map(formatCost)).toEqual(["–", "$0", "< $0.0001", "$0.0004", "$0.25"]);
});

test("prices have two digits, or three where the third one counts", () => {
  expect([0, 3, 0.5, 0.05, 0.075, 2.4].map(formatPrice)).toEqual([
    "$0",
    "$3",
    "$0.50",
    "$0.05",
    "$0.075",
    "$2.40",
  ]);
});

test("rates, contexts and signs", () => {
  expect([3.12, 66.6].map(formatRate)).toEqual(["3.1 tok/s", "67 tok/s"]);
  expect([null, 512, 32_768, 1_000_000].map(formatContext)).toEqual(["–", "512", "33k", "1M"]);
  expect([15.6, -3.2, 0.2].map(formatSigned)).toEqual(["+16", "−3", "±0"]);
});

test("sessions are grouped by calendar days, not by spans of 24 hours", () => {
  const now = new Date(2026, 5, 15, 0, 30);
  const at = (...when: [number, number, number, number]) => new Date(...when).toISOString();
  expect(dayGroup(at(2026, 5, 15, 0), now)).toBe("Today");
  expect(dayGroup(at(2026, 5, 14, 23), now)).toBe("Yesterday");
  expect(dayGroup(at(2026, 5, 9, 12), now)).toBe("Last 7 days");
  expect(dayGroup(at(2026, 4, 1, 12), now)).toBe("Older");
});

test("a chance is never rounded up to certainty", () => {
  expect([0.5, 0.764, 0.992, 0.9949, 0.9999, 0.004].map(formatChance)).toEqual([
    "50%",
    "76%",
    "99.2%",
    "99.4%",
    "over 99.9%",
    "under 1%",
  ]);
});

test("guesses have two digits that mean something", () => {
  expect([1, 42, 187, 1_940, 301_967].map(formatAbout)).toEqual(["1", "42", "190", "1,900", "300,000"]);
});

test("margins, shares, mixed prices and plurals", () => {
  const margins = [
    [990, 1010],
    [999.9, 1000.1],
    [-1000, 3000],
    [null, null],
  ] as const;
  expect(margins.map(([lower, upper]) => formatMargin(lower, upper))).toEqual([
    "± 10",
    "± 1",
    "± 1000+",
    "–",
  ]);
  expect([0, 0.555, null].map(formatPercent)).toEqual(["0%", "56%", "–"]);
  expect([0, 0.031, 0.1576, 21.98].map(formatBlend)).toEqual(["$0.00", "$0.031", "$0.16", "$21.98"]);
  expect([counted(1, "vote"), counted(2345, "vote")]).toEqual(["1 vote", "2,345 votes"]);
});

test("how long ago, in the largest unit that fits", () => {
  const now = Date.UTC(2026, 5, 15, 12);
  const before = (seconds: number) => ago(new Date(now - seconds * 1000).toISOString(), now);
  expect([0, 12, 90, 7200, 90_000, 300_000].map(before)).toEqual([
    "just now",
    "12 s ago",
    "1 min ago",
    "2 h ago",
    "1 day ago",
    "3 days ago",
  ]);
  expect(before(-5)).toBe("just now");
});
