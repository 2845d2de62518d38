import { describe, expect, it } from "vitest";
import type { MatchRecord, ModeCard, ModelCard } from "@/api/types";
import {
  currentLineup,
  type Group,
  lineupFrom,
  seatsOf,
  settingsOf,
  usualLineup,
  withChange,
  withoutPlaces,
  withPlace,
} from "@/features/lineup/lineup";
import { planLineup } from "@/features/lineup/plan";

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
const group = (role: string, least = 1, most = 1): Group => ({
  role,
  least,
  most,
  draw: "chosen",
  names: most === 1 ? [role] : [],
});
const aMode = (name: string, groups: Group[], properties = {}) =>
  ({ name, brief_schema: { properties }, seating: { groups, settings: true } }) as unknown as ModeCard;
const info = aMode("consortium", [group("arbiter"), group("member", 1, 10)], {
  max_iterations: { default: 3 },
  roles: { default: null },
});
const member = info.seating.groups[1] as Group;
const panel = aMode("panel", [group("panelist", 2, 4)], { rounds: { default: 2 } });
const panelist = panel.seating.groups[0] as Group;

const panelRecord = (seats: Record<string, string>, gone: Record<string, string> = {}) => {
  const sitting =
    (until_turn: number | null) =>
    ([name, id]: [string, string]) => ({
      name,
      role: "panelist",
      model: { id },
      until_turn,
    });
  return {
    match: {
      id: "m",
      status: "open",
      brief: { rounds: 2 },
      seats: [...Object.entries(seats).map(sitting(null)), ...Object.entries(gone).map(sitting(1))],
    },
    turns: [{ id: "t", replies: Object.keys(seats).map((seat) => ({ seat, status: "completed" })) }],
  } as unknown as MatchRecord;
};
const situation = { record: null, model: null, from: null, models, info, setup: null };

describe("a line-up", () => {
  it("is at first three models and the dearest of the others for a seat of one", () => {
    expect(seatsOf(usualLineup(info, models) as never)).toEqual({
      arbiter: "eve",
      a: "ada",
      b: "bob",
      c: "cy",
    });
  });

  it("has as many as a mode needs, also of few models", () => {
    const two = models.slice(0, 1);
    expect(seatsOf(usualLineup(panel, two) as never)).toEqual({ a: "ada", b: "ada" });
  });

  it("takes the first free name for who joins, and keeps the others' names", () => {
    const lineup = lineupFrom({ arbiter: "eve", a: "ada", b: "bob", c: "cy" }, {});
    const fewer = withoutPlaces(lineup, ["b"]);
    expect(seatsOf(fewer)).toEqual({ arbiter: "eve", a: "ada", c: "cy" });
    const again = withPlace(info, fewer, member, "dee");
    expect(Object.entries(seatsOf(again)).join(" ")).toBe("arbiter,eve a,ada b,dee c,cy");
  });

  it("starts with the mode's default, but not where a match or a choice says more", () => {
    const preset = {
      id: "p",
      name: "Pair",
      seats: { arbiter: "bob", a: "cy" },
      brief: {},
      seat_settings: {},
    };
    const starred = { ...situation, info: { ...info, default_preset: preset as never } };
    expect(currentLineup(starred)).toMatchObject({ preset: { id: "p", name: "Pair" } });
    expect(seatsOf(currentLineup(starred) as never)).toEqual({ arbiter: "bob", a: "cy" });
    const setup = lineupFrom({ arbiter: "eve", b: "dee" }, {});
    expect(seatsOf(currentLineup({ ...starred, setup }) as never)).toEqual({ arbiter: "eve", b: "dee" });
  });

  it("leaves out models that are gone", () => {
    const setup = lineupFrom({ arbiter: "gone", a: "gone", b: "dee" }, {});
    expect(seatsOf(currentLineup({ ...situation, setup }) as never)).toEqual({ arbiter: "eve", b: "dee" });
  });

  it("says only settings that are set", () => {
    const none = {
      temperature: null,
      max_output_tokens: null,
      system_prompt: null,
      reasoning_effort: null,
      picture: null,
    };
    const lineup = withChange(lineupFrom({ a: "ada", b: "bob" }, {}), ["a"], { settings: none });
    expect(settingsOf(lineup)).toEqual({});
    const warm = { ...none, temperature: 0 };
    expect(settingsOf(withChange(lineup, ["b"], { settings: warm }))).toEqual({ b: warm });
  });
});

