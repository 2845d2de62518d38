import { describe, expect, it } from "vitest";
import type { MatchRecord, ModeCard, ModelCard } from "@/api/types";
import { planConsortium, withoutIdleParts } from "@/features/consortium/plan";
import { lineupFrom, withoutPlaces } from "@/features/lineup/lineup";

const models = ["ada", "bob", "eve"].map(
  (id) => ({ id, enabled: true, capabilities: ["text"] }) as unknown as ModelCard,
);
const info = {
  name: "consortium",
  brief_schema: { properties: { max_iterations: { default: 3 }, roles: { default: null } } },
  seating: {
    groups: [
      { role: "arbiter", least: 1, most: 1, draw: "chosen", names: ["arbiter"] },
      { role: "member", least: 1, most: 10, draw: "chosen", names: [] },
    ],
  },
} as unknown as ModeCard;
const record = (seats: Record<string, string>, brief: object) =>
  ({
    match: {
      id: "m",
      brief,
      seats: Object.entries(seats).map(([name, id]) => ({
        name,
        role: name === "arbiter" ? name : "member",
        model: { id },
      })),
    },
    turns: [{ id: "t" }],
  }) as unknown as MatchRecord;
const situation = { record: null, model: null, from: null, models, info, setup: null };

it("keeps the parts of those who stay", () => {
  const lineup = lineupFrom({ arbiter: "eve", a: "ada", b: "bob" }, { roles: { a: "Doubter", b: "Second" } });
  expect(withoutIdleParts(withoutPlaces(lineup, ["b"])).brief.roles).toEqual({ a: "Doubter" });
  expect(withoutIdleParts(withoutPlaces(lineup, ["a", "b"])).brief.roles).toBeNull();
});

describe("the next prompt of a consortium", () => {
  const seats = { arbiter: "eve", a: "ada", b: "bob" };

  it("goes on in the match while line-up and settings are the same", () => {
    const whole = record(seats, { max_iterations: 3, roles: null });
    expect(planConsortium({ ...situation, record: whole })).toEqual({ kind: "turn", matchId: "m" });
    const setup = lineupFrom(seats, {});
    expect(planConsortium({ ...situation, record: whole, setup })).toEqual({ kind: "turn", matchId: "m" });
  });

  it("begins a new match from the arbiter's words where they changed", () => {
    const setup = lineupFrom(seats, { max_iterations: 2 });
    expect(planConsortium({ ...situation, record: record(seats, { max_iterations: 3 }), setup })).toEqual({
      kind: "match",
      seats,
      brief: { max_iterations: 2 },
      continue_from: { turn_id: "t", seat: "arbiter" },
    });
  });

  it("waits for a model", () => {
    expect(planConsortium({ ...situation, models: [] }).kind).toBe("wait");
  });
});
