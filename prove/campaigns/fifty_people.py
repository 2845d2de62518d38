"""Fifty people at once: battles and votes, one shared session, logins; a trial is a second of it."""

import asyncio
import re
import time
from random import Random
from typing import Any

from prove.campaign import Batch, Campaign, Tally, share
from prove.forks import Fork, an_installation
from prove.planted import LAGS
from prove.wires import BROKEN, Wire
from tests.fakes.upstream import ScriptedUpstream

PEOPLE = 50
PASSWORD = "four unrelated wordy words"
THINKS_S = 3.0
"""The mean time between two things that a person does: quicker than anybody reads."""

LAG_S = 0.05
TURNS = 30
"""The turns of the shared session before the next one is opened: nobody goes on for ever."""

PAGE = {"Sec_Fetch_Site": "same-origin"}


class FiftyPeople:
    name = "fifty-people"
    guarantee = (
        "Fifty people at once for five minutes, with battles, votes, one shared session and logins: no request fails, "
        "and 99 times in 100 the event loop is less than 50 ms late because of what it computes itself."
    )
    trials = 300
    batch = 300
    sample = 8

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, "lags"))

    def control(self, batch: Batch) -> Tally:
        """Block the loop at every request that starts something."""
        return asyncio.run(_attack(batch, "stall,lags"))

    def summary(self, tally: Tally) -> str:
        lag, own = (tally.figures.get(name, []) for name in ("lag_s", "own_s"))
        done = {name: len(tally.figures.get(name, [])) for name in ("battle", "shared", "login")}
        return (
            f"{done['battle']:,} battles with their votes, {done['shared']:,} turns in the shared session, "
            f"{done['login']:,} logins; the loop was late by {1000 * share(own, 0.99):.0f} ms by the server's doing "
            f"(p99; {1000 * share(lag, 0.99):.0f} ms by the clock, with what else the machine did)"
        )


class _Refused(Exception):
    """A request failed; the text says which."""


class _Visitor:
    """Somebody's browser, with their login. Each request has a connection: servers close those that wait for long."""

    def __init__(self, port: int, name: str, space: str = "") -> None:
        self._port = port
        self.name = name
        self.space = space
        self.login = ""

    @property
    def headers(self) -> dict[str, str]:
        """The headers that every request of theirs has."""
        space = {"Parley_Space": self.space} if self.space else {}
        return {**PAGE, "Cookie": f"parley_login={self.login}", **space}

    async def ask(self, method: str, path: str, body: Any = None, *, may: tuple[int, ...] = ()) -> Any:
        """Return the JSON of a response; None for one of `may`. Raises _Refused."""
        async with asyncio.timeout(60):
            with await Wire.open(self._port) as wire:
                answer = await wire.ask(method, path, body, **self.headers)
        if "parley_login=" in (cookies := answer.headers.get("set-cookie", "")):
            self.login = cookies.partition("parley_login=")[2].partition(";")[0].strip('"')
        if answer.status in may:
            return None
        if answer.status >= 300:
            raise _Refused(f"{method} {path}: {answer.status} {answer.body[:200].decode('utf-8', 'replace')}")
        return answer.json if answer.body else None

    async def sign_in(self) -> None:
        """Sign in with the password."""
        await self.ask("POST", "/api/auth/login", {"email": f"{self.name}@example.org", "password": PASSWORD})


async def _attack(batch: Batch, planted: str) -> Tally:
    tally = Tally()
    async with ScriptedUpstream() as upstream:
        upstream.reply("A quick ", "answer ", "in three pieces.")
        with an_installation(batch.folder, upstream.url, ("ada", "bob", "cleo")) as installation:
            variables = {"PARLEY_MODE": "shared"}
            server = await installation.start(planted, **variables).ready()
            people = await _people(server)
            gathering = _Gathering(batch, server, people, tally)
            await _lags(server)
            await gathering.have()
            for name, values in (await _lags(server)).items():
                tally.note(name, *(share(values, part / 1000) for part in range(1000)))
            tally.trials = batch.count
            upstream.requests.clear()
    if (late := share(tally.figures["own_s"], 0.99)) > LAG_S:
        tally.failures.append(f"the event loop is late by {1000 * late:.0f} ms (p99)")
    return tally


