"""A soak test: thousands of streams, one in twenty through a failing provider, and nothing grows."""

import asyncio
from random import Random

from prove.campaign import Batch, Campaign, Tally, share
from prove.campaigns.fault_storm import PLAYABLE
from prove.campaigns.leaks import left, stream
from prove.forks import Fork, an_installation
from prove.planted import LAGS
from prove.wires import Wire
from tests.fakes.faults import FINE
from tests.fakes.running import ModelSpec
from tests.fakes.upstream import ScriptedUpstream

AT_ONCE = 8
FAULTY = 0.05
"""The share of streams whose model's server fails."""

UNWELL = tuple(ModelSpec(f"unwell-{number}", provider=f"bed-{number}") for number in range(40))
"""Failing models, so many that none fails often enough for its breaker to pause it for long."""

WELL = ("ada", "bob")

WARM_UP = 100
"""Streams before the first look: caches and pools fill up."""

SETTLED = 0.1
"""The part of the streams after which memory is looked at first."""

GROWTH = 0.05
LAG_S = 0.05
MORE_DESCRIPTORS = 10
"""That the database's connections may still open after the warm-up, however many streams follow."""


class Soak:
    name = "soak"
    guarantee = (
        "10,000 streams, one in twenty with a fault of the model's server: memory grows by less than 5%, descriptors "
        "stay the same, and 99 times in 100 the event loop is less than 50 ms late of its own doing."
    )
    trials = 10_000
    batch = 10_000
    sample = 60

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, "probe,lags"))

    def control(self, batch: Batch) -> Tally:
        """Plant the faults; one that is not caught empties the tally."""
        every = Tally()
        for planted, words in (
            ("stall,hoard,probe,lags", ("late", "memory", "descriptors")),
            ("leak,lags", ("tasks",)),
        ):
            folder = batch.folder / words[0]
            folder.mkdir()
            found = asyncio.run(
                _attack(Batch(first=0, count=40, seed=batch.seed, folder=folder), planted, warm_up=10)
            ).failures
            for word in words:
                caught = [failure for failure in found if word in failure]
                if not caught:
                    return Tally()
                every.failures += caught[:1]
        return every

    def summary(self, tally: Tally) -> str:
        lag, own, memory = (tally.figures.get(name, []) for name in ("lag_s", "own_s", "rss_kb"))
        if not memory:
            return ""
        return (
            f"{len(tally.figures.get('faults', [])):,} faults; memory {memory[0] / 1000:.0f} MB, at the end "
            f"{memory[-1] / 1000:.0f} MB; the loop was late by {1000 * share(own, 0.99):.0f} ms of its own doing "
            f"(p99; {1000 * share(lag, 0.99):.0f} ms by the clock, with what else the machine did)"
        )


async def _attack(batch: Batch, planted: str, *, warm_up: int = WARM_UP) -> Tally:
    tally = Tally()
    async with ScriptedUpstream() as upstream:
        upstream.reply("A quick ", "answer ", "in three pieces.")
        models = (*(ModelSpec(name, tags=("battle",)) for name in WELL), *UNWELL)
        with an_installation(batch.folder, upstream.url, models) as installation:
            server = await installation.start(planted).ready()
            soak = _Soak(server, upstream, batch, tally)
            await soak.have(range(warm_up))
            tasks, descriptors = await left(server, upstream)
            await soak.lags()
            settled = batch.first + round(batch.count * SETTLED)
            await soak.have(range(batch.first, settled))
            before = server.figures()["VmRSS"]
            tally.note("rss_kb", before)
            await soak.have(range(settled, batch.first + batch.count), counted=True)
            tally.trials += settled - batch.first
            lags = await soak.lags()
            tasks_after, descriptors_after = await left(server, upstream)
            after = server.figures()["VmRSS"]
            tally.note("rss_kb", after)
    for name, values in lags.items():
        tally.note(name, *(share(values, part / 1000) for part in range(1000)))
    if tasks_after > tasks:
        tally.failures.append(f"{tasks_after - tasks} tasks are left")
    if descriptors_after > descriptors + MORE_DESCRIPTORS:
        tally.failures.append(f"{descriptors_after - descriptors} descriptors are left")
    if after > before * (1 + GROWTH):
        tally.failures.append(f"memory grew from {before} to {after} kB")
    if share(lags["own_s"], 0.99) > LAG_S:
        tally.failures.append(f"the event loop is late by {1000 * share(lags['own_s'], 0.99):.0f} ms (p99)")
    return tally


class _Soak:
    def __init__(self, server: Fork, upstream: ScriptedUpstream, batch: Batch, tally: Tally) -> None:
        self._server = server
        self._upstream = upstream
        self._batch = batch
        self._tally = tally
        self._free = [spec.id for spec in UNWELL]

    async def have(self, numbers: range, *, counted: bool = False) -> None:
        """Run this many streams, some at a time."""
        waiting = iter(numbers)

        async def one_after_the_other() -> None:
            for number in waiting:
                await self._one(self._batch.chance(number))
                if number % 100 == 0:
                    self._upstream.requests.clear()
                if counted:
                    self._tally.trials += 1
                    self._batch.step()

        await asyncio.gather(*(one_after_the_other() for _ in range(AT_ONCE)))

    async def _one(self, chance: Random) -> None:
        if chance.random() >= FAULTY:
            await stream(self._server.port, chance)
            return
        fault = chance.choice(PLAYABLE)
        model = self._free.pop(0)
        for script in (*fault.scripts, FINE):
            self._upstream.script(script, model=model)
        await stream(self._server.port, chance, model)
        self._upstream.drop(model)
        self._free.append(model)
        self._tally.note("faults", 1)

    async def lags(self) -> dict[str, list[float]]:
        """Return how late the event loop was since the last time."""
        with await Wire.open(self._server.port) as wire:
            return (await wire.ask("GET", LAGS)).json


CAMPAIGNS: list[Campaign] = [Soak()]
