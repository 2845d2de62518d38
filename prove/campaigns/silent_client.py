"""Clients that never read, on long streams: they cost little, and nobody else waits for them."""

import asyncio
import time

from prove.campaign import Batch, Campaign, Tally, share
from prove.forks import Fork, an_installation
from prove.wires import Wire
from tests.fakes.running import Reader
from tests.fakes.upstream import ScriptedUpstream

SILENT = 100
PIECE = "\x01" * 999 + "\n"
"""Six bytes for each character in JSON."""

PIECES = 500
TEXT = PIECE * PIECES
PER_CLIENT_KB = 1300
"""The most that a silent client may cost: its queue and what was taken from it last (512 kB each), and some air."""

OTHERS_S = 2.0
"""The longest that the reading client may wait for the next event."""


class SilentClient:
    name = "silent-client"
    guarantee = "Clients that never read cannot grow memory without bound, and do not hinder others."
    trials = 20
    batch = 10
    sample = 1

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, "small-buffers"))

    def control(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, "small-buffers,unbounded-feeds", trials=1))

    def summary(self, tally: Tally) -> str:
        grown, gap = tally.figures.get("grown_kb", []), tally.figures.get("gap_s", [])
        return (
            f"{SILENT} silent clients on a stream of {6 * len(TEXT) / 1e6:.1f} MB cost at most "
            f"{share(grown, 1.0) / SILENT:.0f} kB each; who read waited at most {share(gap, 1.0) * 1000:.0f} ms"
        )


async def _attack(batch: Batch, planted: str, trials: int | None = None) -> Tally:
    tally = Tally()
    async with ScriptedUpstream() as upstream:
        with an_installation(batch.folder, upstream.url, ("ada", "bob")) as installation:
            server = await installation.start(planted).ready()
            await _round(server, installation.port, upstream, 0, Tally())
            for _ in range(trials or batch.count):
                await _round(server, installation.port, upstream, SILENT, tally)
                tally.trials += 1
                batch.step()
    return tally


async def _round(server: Fork, port: int, upstream: ScriptedUpstream, silent: int, tally: Tally) -> None:
    """Stream one long answer to one client that reads and to others that do not."""
    upstream.forget()
    upstream.reply(*[PIECE] * PIECES, delay=0.002, hold_after=1)
    server.forget_peak()
    before = server.figures()["VmRSS"]
    reading, reader, gap, quiet = await Wire.open(port), Reader(), 0.0, list[Wire]()
    body = {"prompt": "At length?", "mode": "chat", "seats": {"assistant": "ada"}}
    await reading.begin("POST", "/api/sessions", body, Accept="text/event-stream")
    last = None
    async for event in reading.events():
        now = time.monotonic()
        gap = max(gap, now - last if last else 0.0)
        reader.take(event)
        if last is None:
            for _ in range(silent):
                quiet.append(await Wire.open(port, receive_buffer=4096))
                await quiet[-1].begin("GET", f"/api/turns/{event['turn']['id']}/events")
            upstream.release()
        last = time.monotonic()
    reading.cut()
    figures = server.figures()
    for wire in quiet:
        wire.cut()
    grown = max(figures["VmHWM"], figures["VmRSS"]) - before
    tally.note("grown_kb", grown)
    tally.note("gap_s", gap)
    if reader.end != "turn.completed" or list(reader.texts().values()) != [TEXT]:
        tally.failures.append(f"the one who read got {reader.end} and another text")
    if grown > SILENT * PER_CLIENT_KB:
        tally.failures.append(f"{silent} silent clients took {grown / 1000:.0f} MB")
    if gap > OTHERS_S:
        tally.failures.append(f"the one who read waited {gap:.1f} s for the next event")


CAMPAIGNS: list[Campaign] = [SilentClient()]
