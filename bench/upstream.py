"""A model server for load: speaks the OpenAI dialect and streams tokens on time, at little cost per token.

The model's name says what it does: `t200r50` answers with 200 tokens at 50 tokens/s, a rate of 0
sends all at once. Every token ends with `~`, so that whoever reads can count them; the first one
carries the monotonic time at which it was sent, as `t=12.345678~`.

    python -m bench.upstream PORT
"""

import asyncio
import os
import re
import sys
import time

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
MODEL = re.compile(rb'"model":\s*"[^"]*t(\d+)r(\d+)"')
LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)
SLOT_S = 0.001
SLOTS = 1024


def framed(payload: str) -> bytes:
    """Return one server-sent event as one HTTP chunk."""
    data = f"data: {payload}\n\n".encode()
    return b"%x\r\n%s\r\n" % (len(data), data)


def token(text: str) -> bytes:
    """Return one token's chunk."""
    return framed(CHUNK % (f'{{"content":"{text}~"}}', "null", ""))


TOKENS = [token(word) for word in WORDS]
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
        tokens, rate = int(asked[1]), int(asked[2])
        first = HEAD + OPENING + token(f"t={time.monotonic():.6f}")
        if not rate:
            self._write(first + b"".join(TOKENS[n % 10] for n in range(1, tokens)) + ending(tokens))
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
        self._write(TOKENS[self._said % 10])
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
