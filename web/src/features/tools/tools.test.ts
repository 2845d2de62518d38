import { expect, test } from "vitest";
import type { ReplyView, TurnView } from "@/api/types";
import { chartOf, csvOf, type QueryTable, queryOf, tableOf } from "@/features/tools/query-result";
import { answerIn, answersOf, hasTables, stepsOf } from "@/features/tools/steps";

const reply = (order: number, text: string, cost_micros: number | null) =>
  ({
    seat: "assistant",
    path: "",
    order,
    text,
    metrics: { cost_micros, duration_ms: 100, ttft_ms: order * 10, output_tokens: 5 },
  }) as ReplyView;

const TABLE = JSON.stringify({
  columns: ["region", "sum"],
  numeric: [false, true],
  rows: [
    ["North", 3],
    ["=South", -1.5],
  ],
  row_count: 2,
});

test("the answer is the last step, and costs what all of them did", () => {
  const turn = { replies: [reply(1, "Seven.", 20), reply(0, "", 10)] } as TurnView;
  const steps = stepsOf(turn, "assistant");
  expect(steps.map(({ text }) => text)).toEqual(["", "Seven."]);
  const answer = answerIn(steps);
  expect([answer?.text, answer?.metrics?.cost_micros, answer?.metrics?.duration_ms]).toEqual([
    "Seven.",
    30,
    200,
  ]);
  expect(answerIn([reply(0, "", null), reply(1, "", 1)])?.metrics?.cost_micros).toBeNull();
});

test("a result is read, drawn and exported", () => {
  const table = tableOf(TABLE);
  expect(table?.rowCount).toBe(2);
  expect(table && chartOf(table)).toEqual({
    kind: "bars",
    title: "sum",
    points: [
      { label: "North", value: 3 },
      { label: "=South", value: -1.5 },
    ],
  });
  expect(table && csvOf(table)).toBe("region,sum\r\nNorth,3\r\n'=South,-1.5\r\n");
  expect(tableOf("The tool failed.")).toBeNull();
});

const rowsOf = (numeric: boolean[], columns: string[], ...rows: QueryTable["rows"]): QueryTable => ({
  columns,
  numeric,
  rows,
  rowCount: rows.length,
});

test("rows that follow each other in time are a line", () => {
  const days = rowsOf(
    [false, true],
    ["day", "n"],
    ["2026-01-01 00:00:00", 3],
    ["2026-01-02", 1],
    ["2026-01-03", 4],
  );
  expect(chartOf(days)).toMatchObject({ kind: "line", points: [{ label: "2026-01-01", value: 3 }, {}, {}] });
  const years = rowsOf([true, true], ["year", "sum"], [2024, 1], [2025, 2], [2026, 3]);
  expect(chartOf(years)).toMatchObject({ kind: "line", title: "sum", points: [{ label: "2024" }, {}, {}] });
  const mixed = rowsOf([false, true], ["day", "n"], ["2026-01-02", 3], ["2026-01-01", 1], ["2026-01-03", 4]);
  expect(chartOf(mixed)?.kind).toBe("bars");
});

test("two columns of names are one name, wherever the number stands", () => {
  const both = rowsOf(
    [true, false, false],
    ["n", "region", "product"],
    [3, "North", "Tent"],
    [2, "North", "Jacket"],
  );
  expect(chartOf(both)).toMatchObject({ kind: "bars", points: [{ label: "North · Tent", value: 3 }, {}] });
});

test("where a chart helps nobody there is none", () => {
  expect(chartOf(rowsOf([true], ["count"], [5]))).toBeNull();
  expect(chartOf(rowsOf([true, true], ["a", "b"], [5, 1], [6, 2]))).toBeNull();
  expect(chartOf(rowsOf([false, true], ["name", "n"], ["x", 1], ["x", 2]))).toBeNull();
  expect(chartOf(rowsOf([false, true], ["name", "n"], ["x", 1], ["y", null]))).toBeNull();
});

test("an answer in a round has its steps, and one place in a battle", () => {
  const said = (purpose: string, text: string) => ({ ...reply(0, text, 1), purpose });
  const answers = answersOf([said("respond.01", "Seven."), said("respond", ""), said("choose", "b")]);
  expect(answers.map(({ reply: { purpose, text }, steps }) => [purpose, text, steps.length])).toEqual([
    ["choose", "b", 1],
    ["respond", "Seven.", 2],
  ]);
});

test("a query is read from what a model wrote", () => {
  expect(queryOf('{"sql":"SELECT 1","title":"One"}')).toEqual({ sql: "SELECT 1", title: "One" });
  expect(queryOf("{")).toBeNull();
});

test("files with tables are known by their names", () => {
  expect(["a.CSV", "b.parquet", "c.txt"].map(hasTables)).toEqual([true, true, false]);
});
