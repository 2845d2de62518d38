import { expect, test } from "vitest";
import type { TurnEvent } from "@/api/events";
import { splitFrames } from "@/api/sse";
import type { MatchView, TurnView } from "@/api/types";
import { type Connection, followTurn } from "@/turn/follow-turn";

const match = { id: "m", session_id: "s", ballot: null } as unknown as MatchView;
const turn = (text: string, status: TurnView["status"] = "running") =>
  ({
    id: "t",
    status,
    play: 1,
    notes: [],
    replies: [
      {
        id: "r",
        attempt: 1,
        status: "streaming",
        text,
        text_end: text.length,
        reasoning: "",
        reasoning_end: 0,
      },
    ],
  }) as unknown as TurnView;
const snapshot = (text: string, status?: TurnView["status"]): TurnEvent => ({
  kind: "turn.snapshot",
  match,
  turn: turn(text, status),
});
const delta = (offset: number, text: string): TurnEvent => ({
  kind: "reply.delta",
  reply_id: "r",
  attempt: 1,
  channel: "text",
  offset,
  end: offset + text.length,
  text,
});
const end: TurnEvent = { kind: "turn.completed", turn_id: "t" };

function body(events: TurnEvent[], breaks = false): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(
    events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
  );
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      // In pieces that cut through frames and characters.
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + 7));
      else if (breaks) controller.error(new TypeError("network"));
      else controller.close();
      at += 7;
    },
  });
}

test("a break is answered by connecting again, and nothing is lost", async () => {
  const bodies = [body([snapshot("ab"), delta(2, "cd")], true), body([snapshot("abcd"), delta(4, "é"), end])];
  const connections: Connection[] = [];
  const pauses: number[] = [];
  const state = await followTurn(
    { turnId: "t" },
    { onState: () => undefined, onConnection: (each) => connections.push(each) },
    {
      open: async () => bodies.shift() ?? Promise.reject(new Error("too many connections")),
      pause: async (attempt) => void pauses.push(attempt),
    },
  );
  expect(state.turn?.replies[0]?.text).toBe("abcdé");
  expect(connections).toEqual(["open", "reconnecting", "open"]);
  expect(pauses).toEqual([0]);
});

test("a gap leads to a new connection", async () => {
  const bodies = [body([snapshot("ab"), delta(9, "zz")]), body([snapshot("ab-cd", "completed"), end])];
  const state = await followTurn(
    { turnId: "t" },
    { onState: () => undefined },
    { open: async () => bodies.shift() as ReadableStream<Uint8Array>, pause: async () => undefined },
  );
  expect(bodies).toHaveLength(0);
  expect(state).toMatchObject({ ended: true, gap: false });
});

test("a stream that ends without the turn's end is opened again, waiting longer each time", async () => {
  const bodies = [body([snapshot("a")]), body([]), body([snapshot("a", "completed"), end])];
  const pauses: number[] = [];
  await followTurn(
    { turnId: "t" },
    { onState: () => undefined },
    {
      open: async () => bodies.shift() as ReadableStream<Uint8Array>,
      pause: async (attempt) => void pauses.push(attempt),
    },
  );
  expect(pauses).toEqual([0, 1]);
});

test("frames: comments are skipped, CRLF and data over several lines are read", () => {
  expect(splitFrames(': ping\n\ndata: {"a":\r\ndata: 1}\r\n\r\ndata:{"b":2}\n\ndata: {"c"')).toEqual({
    payloads: ['{"a":\n1}', '{"b":2}'],
    rest: 'data: {"c"',
  });
});
