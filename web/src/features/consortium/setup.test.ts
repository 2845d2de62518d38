import { describe, expect, it } from "vitest";
import type { MatchRecord, ModeCard, ModelCard } from "@/api/types";
import {
  currentSetup,
  planConsortium,
  seatsOf,
  setupFrom,
  usualSetup,
  withMembers,
} from "@/features/consortium/setup";

const models = [
  ["ada", 1],
  ["bob", 9],
  ["cy", 2],
  ["dee", 3],
  ["eve", 8],
].map(
  ([id, output]) =>
    ({ id, enabled: true, capabilities: ["text"], prices: { input: 1, output } }) as unknown as ModelCard,
);
const info = {
  name: "consortium",
  brief_schema: { properties: { max_iterations: { default: 3 }, roles: { default: null } } },
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

describe("a line-up", () => {
  it("is at first three models and the dearest of the others as arbiter", () => {
    expect(seatsOf(usualSetup(models) as never)).toEqual({ arbiter: "eve", a: "ada", b: "bob", c: "cy" });
  });

  it("seats a model as often as was said, and roles stay with their models", () => {
    const setup = setupFrom(
      { arbiter: "eve", a: "ada", b: "bob", c: "ada" },
      { roles: { b: "Doubter", c: "Second" } },
    );
    expect(seatsOf(setup)).toEqual({ arbiter: "eve", a: "ada", b: "ada", c: "bob" });
    expect(setup.brief.roles).toEqual({ c: "Doubter", b: "Second" });
    expect(withMembers(setup, [{ model: "bob", count: 1 }]).brief.roles).toEqual({ a: "Doubter" });
  });

  it("leaves out models that are gone", () => {
    const setup = setupFrom({ arbiter: "gone", a: "gone", b: "dee" }, {});
    expect(seatsOf(currentSetup({ ...situation, setup }) as never)).toEqual({ arbiter: "eve", a: "dee" });
  });
});

describe("the next prompt", () => {
  const seats = { arbiter: "eve", a: "ada", b: "bob" };

  it("goes on in the match while line-up and settings are the same", () => {
    const whole = record(seats, { max_iterations: 3, roles: null });
    expect(planConsortium({ ...situation, record: whole })).toEqual({ kind: "turn", matchId: "m" });
    const setup = setupFrom(seats, {});
    expect(planConsortium({ ...situation, record: whole, setup })).toEqual({ kind: "turn", matchId: "m" });
  });

  it("begins a new match from the arbiter's words where they changed", () => {
    const setup = setupFrom(seats, { max_iterations: 2 });
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
