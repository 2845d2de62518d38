import { expect, test } from "vitest";
import type { ReplyView, TurnView } from "@/api/types";
import { barsOf, csvOf, queryOf, tableOf } from "@/features/tools/query-result";
import { answerIn, hasTables, stepsOf } from "@/features/tools/steps";

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
  expect(table && barsOf(table)).toEqual({
    title: "sum",
    bars: [
      { label: "North", value: 3 },
      { label: "=South", value: -1.5 },
    ],
  });
  expect(table && csvOf(table)).toBe("region,sum\r\nNorth,3\r\n'=South,-1.5\r\n");
  expect(tableOf("The tool failed.")).toBeNull();
});

test("a query is read from what a model wrote", () => {
  expect(queryOf('{"sql":"SELECT 1","title":"One"}')).toEqual({ sql: "SELECT 1", title: "One" });
  expect(queryOf("{")).toBeNull();
});

test("files with tables are known by their names", () => {
  expect(["a.CSV", "b.parquet", "c.txt"].map(hasTables)).toEqual([true, true, false]);
});
