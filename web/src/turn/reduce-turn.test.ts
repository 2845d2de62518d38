import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { TurnEvent } from "@/api/events";
import type { MatchView, TurnView } from "@/api/types";
import { emptyTurn, reduceTurn, type TurnState } from "@/turn/reduce-turn";

const HIDDEN = { model: null, settings: null, continues: null, from_turn: 0, until_turn: null };
const match: MatchView = {
  id: "m1",
  session_id: "s1",
  index: 0,
  mode: "battle",
  status: "open",
  blind: true,
  paced: true,
  seats: [
    { id: "x1", name: "left", role: "left", label: "Assistant A", ...HIDDEN },
    { id: "x2", name: "right", role: "right", label: "Assistant B", ...HIDDEN },
  ],
  brief: {},
  ballot: {
    choices: ["left", "tie", "both_bad", "right"],
    open: false,
    each_turn: false,
    rated: true,
    ends_match: true,
    needs: "all",
  },
  vote: null,
  votes: [],
  void: null,
  created_at: "2026-01-01T00:00:00Z",
};

const turn: TurnView = {
  author_id: null,
  id: "t1",
  match_id: "m1",
  session_id: "s1",
  index: 0,
  input: { type: "prompt", attachments: [], text: "Hello" },
  status: "running",
  play: 1,
  round: 0,
  replies: [],
  notes: [],
  interjections: [],
  tools: [],
  queued: false,
  error: null,
  created_at: "2026-01-01T00:00:00Z",
};

const snapshot: TurnEvent = { kind: "turn.snapshot", match, turn };
const started = (
  reply_id: string,
  seat: string,
  attempt = 1,
  order = seat === "left" ? 0 : 1,
): TurnEvent => ({
  kind: "reply.started",
  turn_id: "t1",
  reply_id,
  seat,
  path: "",
  round: 0,
  purpose: "answer",
  order,
  attempt,
});
const delta = (
  reply_id: string,
  offset: number,
  text: string,
  { attempt = 1, channel = "text" as "text" | "reasoning", end = offset + [...text].length } = {},
): TurnEvent => ({ kind: "reply.delta", reply_id, attempt, channel, offset, end, text });
const completed = (
  reply_id: string,
  text_end: number,
  { attempt = 1, reasoning_end = 0 } = {},
): TurnEvent => ({
  kind: "reply.completed",
  turn_id: "t1",
  reply_id,
  attempt,
  text_end,
  reasoning_end,
  finish_reason: null,
  metrics: null,
  parts: [],
});
const added = (reply_id: string, index: number, offset = 0, attempt = 1): TurnEvent => {
  const about = { name: "picture.png", media_type: "image/png", size: 9, tokens: 1 };
  const attached = {
    sha256: `${index}`,
    ...about,
    text_sha256: null,
    width: 4,
    height: 3,
    pages: null,
    encoding: null,
  };
  return { kind: "part.added", reply_id, attempt, index, part: { offset, attached, seed: null } };
};

const script: TurnEvent[] = [
  snapshot,
  { kind: "turn.started", turn_id: "t1", play: 1 },
  started("r1", "left"),
  started("r2", "right"),
  delta("r1", 0, "Héllo "),
  delta("r2", 0, "Hi 👋"),
  delta("r1", 0, "thinking", { channel: "reasoning" }),
  delta("r1", 6, "wörld"),
  {
    kind: "note.added",
    turn_id: "t1",
    note: { seq: 7, name: "some.note/1", round: 0, key: "", data: { a: 1 } },
  },
  completed("r1", 11, { reasoning_end: 8 }),
  completed("r2", 4),
  { kind: "ballot.opened", turn_id: "t1", match_id: "m1", choices: ["left", "tie", "both_bad", "right"] },
  { kind: "turn.completed", turn_id: "t1" },
];

const play = (events: TurnEvent[], from: TurnState = emptyTurn) => events.reduce(reduceTurn, from);
const asSnapshot = (state: TurnState): TurnEvent => {
  if (!state.match || !state.turn) throw new Error("nothing to snapshot");
  return { kind: "turn.snapshot", match: state.match, turn: state.turn };
};
const reply = (state: TurnState, id: string) => {
  const found = state.turn?.replies.find((each) => each.id === id);
  if (!found) throw new Error(`no reply ${id}`);
  return found;
};
const recordings: { name: string; events: TurnEvent[]; final: TurnView | null }[] = [
  { name: "own script", events: script, final: null },
];
const folder = fileURLToPath(new URL("../../../tests/fixtures/turns/", import.meta.url));
for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
  if (!name.endsWith(".json")) continue;
  const file = JSON.parse(readFileSync(folder + name, "utf8"));
  recordings.push({ name, events: file.events, final: file.views ?? null });
}

