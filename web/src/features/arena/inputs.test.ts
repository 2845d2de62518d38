import { describe, expect, it } from "vitest";
import type { MatchRecord, ModeCard } from "@/api/types";
import { given, possibleInputs } from "@/features/arena/inputs";

const info = {
  name: "panel",
  inputs: ["prompt", "continue", "steer"],
  listens: ["add", "ask", "synthesise"],
} as unknown as ModeCard;
const record = { match: { id: "m" }, turns: [] } as unknown as MatchRecord;
const goesOn = { kind: "turn", matchId: "m" } as const;

describe("what can be given", () => {
  it("is a question at first, and in a new match", () => {
    expect(possibleInputs(info, null, false, { kind: "match" })).toEqual(["prompt"]);
    expect(possibleInputs(info, record, false, { kind: "match" })).toEqual(["prompt"]);
  });

  it("is what the mode takes where its match goes on", () => {
    expect(possibleInputs(info, record, false, goesOn)).toEqual(["prompt", "continue", "steer"]);
  });

  it("is what the mode listens to while it runs, and nothing where it does not", () => {
    expect(possibleInputs(info, record, true, goesOn)).toEqual(["add", "ask", "synthesise"]);
    expect(possibleInputs({ ...info, listens: [] }, record, true, goesOn)).toEqual([]);
  });
});

it("says a seat only where the input is about one", () => {
  expect(given("steer", "shorter", "a")).toEqual({ type: "steer", text: "shorter" });
  expect(given("ask", "why?", "a")).toEqual({ type: "ask", text: "why?", seat: "a" });
  expect(given("skip", "", "a")).toEqual({ type: "skip", seat: "a" });
  expect(given("continue", "", null)).toEqual({ type: "continue" });
});
