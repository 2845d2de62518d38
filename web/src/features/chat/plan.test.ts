import { expect, test } from "vitest";
import type { MatchRecord } from "@/api/types";
import { planChat } from "@/features/chat/plan";

const record = {
  match: { id: "m", seats: [{ name: "assistant", model: { id: "one" } }] },
  turns: [{ id: "t1" }, { id: "t2" }],
} as unknown as MatchRecord;

test("the same model goes on in the same match", () => {
  expect(planChat({ record, model: "one", from: null, setup: null })).toEqual({ kind: "turn", matchId: "m" });
});

test("another model carries the conversation on from its last turn", () => {
  expect(planChat({ record, model: "two", from: null, setup: null })).toEqual({
    kind: "match",
    seats: { assistant: "two" },
    continue_from: { turn_id: "t2", seat: "assistant" },
  });
});

test("a chat that continues from a battle begins a match there", () => {
  const from = { turn_id: "b", seat: "left" };
  expect(planChat({ record: null, model: "one", from, setup: null })).toEqual({
    kind: "match",
    seats: { assistant: "one" },
    continue_from: from,
  });
});

test("without a model nothing is sent, and the reason is said", () => {
  expect(planChat({ record: null, model: null, from: null, setup: null })).toMatchObject({ kind: "wait" });
});

test("other settings carry the conversation on in a match that has them", () => {
  const setup = { temperature: 0.2, max_output_tokens: null, system_prompt: null };
  expect(planChat({ record, model: "one", from: null, setup })).toEqual({
    kind: "match",
    seats: { assistant: "one" },
    seat_settings: { assistant: setup },
    continue_from: { turn_id: "t2", seat: "assistant" },
  });
});

test("settings without a value are as none", () => {
  const setup = { temperature: null, max_output_tokens: null, system_prompt: null };
  expect(planChat({ record, model: "one", from: null, setup })).toEqual({ kind: "turn", matchId: "m" });
});
