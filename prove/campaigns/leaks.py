"""Ten thousand streams through one process: nothing leaks, and memory stays flat."""

import asyncio
from random import Random

from prove.campaign import Batch, Campaign, Tally
from prove.forks import Fork, an_installation
from prove.planted import PROBE
from prove.wires import Wire
from tests.fakes.upstream import ScriptedUpstream

AT_ONCE = 8
WARM_UP = 60
ABANDONED = 0.1
"""The share of streams whose client goes away in the middle."""

SLACK = 10
"""Descriptors that the database's connections may still open after the warm-up, however many streams follow."""

STEEPEST_KB = 200
"""The most that a thousand streams may add, in kB."""

LONG_RUN = 2000
"""From so many streams on, the slope of memory says something."""


class Leaks:
    name = "leaks"
    guarantee = (
        "10,000 streams through one process leave no task, socket or descriptor, and memory stays flat."
    )
    trials = 10_000
    batch = 10_000
    sample = 60

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, "probe"))

    def control(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, "leak"))

    def summary(self, tally: Tally) -> str:
        slope, memory = tally.figures.get("slope_kb", []), tally.figures.get("rss_kb", [])
        if not slope or not memory:
            return ""
        return (
            f"{slope[0]:+.0f} kB per 1,000 streams, from {memory[0] / 1000:.0f} to {memory[-1] / 1000:.0f} MB in all; "
            f"one in ten was left by its client in the middle"
        )


async def _attack(batch: Batch, planted: str) -> Tally:
    tally = Tally()
    async with ScriptedUpstream() as upstream:
        upstream.reply("A quick ", "answer ", "in three pieces.")
        with an_installation(batch.folder, upstream.url, ("ada", "bob")) as installation:
            server = await installation.start(planted).ready()
            warming = iter(range(WARM_UP))

            async def warm_up() -> None:
                for number in warming:
                    await stream(installation.port, batch.chance(number))

            await asyncio.gather(*(warm_up() for _ in range(AT_ONCE)))
            tasks, descriptors = await left(server, upstream)
            numbers = iter(range(batch.first, batch.first + batch.count))

            async def streams() -> None:
                for number in numbers:
                    await stream(installation.port, batch.chance(number))
                    tally.trials += 1
                    batch.step()
                    if tally.trials % 100 == 0:
                        upstream.requests.clear()
                        tally.note("rss_kb", server.figures()["VmRSS"])

            await asyncio.gather(*(streams() for _ in range(AT_ONCE)))
            tasks_after, descriptors_after = await left(server, upstream)
    if tasks_after > tasks:
        tally.failures.append(f"{tasks_after - tasks} tasks are left after {batch.count} streams")
    if descriptors_after > descriptors + SLACK:
        tally.failures.append(
            f"{descriptors_after - descriptors} descriptors are left after {batch.count} streams"
        )
    if batch.count >= LONG_RUN:
        slope = 10 * _slope(tally.figures["rss_kb"][len(tally.figures["rss_kb"]) // 5 :])
        tally.note("slope_kb", slope)
        if slope > STEEPEST_KB:
            tally.failures.append(f"1,000 streams add {slope:.0f} kB")
    return tally


async def stream(port: int, chance: Random, model: str | None = None) -> None:
    """Play one turn, with a model if one is named; sometimes leave before its end."""
    battle, leaves = chance.random() < 0.3 and model is None, chance.random() < ABANDONED
    chat = {"prompt": "And?", "mode": "chat", "seats": {"assistant": model or "ada"}}
    body = {"prompt": "And?"} if battle else chat
    wire = await Wire.open(port)
    try:
        async with asyncio.timeout(60):
            await wire.begin("POST", "/api/sessions", body, Accept="text/event-stream")
            async for _ in wire.events():
                if leaves:
                    return
    finally:
        wire.cut()


async def left(server: Fork, upstream: ScriptedUpstream) -> tuple[int, int]:
    """Return how many tasks there are after the last stream, and descriptors beside those kept for the next answers."""
    await upstream.wait_until_idle(2)
    await asyncio.sleep(0.5)
    wire = await Wire.open(server.port)
    probed = (await wire.ask("GET", PROBE)).json
    wire.cut()
    return probed["tasks"], server.figures()["descriptors"] - upstream.open_connections


def _slope(values: list[float]) -> float:
    """Return the slope of the least-squares line, per step."""
    middle, mean = (len(values) - 1) / 2, sum(values) / len(values)
    square = sum((place - middle) ** 2 for place in range(len(values)))
    return sum((place - middle) * (value - mean) for place, value in enumerate(values)) / square


CAMPAIGNS: list[Campaign] = [Leaks()]
