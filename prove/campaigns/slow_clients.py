"""Clients that send too much or too slowly, or are too many, are disconnected, and others are served."""

import asyncio
import contextlib
import sys
import time
from random import Random

from parley.api.connections import YOUNG_S
from prove.campaign import Batch, Campaign, Skipped, Tally, share
from prove.forks import Fork, Installation, an_installation
from prove.ready_battles import make_battles
from prove.wires import BROKEN, Wire
from tests.fakes.upstream import ScriptedUpstream

KINDS = ("headers", "halves", "descriptors")
BLAST_BYTES = 50_000_000
MOST_TAKEN_BYTES = 16_000_000
"""More than the limit and what the system's own buffers hold, much less than the blast."""

HALVES = 300
TIMEOUT_S = 1.0
ENDED_S = 8.0
"""How long half-requests may be there, with much air for a busy machine."""

STREAMS = 60
"""More than a process with 256 descriptors takes."""

FEWEST_STREAMS = 32
"""What 256 descriptors are enough for, and 128 are not."""

ANSWER_S = 10.0
CHAT = {"prompt": "At length?", "mode": "chat", "seats": {"assistant": "ada"}}


class SlowClients:
    name = "slow-clients"
    guarantee = (
        "Endless headers, half-requests and more streams than a process has descriptors are ended or told to wait; "
        "votes are taken meanwhile, and no provider is blamed."
    )
    trials = 30
    batch = 6
    sample = 3

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, "few-files"))

    def control(self, batch: Batch) -> Tally:
        few = Batch(
            first=batch.first, count=len(KINDS), seed=batch.seed, folder=batch.folder, step=batch.step
        )
        return asyncio.run(_attack(few, "few-files,no-limits"))

    def summary(self, tally: Tally) -> str:
        figures = tally.figures
        return (
            f"at most {share(figures.get('taken_mb', []), 1.0):.1f} MB of 50 MB of headers were taken; {HALVES} "
            f"half-requests were over after {share(figures.get('halves_s', []), 1.0):.1f} s (limit {TIMEOUT_S:.0f} s); "
            f"with 256 descriptors {int(sum(figures.get('streams', []))):,} streams ran, "
            f"{int(sum(figures.get('refused', []))):,} got 503 with Retry-After, and "
            f"{int(sum(figures.get('votes', []))):,} votes were taken after at most "
            f"{share(figures.get('vote_s', []), 1.0):.1f} s"
        )


async def _attack(batch: Batch, planted: str) -> Tally:
    if sys.platform == "win32":
        raise Skipped("this system has no limit of open files")
    tally = Tally()
    for number in range(batch.first, batch.first + batch.count):
        async with ScriptedUpstream() as upstream:
            upstream.reply("Well.")
            with an_installation(batch.folder / f"{number}", upstream.url, ("ada", "bob")) as installation:
                trial = _Trial(installation, upstream, planted, batch.chance(number), tally)
                try:
                    await trial.run(KINDS[number % len(KINDS)])
                except (*BROKEN, TimeoutError) as error:
                    tally.failures.append(
                        f"{KINDS[number % len(KINDS)]}: somebody was not served: {type(error).__name__} {error}"
                    )
        tally.trials += 1
        batch.step()
    return tally


