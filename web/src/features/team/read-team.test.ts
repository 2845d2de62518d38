import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { TurnEvent } from "@/api/events";
import type { MatchView, NoteView, ReplyView, TurnView } from "@/api/types";
import { layTimeline } from "@/features/team/lay-timeline";
import { PARTS, type RoundNote, type SaidNote } from "@/features/team/notes";
import { questionsOf, readTeam, stepsOf, tookMs } from "@/features/team/read-team";
import { eventsOf } from "@/features/team/timeline-events";
import { stateOf, whyOf } from "@/features/team/words";
import { emptyTurn, reduceTurn } from "@/turn/reduce-turn";

const match = {
  brief: { max_tokens: 1000 },
  seats: ["a", "b", "c"].map((name) => ({ name, label: name, role: "member", model: { name: `M${name}` } })),
} as unknown as MatchView;

let seq = 0;
const note = (name: string, round: number, key: string, data: object): NoteView =>
  ({ name, round, key, data, seq: ++seq }) as NoteView;
const plan = note("team.plan/1", 0, "", {
  strategy: "debate",
  members: [
    { seat: "a", role: "Proposer" },
    { seat: "b", role: "Critic" },
    { seat: "c", role: "Moderator" },
  ],
  lead: "a",
  chair: "c",
  writer: "c",
  rounds: 2,
  done: 0,
  pause: "each_round",
});
const spent = { tokens: 900, cost_micros: 5, unpriced: false };
const reply = (
  seat: string,
  round: number,
  purpose: string,
  order: number,
  part: Partial<ReplyView> = {},
): ReplyView =>
  ({
    id: `${seat}${round}${purpose}`,
    seat,
    round,
    purpose,
    order,
    status: "completed",
    text: "Yes.",
    metrics: { duration_ms: 100 * (order + 1), input_tokens: 1, output_tokens: 1, cost_micros: 1 },
    error: null,
    ...part,
  }) as unknown as ReplyView;
const said = (ref: string, of: ReplyView, part: Partial<SaidNote> = {}) =>
  note("team.said/1", of.round, ref, {
    ref,
    seat: of.seat,
    task: of.purpose,
    purpose: of.purpose,
    reply_id: of.id,
    start: 0,
    end: 4,
    answers: [],
    position: null,
    changed: null,
    cut_off: false,
    problem: null,
    spent,
    ...part,
  });
const ended = (round: number, part: Partial<RoundNote>) =>
  note("team.round/1", round, "", {
    kind: "planned",
    left_out: [],
    done: 1,
    rounds: 2,
    next: "round",
    why: null,
    spent,
    ...part,
  });
const turn = (id: string, input: object, part: Partial<TurnView>): TurnView =>
  ({
    id,
    input,
    index: 0,
    status: "completed",
    round: 1,
    created_at: `2026-01-01T00:00:0${id.slice(-1)}Z`,
    replies: [],
    notes: [],
    interjections: [],
    error: null,
    ...part,
  }) as unknown as TurnView;

const [a1, b1] = [reply("a", 1, "answer", 0), reply("b", 1, "answer", 1)];
const first = turn(
  "t1",
  { type: "prompt", text: "?" },
  {
    round: 2,
    replies: [b1, a1],
    notes: [plan, said("1.2", b1), said("1.1", a1), ended(1, { next: "pause" })],
    interjections: [
      { id: "i1", created_at: "2026-01-01T00:00:03Z", round: 2, input: { type: "add", text: "It rains." } },
    ],
  },
);
const [a2, c3] = [reply("a", 2, "answer", 2), reply("c", 3, "synthesis", 3, { text: "## Recommendation" })];
const second = turn(
  "t2",
  { type: "continue" },
  {
    round: 3,
    replies: [a2, c3],
    notes: [
      said("2.1", a2, {
        answers: [{ ref: "1.2", seat: "b", how: "found" }],
        changed: { text: "x", how: "said" },
      }),
      ended(2, { done: 2, next: "synthesis", why: "rounds" }),
      ended(3, { kind: "synthesis", done: 2, next: "end", why: "tokens" }),
    ],
  },
);

