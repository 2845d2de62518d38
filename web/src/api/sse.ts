/** Reads server-sent events from a fetch body: `data:` frames in, parsed JSON out. Comments are heartbeats. */

/** How long a stream may be silent before it counts as broken; the server's heartbeat comes every 15 s. */
const SILENCE_MS = 40_000;

/** Split text into frames; returns the payloads found and the unfinished rest. */
export function splitFrames(buffer: string): { payloads: string[]; rest: string } {
  const frames = buffer.replace(/\r\n?/g, "\n").split("\n\n");
  const rest = frames.pop() ?? "";
  const payloads = frames
    .map((frame) =>
      frame
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(line[5] === " " ? 6 : 5))
        .join("\n"),
    )
    .filter((payload) => payload !== "");
  return { payloads, rest };
}

/** Yield the stream's events until it ends. Throws where the connection breaks or falls silent. */
export async function* readEvents<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = "";
  let silent = false;
  let heard = performance.now();
  // One timer for the stream, since many events come in a frame. A read that is cancelled ends.
  const timer = setInterval(() => {
    silent = performance.now() - heard > SILENCE_MS;
    if (silent) reader.cancel().catch(() => undefined);
  }, SILENCE_MS / 8);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (silent) throw new Error("The connection to the server timed out.");
      if (done) return;
      heard = performance.now();
      const { payloads, rest } = splitFrames(buffer + decoder.decode(value, { stream: true }));
      buffer = rest;
      for (const payload of payloads) yield JSON.parse(payload) as T;
    }
  } finally {
    clearInterval(timer);
    reader.cancel().catch(() => undefined);
  }
}
