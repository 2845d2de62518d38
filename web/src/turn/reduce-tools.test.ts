import { expect, test } from "vitest";
import type { ToolCallView } from "@/api/types";
import { reduceTools, type ToolEvent } from "@/turn/reduce-tools";

const called = (call_id: string, attempt = 1): ToolEvent => ({
  kind: "tool.called",
  turn_id: "t1",
  reply_id: null,
  call_id,
  name: "clock",
  arguments: "{}",
  path: "",
  round: 1,
  attempt,
});
const returned = (call_id: string, text: string): ToolEvent => ({
  kind: "tool.returned",
  turn_id: "t1",
  reply_id: null,
  call_id,
  result: { text, parts: [], error: null },
});

const play = (...events: ToolEvent[]) =>
  events.reduce<ToolCallView[] | null>((calls, event) => calls && reduceTools(calls, event), []);
const shown = (calls: ToolCallView[] | null) =>
  calls?.map(({ id, attempt, result }) => [id, attempt, result?.text ?? null]);

test("a call is shown while it runs, and then with its result", () => {
  expect(shown(play(called("a"), called("b")))).toEqual([
    ["a", 1, null],
    ["b", 1, null],
  ]);
  expect(shown(play(called("a"), called("b"), returned("a", "noon"), called("a")))).toEqual([
    ["a", 1, "noon"],
    ["b", 1, null],
  ]);
});

test("a call that is made again loses its result", () => {
  expect(shown(play(called("a"), returned("a", "noon"), called("a", 2)))).toEqual([["a", 2, null]]);
});

test("the result of an unknown call tells that something is missing", () => {
  expect(play(returned("a", "noon"))).toBeNull();
});
