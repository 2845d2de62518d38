import { expect, test } from "vitest";
import { formatContext, formatCost, formatMs, formatPrice, formatRate, formatSigned } from "@/lib/format";
import { dayGroup } from "@/lib/time";

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