describe.each(recordings)("recording: $name", ({ events, final }) => {
  const whole = play(events);

  test("reaches its end without a gap", () => {
    expect(whole.ended).toBe(true);
    expect(whole.gap).toBe(false);
  });

  test("ends in the view that the server shows", () => {
    if (final) expect(whole.turn).toEqual(final);
  });

  test("every event applied twice gives the same", () => {
    expect(play(events.flatMap((event) => [event, event]))).toEqual(whole);
    expect(play([...events, ...events])).toEqual(whole);
  });

  test("any prefix, then a snapshot of any later moment, then the rest gives the same", () => {
    for (let cut = 1; cut <= events.length; cut += 1) {
      const server = play(events.slice(0, cut));
      for (let seen = 0; seen <= cut; seen += Math.max(1, Math.floor(cut / 4))) {
        const client = play([...events.slice(0, seen), asSnapshot(server), ...events.slice(cut)]);
        expect(client).toEqual(whole);
      }
    }
  });

  test("a snapshot with events repeated from before it gives the same", () => {
    for (let cut = 1; cut <= events.length; cut += 1) {
      const again = events.slice(Math.max(1, cut - 5));
      expect(play([asSnapshot(play(events.slice(0, cut))), ...again])).toEqual(whole);
    }
  });

  test("without any one of its deltas it asks for a new connection or loses nothing", () => {
    events.forEach((event, index) => {
      if (event.kind !== "reply.delta") return;
      // Where a blind turn ends early, nothing follows the last delta of a reply that could tell of it.
      const next = events.slice(index + 1);
      if (!next.some((later) => "reply_id" in later && later.reply_id === event.reply_id)) return;
      const state = play(events.toSpliced(index, 1));
      if (!state.gap) expect(state).toEqual(whole);
    });
  });
});

test("replies stand in their order, whichever came first", () => {
  const state = play([snapshot, started("r3", "left", 1, 5), started("r2", "right"), started("r1", "left")]);
  expect(state.turn?.replies.map((each) => each.id)).toEqual(["r1", "r2", "r3"]);
});

test("a lower attempt is ignored", () => {
  const state = play([snapshot, started("r1", "left", 2), delta("r1", 0, "new", { attempt: 2 })]);
  expect(reduceTurn(state, delta("r1", 3, "old", { attempt: 1 }))).toBe(state);
  expect(reduceTurn(state, started("r1", "left", 1))).toBe(state);
  expect(reduceTurn(state, completed("r1", 3, { attempt: 1 }))).toBe(state);
});

test("a higher attempt resets the reply", () => {
  const first = play([snapshot, started("r1", "left"), delta("r1", 0, "first try")]);
  expect(reply(reduceTurn(first, started("r1", "left", 2)), "r1")).toMatchObject({
    text: "",
    text_end: 0,
    attempt: 2,
  });
  const byDelta = reduceTurn(first, delta("r1", 0, "second", { attempt: 2 }));
  expect(reply(byDelta, "r1")).toMatchObject({
    text: "second",
    text_end: 6,
    attempt: 2,
    status: "streaming",
  });
});

test("a delta behind a hole asks for a new connection and keeps what it had", () => {
  const state = play([snapshot, started("r1", "left"), delta("r1", 0, "abc"), delta("r1", 5, "fg")]);
  expect(state.gap).toBe(true);
  expect(reply(state, "r1").text).toBe("abc");
  expect(reduceTurn(state, snapshot).gap).toBe(false);
});

test("a delta of an unknown reply asks for a new connection", () => {
  expect(play([snapshot, delta("r9", 0, "abc")]).gap).toBe(true);
  expect(play([delta("r9", 0, "abc")]).gap).toBe(true);
});

test("the end of a reply whose text is not all here asks for a new connection", () => {
  expect(play([snapshot, started("r1", "left"), delta("r1", 0, "abc"), completed("r1", 9)]).gap).toBe(true);
});

test("a picture is added once, in its place; behind a missing one it asks for a new connection", () => {
  const state = play([snapshot, started("r1", "left"), delta("r1", 0, "abc"), added("r1", 0, 3)]);
  expect(reply(state, "r1").parts).toMatchObject([{ offset: 3, attached: { sha256: "0" } }]);
  expect(reduceTurn(state, added("r1", 0, 3))).toBe(state);
  expect(reduceTurn(state, added("r1", 2, 3)).gap).toBe(true);
  expect(reduceTurn(state, added("r9", 0)).gap).toBe(true);
  const again = reduceTurn(state, added("r1", 0, 0, 2));
  expect(reply(again, "r1")).toMatchObject({ text: "", parts: [{ offset: 0 }], attempt: 2 });
  expect(reduceTurn(again, added("r1", 1, 3, 1))).toBe(again);
});

