import { describe, expect, it } from "vitest";
import type { MatchRecord, ModeCard, ModelCard, SeatView } from "@/api/types";
import { type Lineup, lineupFrom, withoutPlaces } from "@/features/lineup/lineup";
import { INPUT_WORDS } from "@/features/team/input-words";
import { planTeam } from "@/features/team/plan";
import { type ReadyTeam, seatTeam, teamRoles, withoutIdleMembers } from "@/features/team/roles";

const models = ["ada", "bob", "eve"].map(
  (id) => ({ id, enabled: true, capabilities: ["text"] }) as unknown as ModelCard,
);
const ROLES = ["Proposer", "Critic", "Devil's advocate", "Fact checker", "Domain expert", "Moderator"];
const info = {
  name: "team",
  brief_schema: {
    properties: { members: { default: {} }, strategy: { default: "debate" }, writer: { default: null } },
    "x-roles": ROLES.map((role) => ({ role, instructions: "" })),
  },
  seating: { groups: [{ role: "member", least: 2, most: 8, draw: "chosen", names: [] }], settings: true },
} as unknown as ModeCard;

const lineup = (brief: object, seats: Record<string, string> = { a: "ada", b: "bob", c: "eve" }) =>
  lineupFrom(seats, brief as Record<string, unknown>);
const situation = (setup: Lineup | null, record: MatchRecord | null = null) => ({
  record,
  model: null,
  from: null,
  models,
  info,
  setup,
});

describe("the cast of a team", () => {
  it("deals the ready roles in their order, and numbers those that are there twice", () => {
    expect(teamRoles(info, lineup({})).roles).toEqual({ a: "Proposer", b: "Critic", c: "Devil's advocate" });
    const own = { a: { role: "Critic" }, c: { role: "critic" } };
    expect(teamRoles(info, lineup({ members: own })).roles).toEqual({
      a: "Critic",
      b: "Critic 2",
      c: "critic 3",
    });
  });

  it("has the chair write the synthesis, else the proposer", () => {
    const chaired = teamRoles(info, lineup({ members: { b: { role: "moderator" } } }));
    expect([chaired.chair, chaired.usualWriter, chaired.speakers]).toEqual(["b", "b", ["a", "c"]]);
    const panel = teamRoles(info, lineup({ strategy: "panel" }));
    expect([panel.chair, panel.roles.c]).toEqual(["c", "Moderator"]);
    const free = teamRoles(info, lineup({ members: { a: { role: "Critic" }, b: { role: "Proposer" } } }));
    expect([free.chair, free.usualWriter]).toEqual([null, "b"]);
  });
});

describe("the next question", () => {
  it("goes to a working team without anything chosen", () => {
    expect(planTeam(situation(null))).toEqual({
      kind: "match",
      seats: { a: "ada", b: "bob", c: "eve" },
      brief: {},
    });
  });

  it("waits for a second member besides the chair", () => {
    const two = lineup({ strategy: "trial" }, { a: "ada", b: "bob" });
    expect(planTeam(situation(two))).toMatchObject({ kind: "wait" });
  });

  it("goes on in the match, and with another team carries on from who wrote last", () => {
    const record = {
      match: {
        id: "m",
        brief: { members: {}, strategy: "debate", writer: null },
        seats: [
          { name: "a", role: "member", model: { id: "ada" } },
          { name: "b", role: "member", model: { id: "bob" } },
        ],
      },
      turns: [{ id: "t", notes: [{ name: "team.plan/1", seq: 1, data: { writer: "b" } }] }],
    } as unknown as MatchRecord;
    expect(planTeam(situation(null, record))).toEqual({ kind: "turn", matchId: "m" });
    const other = lineup({ strategy: "critique" }, { a: "ada", b: "bob" });
    expect(planTeam(situation(other, record))).toMatchObject({
      kind: "match",
      continue_from: { turn_id: "t", seat: "b" },
    });
  });
});

it("seats a ready-made team, with those who sit there first, and again where there are too few models", () => {
  const team = {
    name: "Risk",
    about: "",
    brief: {
      strategy: "red_team",
      members: Object.fromEntries([..."abcd"].map((seat) => [seat, { role: seat }])),
    },
  } as ReadyTeam;
  const seated = seatTeam(team, models, lineup({}, { a: "eve" }));
  expect(seated.places.map(({ name, model }) => `${name} ${model}`)).toEqual([
    "a eve",
    "b ada",
    "c bob",
    "d eve",
  ]);
  expect(seated.brief).toEqual(team.brief);
});

it("forgets the roles and the writer of those who are gone", () => {
  const before = lineup({ members: { a: { role: "X" }, c: { role: "Y" } }, writer: "c" });
  expect(withoutIdleMembers(withoutPlaces(before, ["c"])).brief).toEqual({
    members: { a: { role: "X" } },
    writer: null,
  });
});

it("calls experts by their roles, and takes a text at a pause for a fact", () => {
  const record = (next: string, status = "completed") =>
    ({
      turns: [
        {
          status,
          notes: [
            { name: "team.plan/1", seq: 1, data: { members: [{ seat: "b", role: "Critic" }] } },
            { name: "team.round/1", seq: 3, data: { next } },
            { name: "team.round/1", seq: 2, data: { next: "round" } },
          ],
        },
      ],
    }) as unknown as MatchRecord;
  expect(INPUT_WORDS.usual(record("pause"))).toBe("add");
  expect(INPUT_WORDS.usual(record("end"))).toBeNull();
  expect(INPUT_WORDS.usual(record("pause", "stopped"))).toBeNull();
  const seat = (name: string) => ({ name, label: name, model: { name: "Bob" } }) as unknown as SeatView;
  expect(INPUT_WORDS.seatName(record("end"), seat("b"))).toBe("Critic · Bob");
  expect(INPUT_WORDS.seatName(record("end"), seat("c"))).toBe("Bob");
});
