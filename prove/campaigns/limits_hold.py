"""A thousand calls at once against an allowance that has room for a hundred, and kill -9 in between."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, closing
from random import Random
from typing import Any, NamedTuple, Protocol

import msgspec

from prove.campaign import Batch, Campaign, Skipped, Tally
from prove.forks import Fork, Installation, an_installation
from prove.wires import BROKEN, Answer, Wire
from tests.fakes.databases import NoServer, a_blank_database, connect
from tests.fakes.upstream import ScriptedUpstream

CALLS = 1000
FITTING = 100

MOST_TOKENS = 500
"""The limit of output tokens of each call."""

COSTS = {"ada": 7 + 2 * MOST_TOKENS, "bob": 7 + 2 * 20}
"""What the upstream bills for an answer in micro-dollars: 7 tokens of input, and all or few of output."""

ANSWERS_AFTER_S = {"ada": 0.05, "bob": 0.3}
CAPS = {"requests": FITTING, "money": FITTING * 1_100, "tokens": FITTING * 550}

USED = "SELECT coalesce(sum(spent), 0), coalesce(sum(granted), 0), coalesce(sum(unconfirmed), 0) FROM allowance_periods"
SLICES = "SELECT count(*) FROM allowance_grants"
LEDGER = "SELECT count(*), coalesce(sum(cost_micros), 0), coalesce(sum(input_tokens + output_tokens), 0) FROM calls"
SENT = f"{LEDGER} WHERE provider_id IS NOT NULL"

ENDS = {200, 429, 503}
"""Answered, refused by the limit, or refused since the database of a busy machine took more than five seconds."""

IN_STREAMS = {"insufficient_quota": 429, "database_busy": 503}
"""The same, of a call whose stream had opened before: by the code of the error that is its last event."""

AGAIN_S = 0.5
"""Seconds after which a call whose server was killed is made again."""

WITHIN_S = 120.0


class Stored(NamedTuple):
    """What the database says of the allowance, and of the calls that reached the upstream."""

    spent: int
    granted: int
    unconfirmed: int
    slices: int
    requests: int
    money: int
    tokens: int


class Reads(Protocol):
    """Returns the rows of statements, read from outside of Parley."""

    async def __call__(self, *statements: str) -> list[Any]: ...


class Place(NamedTuple):
    """The database of all servers: its address, if it is not a file of the data folder."""

    url: str | None
    reads: Callable[[Installation], Reads]


class LimitsHold:
    def __init__(
        self,
        name: str,
        where: str,
        servers: int,
        fault: str,
        opened: Callable[[], AbstractAsyncContextManager[Place]],
    ) -> None:
        """`fault` is the plant that lets a cap be passed."""
        self.name = name
        self.guarantee = (
            f"Of {CALLS:,} calls at once against room for {FITTING}, {where}, those that fit are sent and no more, "
            "whatever the limit counts. Kill -9 in between passes no cap; afterwards nothing is held, and what was "
            "billed is in the ledger or counts as unconfirmed."
        )
        self.trials = 60
        self.batch = 2
        self.sample = 2
        self._servers = servers
        self._fault = fault
        self._opened = opened

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(self._attack(batch))

    def control(self, batch: Batch) -> Tally:
        few = msgspec.structs.replace(batch, count=min(batch.count, 3))
        return asyncio.run(self._attack(few, self._fault))

    def summary(self, tally: Tally) -> str:
        total = Counter({name: int(sum(values)) for name, values in tally.figures.items()})
        return (
            f"{total['asked']:,} calls, {total['billed']:,} billed, the rest refused; {total['kills']:,} kills, "
            f"after which {total['unconfirmed']:,} of {total['killed_cap']:,} hundredths of a cap were unconfirmed"
        )

    async def _attack(self, batch: Batch, fault: str | None = None) -> Tally:
        tally = Tally()
        async with ScriptedUpstream() as upstream, self._opened() as place:
            for model, after_s in ANSWERS_AFTER_S.items():
                tokens = (COSTS[model] - 7) // 2
                usage = {"prompt_tokens": 7, "completion_tokens": tokens, "total_tokens": 7 + tokens}
                upstream.reply("Yes.", first_delay=after_s, usage=usage, model=model)
            with ExitStack() as stack:
                folders = [batch.folder / f"{number}" for number in range(self._servers)]
                installations = [
                    stack.enter_context(an_installation(each, upstream.url, tuple(COSTS))) for each in folders
                ]
                for trial in range(batch.first, batch.first + batch.count):
                    attack = _Trial(upstream, place, installations, batch.chance(trial), fault)
                    wrong = await attack.run(tally, kills=trial % 2 == 1)
                    tally.failures += [f"trial {trial}: {each}" for each in wrong]
                    tally.trials += 1
                    batch.step()
        return tally


class _Trial:
    """One cap on one meter, asked for by a thousand calls that are shared out among the servers."""

    def __init__(
        self,
        upstream: ScriptedUpstream,
        place: Place,
        installations: list[Installation],
        chance: Random,
        fault: str | None,
    ) -> None:
        self.upstream = upstream
        self.installations = installations
        self.reads = place.reads(installations[0])
        self.chance = chance
        self.plants = ["early-heads", *(["short-leases", "beside-others"] if place.url else [])]
        self.plants += [fault] if fault else []
        self.meter = chance.choice(list(CAPS))
        self.servers: list[Fork] = []
        for each in installations:
            each.variables |= {"PARLEY_DATABASE_URL": place.url} if place.url else {}

    async def run(self, tally: Tally, *, kills: bool) -> list[str]:
        """Return what is wrong."""
        self.upstream.requests.clear()
        self.servers = [await self._start(0)]
        await self._set_cap()
        self.servers += [await self._start(number) for number in range(1, len(self.installations))]
        before = await self._stored()
        calls = [asyncio.create_task(self._call(number, again=kills)) for number in range(CALLS)]
        if kills:
            await self._kill_one()
        outcomes = Counter(await asyncio.gather(*calls))
        if kills:
            await self._until_lapsed()
        for server in self.servers:
            await server.stop()
        stored = await self._stored()
        tally.note("asked", CALLS)
        tally.note("billed", len(self.upstream.chats))
        if kills:
            tally.note("kills", 1)
            tally.note("killed_cap", 100)
            tally.note("unconfirmed", stored.unconfirmed * 100 / CAPS[self.meter])
        return self._wrong(before, stored, outcomes, kills=kills)

    def _wrong(self, before: Stored, stored: Stored, outcomes: Counter[int], *, kills: bool) -> list[str]:
        billed, cap = self._billed(), CAPS[self.meter]
        ledger = getattr(stored, self.meter) - getattr(before, self.meter)
        wrong = [f"{self.meter}: {billed:,} were billed of {cap:,}"] if billed > cap else []
        if outcomes.keys() - ENDS:
            wrong.append(f"calls ended with {dict(outcomes)}")
        if stored.granted or stored.slices:
            wrong.append(f"{stored.granted:,} stay held, in {stored.slices} slices")
        if kills:
            if not ledger <= billed <= ledger + stored.unconfirmed:
                wrong.append(
                    f"{billed:,} billed, {ledger:,} in the ledger, {stored.unconfirmed:,} unconfirmed"
                )
            if not stored.spent - stored.unconfirmed <= billed <= stored.spent <= cap:
                wrong.append(f"{billed:,} billed, {stored.spent:,} count as spent")
            return wrong
        if not billed == ledger == stored.spent:
            wrong.append(f"{billed:,} billed, {ledger:,} in the ledger, {stored.spent:,} spent")
        if self.meter == "requests" and outcomes[200] != FITTING:
            wrong.append(f"{outcomes[200]} calls were answered instead of {FITTING}")
        if stored.unconfirmed:
            wrong.append(f"{stored.unconfirmed:,} are unconfirmed, and nothing was killed")
        return wrong

    def _billed(self) -> int:
        models = [str(request.model) for request in self.upstream.chats]
        match self.meter:
            case "money":
                return sum(COSTS[model] for model in models)
            case "tokens":
                return sum(7 + (COSTS[model] - 7) // 2 for model in models)
            case _:
                return len(models)

    async def _start(self, number: int) -> Fork:
        return await self.installations[number].start(",".join(self.plants) or None).ready()

    async def _set_cap(self) -> None:
        """Put a new cap in place of the one before, which takes its use with it."""
        with await Wire.open(self.servers[0].port) as wire:
            for limit in (await wire.ask("GET", "/api/limits")).json["limits"]:
                await wire.ask("DELETE", f"/api/limits/{limit['id']}")
            cap = {"subject_kind": "installation", "meter": self.meter, "period": "month"}
            answer = await wire.ask("POST", "/api/limits", {**cap, "cap": CAPS[self.meter]})
        if answer.status != 200:
            raise RuntimeError(f"the limit was refused: {answer.status} {answer.body[:200]!r}")

    async def _call(self, number: int, *, again: bool) -> int:
        """Ask one of the servers; return how that ended. If it was killed, ask the one that follows it."""
        body = {
            "model": self.chance.choice(list(COSTS)),
            "messages": [{"role": "user", "content": f"Question {number}: is this paid for, and by whom?"}],
            "max_tokens": MOST_TOKENS,
            "stream": number % 3 == 0,
        }
        while True:
            try:
                with await Wire.open(self.servers[number % len(self.servers)].port) as wire:
                    return ended(await wire.ask("POST", "/v1/chat/completions", body))
            except BROKEN:
                if not again:
                    raise
                await asyncio.sleep(AGAIN_S)

    async def _kill_one(self) -> None:
        """Kill a server in the midst of it, and start it again."""
        await self.upstream.wait_for_requests(self.chance.randint(1, FITTING // 2), WITHIN_S)
        number = self.chance.randrange(len(self.servers))
        self.servers[number].kill()
        self.servers[number] = await self._start(number)

    async def _until_lapsed(self) -> None:
        """Wait until the slice of the killed process counts as spent."""
        async with asyncio.timeout(WITHIN_S):
            while (await self._stored()).slices:  # noqa: ASYNC110
                await asyncio.sleep(0.2)

    async def _stored(self) -> Stored:
        used, slices, ledger = await self.reads(USED, SLICES, SENT)
        return Stored(*(int(figure) for row in (used, slices, ledger) for figure in row))


def ended(answer: Answer) -> int:
    """Return the status of a call. A stream opens when it has waited long; what is refused then, it says at its end."""
    if answer.status != 200 or not answer.headers["content-type"].startswith("text/event-stream"):
        return answer.status
    _, has_event, last = answer.body.rpartition(b"data: ")
    if last == b"[DONE]\n\n":
        return 200
    if not has_event:
        return 500
    return IN_STREAMS.get(msgspec.json.decode(last).get("error", {}).get("code"), 500)


@asynccontextmanager
async def _on_sqlite() -> AsyncGenerator[Place]:
    def reads(installation: Installation) -> Reads:
        async def read(*statements: str) -> list[Any]:
            with closing(sqlite3.connect(installation.database, timeout=20)) as database:
                return [database.execute(each).fetchone() for each in statements]

        return read

    yield Place(None, reads)


@asynccontextmanager
async def _on_server() -> AsyncGenerator[Place]:
    try:
        async with a_blank_database() as url:
            database = await connect(url.rpartition("/")[2])

            async def read(*statements: str) -> list[Any]:
                return [await database.fetchrow(each) for each in statements]

            try:
                yield Place(url, lambda _: read)
            finally:
                await database.close()
    except NoServer as missing:
        raise Skipped(str(missing)) from missing


CAMPAIGNS: list[Campaign] = [
    LimitsHold("limits-hold", "in one process on SQLite", 1, "hand-out-twice", _on_sqlite),
    LimitsHold("limits-hold-server", "in three processes on PostgreSQL", 3, "count-alone", _on_server),
]
