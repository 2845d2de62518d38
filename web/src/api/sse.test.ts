import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readEvents, splitFrames } from "@/api/sse";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const encoder = new TextEncoder();

function streamOf(
  start: (send: (text: string) => void, end: () => void) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) =>
      start(
        (text) => controller.enqueue(encoder.encode(text)),
        () => controller.close(),
      ),
  });
}

test("frames are told apart, heartbeats are no events, and what is unfinished waits", () => {
  expect(splitFrames(': ping\n\ndata: {"a":1}\n\ndata:{"b":\r\ndata: 2}\r\n\r\ndata: {"c"')).toEqual({
    payloads: ['{"a":1}', '{"b":\n2}'],
    rest: 'data: {"c"',
  });
});

test("events are read across chunks until the stream ends", async () => {
  const body = streamOf((send, end) => {
    send('data: {"n":1}\n\ndata: {"n"');
    send(":2}\n\n");
    end();
  });
  const events: unknown[] = [];
  for await (const event of readEvents(body)) events.push(event);
  expect(events).toEqual([{ n: 1 }, { n: 2 }]);
});

test("a stream that falls silent is given up; heartbeats keep it", async () => {
  let send: (text: string) => void = () => undefined;
  const events = readEvents(
    streamOf((to) => {
      send = to;
    }),
  );
  const next = events.next();
  const failed = vi.fn();
  next.catch(failed);
  for (let sent = 0; sent < 6; sent++) {
    await vi.advanceTimersByTimeAsync(15_000);
    send(":\n\n");
  }
  await vi.advanceTimersByTimeAsync(35_000);
  expect(failed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(15_000);
  await expect(next).rejects.toThrow("timed out");
});
