"""A model server for load: speaks the OpenAI dialect and streams tokens on time, at little cost per token.

The model's name says what it does: `t200r50` answers with 200 tokens at 50 tokens/s, a rate of 0
sends all at once. Every token ends with `~`, so that whoever reads can count them; the first one
carries the monotonic time at which it was sent, as `t=12.345678~`. `m1200r100` speaks Markdown
instead, for a page to show.

    python -m bench.upstream PORT
"""

import asyncio
import os
import re
import sys
import time

import msgspec
import uvloop

HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
CHUNK = (
    '{"id":"chatcmpl-bench0123456789","object":"chat.completion.chunk","created":1767225600,"model":"bench",'
    '"choices":[{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}]%s}'
)
WORDS = ("the", " model", " says", " what", " it", " can", " and", " then", " some", " more")
USAGE = ',"usage":{"prompt_tokens":9,"completion_tokens":%d,"total_tokens":%d}'
MARKDOWN = """## What to do first

Move the **tenants** in waves, and *rehearse* the way back with `parley serve` before anybody is told:

1. Take the smallest ten, on a quiet day.
2. Compare what both databases say of them.
   - Counts first, then sums.
   - Then [every row](https://example.com/rows) of a sample.
3. Go on only while nothing differs.

| wave | tenants | hours |
|---|---:|---:|
| first | 10 | 2 |
| second | 200 | 6 |

```python
def waves(tenants: list[str], first: int = 10) -> list[list[str]]:
    # Each wave is twenty times as large as the one before it.
    return [tenants[:first], *waves(tenants[first:], first * 20)] if tenants else []
```

> Whoever cannot go back has not rehearsed.

"""
MODEL = re.compile(rb'"model":\s*"[^"]*([tm])(\d+)r(\d+)"')
LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)
SLOT_S = 0.001
SLOTS = 1024


def framed(payload: str) -> bytes:
    """Return one server-sent event as one HTTP chunk."""
    data = f"data: {payload}\n\n".encode()
    return b"%x\r\n%s\r\n" % (len(data), data)


def token(text: str) -> bytes:
    """Return one token's chunk."""
    return framed(CHUNK % (msgspec.json.encode({"content": text}).decode(), "null", ""))


TOKENS = {
    b"t": [token(f"{word}~") for word in WORDS],
    b"m": [token(word) for word in re.findall(r"\s*\S{1,6}|\s+$", MARKDOWN)],
}
OPENING = framed(CHUNK % ('{"role":"assistant","content":""}', "null", ""))


def ending(tokens: int) -> bytes:
    """Return the finish reason, the usage and the end of the stream."""
    finish = framed(CHUNK % ("{}", '"stop"', USAGE % (tokens, tokens + 9)))
    return finish + framed("[DONE]") + b"0\r\n\r\n"


class Wheel:
    """One timer for all streams: every slot holds the streams whose next token is due then."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._slots: list[list[Stream]] = [[] for _ in range(SLOTS)]
        self._at = int(self._loop.time() / SLOT_S)
        self._turn()

    def add(self, stream: "Stream", slots: int) -> None:
        """Let a stream speak after so many slots."""
        self._slots[(self._at + slots) % SLOTS].append(stream)

    def _turn(self) -> None:
        now = int(self._loop.time() / SLOT_S)
        while self._at < now:
            self._at += 1
            place = self._at % SLOTS
            due, self._slots[place] = self._slots[place], []
            for stream in due:
                if pause := stream.speak():
                    self._slots[(self._at + pause) % SLOTS].append(stream)
        self._loop.call_later(SLOT_S, self._turn)


class Stream(asyncio.Protocol):
    """One connection: answers its requests one after another."""

    def __init__(self, wheel: Wheel) -> None:
        self._wheel = wheel
        self._received = b""
        self._said = self._tokens = self._pause = 0
        self._words = TOKENS[b"t"]
        self._fd = -1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._fd = transport.get_extra_info("socket").fileno()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._fd = -1

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, body = self._received.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        if not found or (length and len(body) < int(length[1])):
            return
        self._received = b""
        asked = MODEL.search(body)
        if asked is None:
            self._transport.close()
            return
        self._words = words = TOKENS[asked[1]]
        tokens, rate = int(asked[2]), int(asked[3])
        stamp = token(f"t={time.monotonic():.6f}~")
        first = HEAD + OPENING + (words[0] if asked[1] == b"m" else stamp)
        if not rate:
            self._write(first + b"".join(words[n % len(words)] for n in range(1, tokens)) + ending(tokens))
            return
        self._said, self._tokens, self._pause = 1, tokens, round(1 / rate / SLOT_S)
        self._write(first)
        self._wheel.add(self, self._pause)

    def speak(self) -> int:
        """Send the next token; return the slots until the one after it, 0 at the end."""
        if self._fd < 0:
            return 0
        if self._said == self._tokens:
            self._write(ending(self._tokens))
            return 0
        self._write(self._words[self._said % len(self._words)])
        self._said += 1
        return self._pause

    def _write(self, data: bytes) -> None:
        # The plain call costs half of the transport's. What does not fit ends the stream, which fails the run.
        try:
            whole = os.write(self._fd, data) == len(data)
        except OSError:
            whole = False
        if not whole:
            self._fd = -1
            self._transport.close()


async def serve(port: int) -> None:
    """Serve on loopback until the process ends."""
    wheel = Wheel()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Stream(wheel), "127.0.0.1", port, backlog=4096)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(int(sys.argv[1])))
