import { expect, test } from "vitest";
import type { MatchRecord } from "@/api/types";
import { LOADING } from "@/features/arena/mode-feature";
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

test("another model that takes no reasoning effort is asked without the one that was chosen", () => {
  const models = [
    { id: "one", capabilities: ["reasoning"] },
    { id: "two", capabilities: [] },
  ] as never;
  const setup = { temperature: null, max_output_tokens: null, system_prompt: null, reasoning_effort: "high" };
  const asked = { record: null, models, from: null, setup, instructions: null };
  expect(planChat({ ...asked, model: "one" })).toMatchObject({ seat_settings: { assistant: setup } });
  expect(planChat({ ...asked, model: "two" })).toEqual({ kind: "match", seats: { assistant: "two" } });
});

test("a new chat begins by its person's instructions, a conversation that goes on does not", () => {
  const asked = { model: "one", from: null, setup: null, instructions: "Be brief." };
  const system_prompt = "Be brief.";
  expect(planChat({ ...asked, record: null })).toMatchObject({
    seat_settings: { assistant: { system_prompt } },
  });
  expect(planChat({ ...asked, record })).toEqual({ kind: "turn", matchId: "m" });
  expect(planChat({ ...asked, record: null, from: { turn_id: "b", seat: "left" } })).not.toHaveProperty(
    "seat_settings",
  );
  const cleared = { temperature: null, max_output_tokens: null, system_prompt: null, reasoning_effort: null };
  expect(planChat({ ...asked, record: null, setup: cleared })).not.toHaveProperty("seat_settings");
});

test("before the models are here the plan is on its way, which is no reason to refuse", () => {
  const asked = { record: null, model: null, from: null, setup: null };
  expect(planChat(asked)).toBe(LOADING);
  expect(planChat({ ...asked, models: [] })).toMatchObject({ why: "No models available" });
});
