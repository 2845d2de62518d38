import { expect, test } from "vitest";
import type { UsageTable } from "@/api/usage";
import { readAnalyticsSearch } from "@/features/analytics/analytics-search";
import { intervalOf, plotOf, sumOf, timesOf } from "@/features/analytics/plot";
import { questionOf, spanBefore, spanOf, unfiltered } from "@/features/analytics/question";
import { formatShort, formatValue, sayBy } from "@/features/analytics/words";

const table = (rows: UsageTable["rows"], by = ["day", "model"]): UsageTable => ({
  measure: "cost",
  title: "Cost",
  needs: "",
  by,
  values: [
    { name: "cost_micros", title: "Cost", unit: "micros" },
    { name: "unpriced", title: "Unpriced", unit: "count" },
  ],
  rows,
  total: null,
  names: {},
  start: "2026-11-01T00:00:00+00:00",
  end: "2026-11-04T00:00:00+00:00",
  updated_at: null,
});
const card = { title: "Cost", measure: "cost", kind: "stacked" as const, by: ["day"], value: "cost_micros" };
const measure = { name: "cost", title: "", needs: "", values: [], by: ["hour", "day"], where: ["model"] };

test("every day of the range stands in the plot, and the smallest groups are one", () => {
  const rows = Array.from({ length: 9 }, (_, at): UsageTable["rows"][number] => [
    "2026-11-02T00:00:00+00:00",
    `m${at}`,
    at + 1,
    0,
  ]);
  const plot = plotOf(card, table(rows), new Map([["m8", "Ninth"]]));
  expect(plot.times).toHaveLength(3);
  expect(plot.groups.map(({ label }) => label)).toEqual(["Ninth", "m7", "m6", "m5", "m4", "4 more"]);
  expect(plot.groups.reduce((sum, group) => sum + sumOf(group), 0)).toBe(45);
  expect(plot.groups[0]?.values).toEqual([null, 9, null]);
});

test("without another group the values of one unit are the groups", () => {
  const plot = plotOf(card, table([["2026-11-03T00:00:00+00:00", 5, 2]], ["day"]), new Map());
  expect(plot.groups.map(({ id, values }) => [id, values])).toEqual([["cost_micros", [null, null, 5]]]);
});

test("weeks begin on Monday", () => {
  expect(timesOf(table([], ["week"]))).toEqual(["2026-10-26T00:00:00.000Z", "2026-11-02T00:00:00.000Z"]);
});

test("a day is asked by the hour, and only for filters that the measure has", () => {
  const span = spanOf(1, Date.parse("2026-11-28T10:30:00Z"));
  expect(span).toEqual({ from: "2026-11-27T11:00:00.000Z", to: "2026-11-28T11:00:00.000Z" });
  expect(spanBefore(span).to).toBe(span.from);
  const search = { model: "ada", mode: "chat" };
  expect(questionOf(card, measure, search, "me", span)).toMatchObject({ by: "hour", where: "model:ada" });
  expect(unfiltered(measure, search)).toEqual(["mode"]);
});

test("figures read with their units", () => {
  expect([formatShort(38_400_000), formatShort(62_100), formatShort(512)]).toEqual([
    "38.4 M",
    "62.1 k",
    "512",
  ]);
  expect([formatValue(null, "ms"), formatValue(0.006, "share"), formatValue(2, "per")]).toEqual([
    "–",
    "0.6%",
    "2.00",
  ]);
  expect(sayBy(["day", "model"])).toBe("by model, a day");
});

test("an interval narrows with votes, and stays within its scale", () => {
  const [low, high] = intervalOf(1, 3);
  expect(high).toBe(1);
  expect(low).toBeLessThan(0.5);
  const [near, far] = intervalOf(0.5, 1000);
  expect(far - near).toBeLessThan(0.07);
});

test("an address with nonsense has the defaults", () => {
  expect(readAnalyticsSearch({ of: "x", days: "12", model: 3 })).toEqual({});
  expect(readAnalyticsSearch({ of: "me", days: "7", mode: "chat" })).toEqual({
    of: "me",
    days: 7,
    mode: "chat",
  });
});