async def _people(server: Fork) -> list[_Visitor]:
    """Return everybody, signed in and in one workspace."""
    (secret,) = re.findall(r"/join#([\w-]{43})", server.said())
    first = _Visitor(server.port, "p0")
    account = {"name": "P 0", "email": "p0@example.org", "password": PASSWORD}
    await first.ask("POST", "/api/auth/link/use", {**account, "token": secret})
    space = (await first.ask("POST", "/api/workspaces", {"name": "Everybody"}))["id"]
    people = [first]
    for number in range(1, PEOPLE):
        each = _Visitor(server.port, f"p{number}")
        made = {"name": f"P {number}", "email": f"{each.name}@example.org", "password": PASSWORD}
        await first.ask("POST", "/api/people", made)
        member = {"email": made["email"], "role": "editor"}
        await first.ask("PUT", f"/api/workspaces/{space}/members", member)
        await each.sign_in()
        people.append(each)
    for each in people:
        each.space = space
    return people


async def _lags(server: Fork) -> dict[str, list[float]]:
    with await Wire.open(server.port) as wire:
        return (await wire.ask("GET", LAGS)).json


class _Gathering:
    """What fifty people do until the time is up."""

    def __init__(self, batch: Batch, server: Fork, people: list[_Visitor], tally: Tally) -> None:
        self._batch = batch
        self._server = server
        self._people = people
        self._tally = tally
        self._session = self._match = ""
        self._turns = 0

    async def have(self) -> None:
        """Let everybody come, act for as many seconds as the batch has trials, and go."""
        await self._open_session(self._people[0])
        until = time.monotonic() + self._batch.count
        watching = [asyncio.create_task(self._watch(each, until)) for each in self._people]
        acting = [self._act(place, each, until) for place, each in enumerate(self._people)]
        await asyncio.gather(*acting)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)

    async def _open_session(self, by: _Visitor) -> None:
        chat = {"prompt": "Hello, all", "mode": "chat", "seats": {"assistant": "ada"}}
        started = await by.ask("POST", "/api/sessions", chat)
        self._session, self._match, self._turns = started["session_id"], started["match_id"], 0

    async def _watch(self, visitor: _Visitor, until: float) -> None:
        """Keep the events of the shared session open, as its page does."""
        while time.monotonic() < until:
            with await Wire.open(self._server.port) as wire:
                path = f"/api/sessions/{self._session}/events"
                status, _ = await wire.begin("GET", path, **visitor.headers)
                if status == 401:  # they are signing in again just now
                    await asyncio.sleep(0.2)
                    continue
                if status != 200:
                    self._tally.failures.append(f"events: {status}")
                    return
                try:
                    async for event in wire.events():
                        self._tally.note("event", len(event))
                except BROKEN as error:
                    self._tally.failures.append(f"events: {error}")

    async def _act(self, place: int, visitor: _Visitor, until: float) -> None:
        chance = self._batch.chance(place)
        while (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, chance.expovariate(1 / THINKS_S)))
            try:
                await self._one(visitor, chance)
            except (_Refused, TimeoutError, *BROKEN) as error:
                self._tally.failures.append(f"{visitor.name}: {error or type(error).__name__}")
            if place == 0:
                self._batch.step()

    async def _one(self, visitor: _Visitor, chance: Random) -> None:
        act = chance.choices(("battle", "shared", "read", "login"), (5, 3, 3, 1))[0]
        if act == "battle":
            asked = {"prompt": f"Which is better, {chance.random()}?", "mode": "battle"}
            battle = await visitor.ask("POST", "/api/sessions", asked)
            await asyncio.sleep(chance.random())
            path = f"/api/matches/{battle['match_id']}/vote"
            await visitor.ask("POST", path, {"vote": chance.choice(("left", "right", "tie"))})
        elif act == "shared":
            if self._turns >= TURNS:
                await self._open_session(visitor)
            asked = {"input": {"type": "prompt", "text": f"And {chance.random()}?"}}
            # Of two who ask at once in one chat, one is told to wait.
            turn = await visitor.ask("POST", f"/api/matches/{self._match}/turns", asked, may=(409,))
            self._turns += turn is not None
            act = act if turn is not None else "busy"
        elif act == "read":
            await visitor.ask("GET", f"/api/sessions/{self._session}")
            await visitor.ask("GET", "/api/sessions")
            await visitor.ask("GET", "/api/leaderboard/space")
        else:
            await visitor.ask("POST", "/api/auth/logout")
            await visitor.sign_in()
        self._tally.note(act, 1)


CAMPAIGNS: list[Campaign] = [FiftyPeople()]