test("the end of a reply has all its pictures", () => {
  const state = play([snapshot, started("r1", "left"), delta("r1", 0, "abc"), added("r1", 0, 3)]);
  const ended = reduceTurn(state, { ...completed("r1", 3), parts: reply(state, "r1").parts } as TurnEvent);
  expect(reply(ended, "r1").parts).toHaveLength(1);
});

test("only the numbers of the server are compared, never the length of the text", () => {
  const state = play([
    snapshot,
    started("r1", "left"),
    delta("r1", 0, "👩‍👩‍👧", { end: 99 }),
    delta("r1", 99, "!"),
  ]);
  expect(state.gap).toBe(false);
  expect(reply(state, "r1")).toMatchObject({ text: "👩‍👩‍👧!", text_end: 100 });
});

test("a later note takes the place of an earlier one of the same name, round and key", () => {
  const note = (seq: number, key: string, data: unknown): TurnEvent => ({
    kind: "note.added",
    turn_id: "t1",
    note: { seq, name: "some.note/1", round: 1, key, data },
  });
  const state = play([snapshot, note(3, "a", 1), note(4, "b", 2), note(9, "a", 3), note(3, "a", 1)]);
  expect(state.turn?.notes.map(({ key, data }) => [key, data])).toEqual([
    ["b", 2],
    ["a", 3],
  ]);
});

test("a reply that is asked again has made none of its earlier calls of tools", () => {
  const called = (reply_id: string | null): TurnEvent => ({
    kind: "tool.called",
    turn_id: "t1",
    reply_id,
    call_id: "c",
    name: "clock",
    arguments: "{}",
    path: "",
    round: 0,
    attempt: 1,
  });
  const events = [snapshot, started("r1", "left"), called("r1"), called(null), started("r1", "left", 2)];
  expect(play(events).turn?.tools.map(({ reply_id }) => reply_id)).toEqual([null]);
});

test("what is said while the turn runs is shown once, and then with the round that heard it", () => {
  const said = (id: string): TurnEvent => ({
    kind: "input.added",
    turn_id: "t1",
    interjection: { id, input: { type: "steer", text: id }, round: null, created_at: "2026-01-01T00:00:00Z" },
  });
  const begun = (round: number, ...heard: string[]): TurnEvent => ({
    kind: "round.started",
    turn_id: "t1",
    round,
    heard,
  });
  const events = [snapshot, begun(1), said("a"), said("b"), begun(2, "a", "b"), said("c")];
  const rounds = (state: TurnState) => state.turn?.interjections.map(({ id, round }) => [id, round]);
  const shown = [
    ["a", 2],
    ["b", 2],
    ["c", null],
  ];
  expect(rounds(play(events))).toEqual(shown);
  const again = play(events.flatMap((event) => [event, event]));
  expect(rounds(again)).toEqual(shown);
  expect(reduceTurn(again, begun(2, "a", "b"))).toBe(again);
  expect(reduceTurn(again, said("a"))).toBe(again);
  expect(rounds(play([asSnapshot(play(events.slice(0, 4))), ...events.slice(3)]))).toEqual(shown);
});

test("unknown kinds change nothing", () => {
  const state = play(script);
  expect(reduceTurn(state, { kind: "seat.danced", turn_id: "t1" } as unknown as TurnEvent)).toBe(state);
});

test("a stopped turn stops its replies and keeps their text", () => {
  const state = play([...script.slice(0, 6), { kind: "turn.stopped", turn_id: "t1" }]);
  expect(state).toMatchObject({ ended: true, turn: { status: "stopped" } });
  expect(reply(state, "r1")).toMatchObject({ status: "stopped", text: "Héllo " });
});

test("a failing side voids the battle without naming a side", () => {
  const error = { code: "battle_void", title: "One of the models could not answer.", detail: null };
  const state = play([...script.slice(0, 6), { kind: "turn.failed", turn_id: "t1", error }]);
  expect(state.match).toMatchObject({ status: "void", void: error, ballot: { open: false } });
  expect(state.turn?.replies.every((each) => each.error === null)).toBe(true);
});

test("a retry opens the turn again", () => {
  const stopped = play([...script.slice(0, 6), { kind: "turn.stopped", turn_id: "t1" }]);
  const again = reduceTurn(stopped, { kind: "turn.started", turn_id: "t1", play: 2 });
  expect(again).toMatchObject({ ended: false, turn: { status: "running", play: 2 } });
});

test("replies that an event does not concern keep their identity", () => {
  const before = play(script.slice(0, 6));
  const after = reduceTurn(before, delta("r1", 6, "x"));
  expect(reply(after, "r2")).toBe(reply(before, "r2"));
});
