import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { sessionKey } from "@/api/queries";
import type { SessionView } from "@/api/types";
import { createLiveTurns } from "@/turn/live-turns";

// A request that breaks lets the page ask whether the server is there: another request than those counted here.
vi.mock("@/lib/server", () => ({ checkServer: async () => true }));

const match = { id: "m", session_id: "s", index: 0, mode: "chat", ballot: null, vote: null, votes: [] };
const turn = {
  id: "t",
  match_id: "m",
  session_id: "s",
  index: 0,
  input: { type: "prompt", text: "Hi" },
  status: "running",
  play: 1,
  notes: [],
  replies: [],
  created_at: "2026-01-01T00:00:00Z",
};
const events = [
  { kind: "turn.snapshot", match, turn },
  { kind: "turn.completed", turn_id: "t" },
];
const stream = () => new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));

function setUp(...answers: (() => Promise<Response>)[]) {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) =>
    (answers.shift() ?? (async () => stream()))(),
  );
  vi.stubGlobal("fetch", fetch);
  vi.stubGlobal("document", { hidden: false });
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run, 0));
  const client = new QueryClient();
  return { fetch, client, turns: createLiveTurns(client) };
}

const keyOf = (call: [string, RequestInit] | undefined) =>
  (call?.[1].headers as Record<string, string> | undefined)?.["idempotency-key"];
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

afterEach(() => vi.unstubAllGlobals());

test("a turn that was started lies in the session's cache when it has ended, and is live no more", async () => {
  const { client, turns } = setUp();
  const state = await turns.start("/api/sessions", { prompt: "Hi" });
  await settled();
  expect(state.turn?.id).toBe("t");
  expect(client.getQueryData<SessionView>(sessionKey("s"))?.matches[0]?.turns[0]?.status).toBe("completed");
  expect(turns.snapshot().size).toBe(0);
});

test("a request that broke before it began is sent once more, with the same key", async () => {
  const { fetch, turns } = setUp(() => Promise.reject(new TypeError("network")));
  await turns.start("/api/sessions", { prompt: "Hi" });
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(keyOf(fetch.mock.calls[0])).toMatch(/^[0-9a-f]{32}$/);
  expect(keyOf(fetch.mock.calls[1])).toBe(keyOf(fetch.mock.calls[0]));
});

test("what the server refuses is told and not sent again", async () => {
  const problem = { code: "not_enough_models", title: "A battle needs two models.", status: 503 };
  const { fetch, turns } = setUp(async () => Response.json(problem, { status: 503 }));
  await expect(turns.start("/api/sessions", { prompt: "Hi" })).rejects.toMatchObject({
    code: "not_enough_models",
  });
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("a turn is followed once, however often it is asked for", async () => {
  const { fetch, turns } = setUp();
  turns.follow("t", "s");
  turns.follow("t", "s");
  await settled();
  expect(fetch).toHaveBeenCalledTimes(1);
});
