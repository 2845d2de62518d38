"""The load: opens streams in time, counts every token of every one, and times the first.

Reads a `Plan` as JSON on its input and writes an `Outcome` as JSON; a process of its own, because
it would slow down what it measures.

    python -m bench.client < plan.json
"""

import asyncio
import gc
import re
import sys
import time

import msgspec
import uvloop

from bench.processes import cpu_of

FIRST = re.compile(rb"t=(\d+\.\d+)~")


class Plan(msgspec.Struct, kw_only=True):
    """`streams` slots begin within `ramp_s`; each sends its request `repeats` times, one after another.

    `tokens` is what one request must bring, `end` what its stream must end with, `key` what the server wants to see.
    Within the window (seconds since the start) the watched process's CPU time and the tokens that come are noted.
    """

    port: int
    path: str
    body: str
    tokens: int
    end: str
    key: str = ""
    streams: int
    repeats: int
    ramp_s: float
    deadline_s: float
    watched_pid: int = 0
    window_s: tuple[float, float] = (0.0, 0.0)


class Outcome(msgspec.Struct, kw_only=True):
    """The outcome of a plan. Times are in seconds.

    `ttft` and `carried` hold one figure for every request that began while all streams were open:
    from the request to the first token, and from the upstream's sending to the first token.
    """

    tokens: int = 0
    requests: int = 0
    faults: list[str] = []
    ttft: list[float] = []
    carried: list[float] = []
    lasted_s: float = 0.0
    window_tokens: int = 0
    window_cpu_s: float = 0.0


class Load:
    """Runs one plan."""

    def __init__(self, plan: Plan) -> None:
        body = plan.body.encode()
        self.plan = plan
        self.outcome = Outcome()
        key = f"Authorization: Bearer {plan.key}\r\n" if plan.key else ""
        self.request = (
            f"POST {plan.path} HTTP/1.1\r\nHost: 127.0.0.1:{plan.port}\r\nConnection: close\r\n"
            f"{key}Accept: text/event-stream\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode() + body
        self.end = plan.end.encode()
        self.received = 0

    async def run(self) -> Outcome:
        """Open all streams and wait for their ends, or for the deadline."""
        begun = time.monotonic()
        slots = [asyncio.create_task(self._slot(number)) for number in range(self.plan.streams)]
        if self.plan.watched_pid:
            slots.append(asyncio.create_task(self._watch()))
        _, late = await asyncio.wait(slots, timeout=self.plan.deadline_s)
        for task in late:
            task.cancel()
        if late:
            self.outcome.faults.append(
                f"{len(late)} streams had not ended after {self.plan.deadline_s:.0f} s"
            )
        self.outcome.lasted_s = time.monotonic() - begun
        return self.outcome

    async def _watch(self) -> None:
        begin, end = self.plan.window_s
        await asyncio.sleep(begin)
        tokens, cpu_s = self.received, cpu_of(self.plan.watched_pid)
        await asyncio.sleep(end - begin)
        self.outcome.window_tokens = self.received - tokens
        self.outcome.window_cpu_s = cpu_of(self.plan.watched_pid) - cpu_s

    async def _slot(self, number: int) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self.plan.ramp_s * number / self.plan.streams)
        for turn in range(self.plan.repeats):
            ended: asyncio.Future[Stream] = loop.create_future()
            try:
                await loop.create_connection(lambda: Stream(self, ended), "127.0.0.1", self.plan.port)  # noqa: B023
            except OSError as error:
                self.outcome.faults.append(f"no connection: {error.strerror}")
                return
            self._take(await ended, timed=turn > 0 or self.plan.repeats == 1)

    def _take(self, stream: "Stream", *, timed: bool) -> None:
        outcome = self.outcome
        outcome.requests += 1
        outcome.tokens += stream.tokens
        if stream.fault(self.plan.tokens, self.end):
            outcome.faults.append(stream.fault(self.plan.tokens, self.end))
        elif timed:
            outcome.ttft.append(stream.first_at - stream.asked_at)
            if stream.sent_at:
                outcome.carried.append(stream.first_at - stream.sent_at)


class Stream(asyncio.Protocol):
    """One request on a connection of its own."""

    def __init__(self, load: Load, ended: "asyncio.Future[Stream]") -> None:
        self._load = load
        self._ended = ended
        self._status = b""
        self._tail = b""
        self.tokens = 0
        self.asked_at = self.first_at = self.sent_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self.asked_at = time.monotonic()
        transport.write(self._load.request)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        fresh = data.count(b"~")
        if not self.tokens:
            if not self._status:
                self._status = data[:12]
            if fresh:
                self.first_at = time.monotonic()
                found = FIRST.search(data)
                self.sent_at = float(found[1]) if found else 0.0
        self.tokens += fresh
        self._load.received += fresh
        self._tail = data if len(data) > 400 else (self._tail + data)[-400:]
        if data.endswith(b"0\r\n\r\n") and self._load.end in self._tail:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        if not self._ended.done():
            self._ended.set_result(self)

    def fault(self, tokens: int, end: bytes) -> str:
        """Return what is wrong with the stream, or nothing."""
        if self._status != b"HTTP/1.1 200":
            return f"answered {self._status.decode('latin-1') or 'nothing'}"
        if self.tokens != tokens:
            return f"{self.tokens} of {tokens} tokens"
        return "" if end in self._tail else "no end"


def main() -> None:
    """Run the plan on the input."""
    plan = msgspec.json.decode(sys.stdin.buffer.read(), type=Plan)
    gc.freeze()
    outcome = uvloop.run(Load(plan).run())
    sys.stdout.buffer.write(msgspec.json.encode(outcome))


if __name__ == "__main__":
    main()