describe("a question over several turns", () => {
  const view = readTeam(match, [first, second]);

  it("has the rounds that were played, in the order of their statements", () => {
    expect(view.rounds.map(({ number, kind }) => [number, kind])).toEqual([
      [1, "planned"],
      [2, "planned"],
      [3, "synthesis"],
    ]);
    expect(view.rounds[0]?.statements.map(({ ref, expert }) => [ref, expert.role, expert.name])).toEqual([
      ["1.1", "Proposer", "Ma"],
      ["1.2", "Critic", "Mb"],
    ]);
  });

  it("puts what was said before the round that heard it, though that was played in the next turn", () => {
    expect(view.rounds[1]?.heard.map(({ id }) => id)).toEqual(["t2", "i1"]);
    expect(view.waiting).toEqual([]);
    const alone = readTeam(match, [first]);
    expect(alone.waiting.map(({ id }) => id)).toEqual(["i1"]);
    expect(alone.paused).toBe(true);
    expect(stateOf(alone)).toBe("Paused after round 1 of 2");
  });

  it("says why it ended", () => {
    expect(whyOf(view, match.brief)).toBe("The rounds ended near the token cap: 900 of 1,000 used.");
    expect(stateOf(view)).toBe("Finished");
  });

  it("takes as long as the slowest of those who speak at once", () => {
    expect(tookMs(view.rounds[0] as (typeof view.rounds)[number])).toBe(200);
    expect(view.tookMs).toBe(200 + 300 + 400);
  });

  it("stands on the timeline from left to right, with an arrow back for an answer", () => {
    const laid = layTimeline(view, 900);
    expect(eventsOf(view).map(({ anchor }) => anchor)).toEqual([
      "1.1",
      "1.2",
      "said-t2",
      "said-i1",
      "2.1",
      "synthesis-3",
    ]);
    const [one, two] = laid.marks;
    expect(one?.x).toBe(two?.x);
    expect(laid.rows.map(({ expert }) => expert?.role ?? "You")).toEqual([
      "You",
      "Proposer",
      "Critic",
      "Moderator",
    ]);
    expect(laid.arrows.map(({ from, to, how }) => [from.event.anchor, to.event.anchor, how])).toEqual([
      ["2.1", "1.2", "found"],
    ]);
    expect(laid.arrows.every(({ from, to }) => from.x > to.x)).toBe(true);
    expect(layTimeline(view, 100).width).toBeGreaterThan(100);
  });
});

it("begins a question with each prompt", () => {
  const third = turn("t3", { type: "prompt", text: "And?" }, {});
  expect(questionsOf([first, second, third]).map((turns) => turns.length)).toEqual([2, 1]);
});

it("shows who speaks while it runs, with the references that they will have", () => {
  const running = turn(
    "t1",
    { type: "prompt", text: "?" },
    {
      status: "running",
      replies: [a1, reply("b", 1, "answer", 1, { status: "streaming", metrics: null })],
      notes: [plan, said("1.1", a1)],
    },
  );
  const view = readTeam(match, [running]);
  expect(view.rounds[0]?.statements.map(({ ref, writing }) => [ref, writing])).toEqual([
    ["1.1", false],
    ["1.2", true],
  ]);
  expect(stateOf(view)).toBe("Critic is speaking");
});

it("parts those who speak one after the other from those who speak at once", () => {
  const steps = (purposes: string[]) => {
    const replies = purposes.map((purpose, order) => reply("abc"[order] ?? "a", 1, purpose, order));
    const view = readTeam(match, [turn("t1", { type: "prompt", text: "?" }, { replies, notes: [plan] })]);
    return stepsOf(view.rounds[0]?.statements ?? []).map((step) => step.length);
  };
  expect(steps(["answer", "answer", "answer"])).toEqual([3]);
  expect(steps(["speak", "speak"])).toEqual([1, 1]);
  expect(steps(["draft", "critique", "critique", "redraft"])).toEqual([1, 2, 1]);
});

describe("a recorded debate", () => {
  const file = fileURLToPath(new URL("../../../../tests/fixtures/turns/team-debate.json", import.meta.url));
  const recording = JSON.parse(readFileSync(file, "utf8")) as {
    events: TurnEvent[];
    views: TurnView;
    match: MatchView;
  };
  const whole = readTeam(recording.match, [recording.views]);

  it("reads the same live and stored", () => {
    const state = recording.events.reduce(reduceTurn, emptyTurn);
    expect(state.turn && state.match && readTeam(state.match, [state.turn])).toEqual(whole);
  });

  it("can be read at every moment", () => {
    let state = emptyTurn;
    for (const event of recording.events) {
      state = reduceTurn(state, event);
      const view = state.turn && state.match ? readTeam(state.match, [state.turn]) : null;
      if (!view) continue;
      expect(stateOf(view)).not.toBe("");
      for (const { statements } of view.rounds)
        for (const { ref, said } of statements) expect(said?.ref ?? ref).toBe(ref);
    }
  });

  it("leads from every point to a statement that is there", () => {
    const refs = new Set(whole.rounds.flatMap(({ statements }) => statements.map(({ ref }) => ref)));
    const points = PARTS.flatMap((part) => whole.synthesis?.note?.[part] ?? []);
    expect(points.length).toBeGreaterThan(0);
    for (const point of points) for (const ref of point.refs) expect(refs).toContain(ref);
  });
});