describe("the next prompt of a mode without a page of its own", () => {
  const open = { ...situation, info: panel };
  const seats = { a: "ada", b: "bob" };

  it("goes on in the match while all is the same", () => {
    expect(planLineup({ ...open, record: panelRecord(seats) })).toEqual({ kind: "turn", matchId: "m" });
  });

  it("says who joins and who leaves, and never gives a name twice", () => {
    const had = panelRecord(seats, { c: "cy" });
    const setup = withPlace(panel, lineupFrom({ b: "bob" }, { rounds: 2 }), panelist, "dee");
    expect(planLineup({ ...open, record: had, setup })).toEqual({
      kind: "turn",
      matchId: "m",
      seats: { add: { d: "dee" }, leave: ["a"], settings: {} },
    });
  });

  it("begins a new match where a model is asked otherwise, each with its own history", () => {
    const settings = {
      temperature: 0.2,
      max_output_tokens: null,
      system_prompt: null,
      reasoning_effort: null,
      picture: null,
    };
    const setup = withChange(lineupFrom(seats, { rounds: 2 }), ["b"], { settings });
    expect(planLineup({ ...open, record: panelRecord(seats), setup })).toMatchObject({
      kind: "match",
      seats,
      seat_settings: { b: settings },
      continue_seats: { a: { turn_id: "t", seat: "a" }, b: { turn_id: "t", seat: "b" } },
    });
  });

  it("never gives a model another's history, whatever seat it is asked at", () => {
    const planned = (places: Record<string, string>, rounds: number) =>
      planLineup({ ...open, record: panelRecord(seats), setup: lineupFrom(places, { rounds }) });
    const swapped = { a: { turn_id: "t", seat: "b" }, b: { turn_id: "t", seat: "a" } };
    expect(planned({ a: "bob", b: "ada" }, 3)).toMatchObject({ kind: "match", continue_seats: swapped });
    expect(planned({ a: "bob", b: "ada" }, 2)).toMatchObject({ kind: "match", continue_seats: swapped });
    expect(planned({ a: "ada", b: "dee" }, 3)).toMatchObject({
      continue_seats: { a: { turn_id: "t", seat: "a" } },
    });
    expect(planned({ a: "cy", b: "dee" }, 3)).not.toHaveProperty("continue_seats");
  });

  it("tells a model that sits twice by its seat", () => {
    const twice = panelRecord({ a: "ada", b: "ada" });
    const setup = lineupFrom({ b: "ada", c: "ada" }, { rounds: 3 });
    expect(planLineup({ ...open, record: twice, setup })).toMatchObject({
      continue_seats: { b: { turn_id: "t", seat: "b" }, c: { turn_id: "t", seat: "a" } },
    });
  });

  it("begins a new match by other settings, each seat with its own history", () => {
    const setup = lineupFrom(seats, { rounds: 3 });
    expect(planLineup({ ...open, record: panelRecord(seats), setup })).toEqual({
      kind: "match",
      seats,
      brief: { rounds: 3 },
      continue_seats: { a: { turn_id: "t", seat: "a" }, b: { turn_id: "t", seat: "b" } },
    });
  });

  it("begins a new match once one has ended", () => {
    const ended = panelRecord(seats);
    ended.match.status = "voted";
    expect(planLineup({ ...open, record: ended })).toEqual({ kind: "match", seats, brief: { rounds: 2 } });
  });

  it("goes on from where one model went on alone, and from where the others ended", () => {
    const compared = panelRecord({ a: "ada", b: "bob" });
    compared.match.mode = "panel";
    const alone = (id: string, turn: string, model: string, continues: object) =>
      ({
        match: {
          id,
          mode: "chat",
          status: "open",
          seats: [{ name: "assistant", role: "assistant", model: { id: model }, continues }],
        },
        turns: [{ id: turn, replies: [] }],
      }) as unknown as MatchRecord;
    const matches = [
      alone("before", "t0", "ada", {}),
      compared,
      alone("c", "t2", "bob", { turn_id: "t", seat: "b" }),
      alone("d", "t3", "bob", { turn_id: "t2", seat: "assistant" }),
      alone("e", "t4", "ada", { turn_id: "elsewhere", seat: "a" }),
    ];
    expect(planLineup({ ...open, record: null, matches })).toEqual({
      kind: "match",
      seats: { a: "ada", b: "bob" },
      brief: { rounds: 2 },
      continue_seats: { a: { turn_id: "t", seat: "a" }, b: { turn_id: "t3", seat: "assistant" } },
    });
  });
});