class _Trial:
    def __init__(
        self,
        installation: Installation,
        upstream: ScriptedUpstream,
        planted: str,
        chance: Random,
        tally: Tally,
    ) -> None:
        self.installation = installation
        self.upstream = upstream
        self.planted = planted
        self.chance = chance
        self.tally = tally

    async def run(self, kind: str) -> None:
        if kind == "descriptors":
            wires: list[Wire] = []
            try:
                await self._descriptors(wires)
            finally:
                _cut_all(wires)
            return
        await self._started()
        await (self._headers() if kind == "headers" else self._halves())
        await self._health()

    async def _started(self) -> Fork:
        return await self.installation.start(self.planted, PARLEY_HEAD_TIMEOUT=str(TIMEOUT_S)).ready()

    async def _health(self) -> None:
        async with asyncio.timeout(ANSWER_S):
            with await Wire.open(self.installation.port) as wire:
                if (await wire.ask("GET", "/healthz")).status != 200:
                    self._fail("others are not served")

    async def _headers(self) -> None:
        """Send headers without an end, in many lines or in one."""
        line = b"X-%d: %b\r\n" % (self.chance.randrange(1000), b"y" * self.chance.choice((10, 1000, 60_000)))
        if self.chance.random() < 0.5:
            line = b"y" * 65_536
        _, writer = await asyncio.open_connection("127.0.0.1", self.installation.port)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        taken = 0
        with contextlib.suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(60):
                while taken < BLAST_BYTES:
                    writer.write(line)
                    taken += len(line)
                    await writer.drain()
        writer.transport.abort()
        self.tally.note("taken_mb", taken / 1e6)
        if taken > MOST_TAKEN_BYTES:
            self._fail(f"{taken / 1e6:.0f} MB of headers were taken")

    async def _halves(self) -> None:
        """Open requests of which the rest never comes, heads and bodies, and count those that stay."""
        head = b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        begun = time.monotonic()
        some: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        with contextlib.ExitStack() as opened:
            for _ in range(HALVES):
                with contextlib.suppress(OSError):
                    reader, writer = await asyncio.open_connection("127.0.0.1", self.installation.port)
                    opened.callback(writer.transport.abort)
                    writer.write(head[: self.chance.randint(1, len(head))])
                    some.append((reader, writer))
            await asyncio.sleep(2 * YOUNG_S)
            await self._health()
            ended = await asyncio.gather(*(self._is_ended(reader) for reader, _ in some))
        self.tally.note("halves_s", time.monotonic() - begun)
        if not all(ended):
            self._fail(f"{ended.count(False)} of {HALVES} half-requests are open after {ENDED_S:.0f} s")

    async def _is_ended(self, reader: asyncio.StreamReader) -> bool:
        try:
            async with asyncio.timeout(ENDED_S):
                while await reader.read(65_536):
                    pass
        except TimeoutError:
            return False
        except ConnectionError:
            pass
        return True

    async def _descriptors(self, wires: list[Wire]) -> None:
        """Open more streams than there are descriptors, leave some, open more; vote meanwhile; ask again after."""
        battles = await make_battles(self.installation, 20)
        await self._started()
        self.upstream.forget()
        self.upstream.reply("One", "two", hold_after=1)
        for round_ in range(3):
            answers = await asyncio.gather(*(self._stream(wires) for _ in range(STREAMS)))
            self.tally.note("streams", answers.count(200))
            self.tally.note("refused", answers.count(503))
            if answers.count(200) + answers.count(503) < STREAMS or 503 not in answers:
                self._fail(f"{STREAMS} streams were answered by {sorted(set(answers))}")
            if round_ == 0 and answers.count(200) < FEWEST_STREAMS:
                self._fail(f"only {answers.count(200)} streams ran: the soft limit was not raised")
            await self._vote(battles[6 * round_ : 6 * round_ + 6])
            if round_ < 2:
                _cut_all(wires)
                await asyncio.sleep(0.3)
        self.upstream.release()
        self.upstream.forget()
        self.upstream.reply("Well.")
        _cut_all(wires)
        await asyncio.sleep(0.5)
        async with asyncio.timeout(ANSWER_S):
            with await Wire.open(self.installation.port) as wire:
                status = (await wire.ask("POST", "/api/sessions", CHAT)).json["status"]
        if status != "completed":
            self._fail(f"after all that the provider is left alone: {status}")

    async def _stream(self, wires: list[Wire]) -> int:
        try:
            async with asyncio.timeout(ANSWER_S):
                wire = await Wire.open(self.installation.port)
                wires.append(wire)
                status, headers = await wire.begin("POST", "/api/sessions", CHAT, Accept="text/event-stream")
        except (*BROKEN, TimeoutError) as error:
            self._fail(f"a stream was not answered: {error!r}")
            return 0
        if status == 503 and "retry-after" not in headers:
            self._fail("503 without Retry-After")
        return status

    async def _vote(self, battles: list[str]) -> None:
        for battle in battles:
            begun = time.monotonic()
            async with asyncio.timeout(ANSWER_S):
                with await Wire.open(self.installation.port) as wire:
                    answer = await wire.ask("POST", f"/api/battles/{battle}/vote", {"vote": "left"})
            self.tally.note("vote_s", time.monotonic() - begun)
            self.tally.note("votes", 1)
            if answer.status != 200:
                self._fail(f"a vote was answered by {answer.status}: {answer.body[:200]!r}")

    def _fail(self, words: str) -> None:
        self.tally.failures.append(words)


def _cut_all(wires: list[Wire]) -> None:
    while wires:
        wires.pop().cut()


CAMPAIGNS: list[Campaign] = [SlowClients()]
