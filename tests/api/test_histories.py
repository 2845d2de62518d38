"""Histories never mix: whatever comes, leaves, is asked again, carried on or cut off, each seat hears its own words."""

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.process import ParleyProcess, processes
from tests.fakes.running import Client, write_models
from tests.fakes.upstream import Pause, Request, Script, ScriptedUpstream, delta, event

pytestmark = pytest.mark.databases("sqlite")

MODELS = ("ada", "bob", "cleo", "dora", "eli", "fay")
STEPS = 22
Heard = tuple[str, ...]


class Speaker(ScriptedUpstream):
    """Each answer is said once in all time; now and then one fails, or takes long enough to be cut off."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.chance = random.Random(0)
        self.slow = False
        self._numbers = count(1)

    def _script_for(self, request: Request) -> Script:
        if not request.model or request.path.startswith("/v1/models"):
            return super()._script_for(request)
        if not self.slow and self.chance.random() < 0.08:
            return Script((b'{"error":{"message":"no"}}',), status=400)
        said = f"{request.model} says {next(self._numbers)}"
        pause = (Pause(0.6),) if self.slow else ()
        return Script((event(delta(content=said)), *pause, event(delta(finish="stop")), event("[DONE]")))


@dataclass
class Place:
    """A turn, what was asked in it, and by seat the conversation before and after it."""

    question: str
    before: dict[str, Heard]
    turn: str = ""
    after: dict[str, Heard] = field(default_factory=dict[str, Heard])


@dataclass
class Talk:
    """A session as it must be. `seats` are those of the match that goes on, `heard` their conversations."""

    session: str = ""
    match: str = ""
    mode: str = "compare"
    seats: dict[str, str] = field(default_factory=dict[str, str])
    heard: dict[str, Heard] = field(default_factory=dict[str, Heard])
    places: list[Place] = field(default_factory=list[Place])


@pytest.fixture
async def upstream() -> AsyncIterator[Speaker]:
    async with Speaker() as speaker:
        yield speaker


@pytest.mark.timeout(180)
@pytest.mark.parametrize("seed", range(2))
async def test_each_seat_hears_its_own_words(tmp_path: Path, upstream: Speaker, seed: int) -> None:
    models = write_models(tmp_path / "models.yaml", upstream.url, MODELS)
    with processes(tmp_path, models) as start:
        walk = Walk(start, upstream, random.Random(seed))
        await walk.begin()
        for _ in range(STEPS):
            await walk.step()
        await walk.client.aclose()


class Walk:
    """A random walk through what can be done with a session, beside a copy of what must be heard."""

    def __init__(self, start: Any, upstream: Speaker, chance: random.Random) -> None:
        self.start = start
        self.upstream = upstream
        self.chance = chance
        self.talk = Talk()
        self.names = (f"s{number}" for number in count(1))
        self.words = (f"Question {number}" for number in count(1))
        upstream.chance = random.Random(chance.random())

    async def begin(self) -> None:
        await self._open(self.start())
        self.talk.seats = {next(self.names): model for model in self.chance.sample(MODELS, 3)}
        await self._new_match("/api/sessions", {}, {})

    async def step(self) -> None:
        doings = (self.say, self.say, self.change, self.retry, self.carry_on, self.chat, self.crash)
        await self.chance.choice(doings)()

    async def say(self) -> None:
        await self._turn({})

    async def change(self) -> None:
        """Let a seat come, a seat leave, or both."""
        talk = self.talk
        if talk.mode != "compare":
            await self.say()
            return
        leaving = [self.chance.choice(list(talk.seats))] if len(talk.seats) > 2 else []
        coming = {next(self.names): self.chance.choice(MODELS)} if len(talk.seats) < 5 else {}
        talk.seats = {name: model for name, model in talk.seats.items() if name not in leaving} | coming
        talk.heard |= dict.fromkeys(coming, ())
        await self._turn({"seats": {"add": coming, "leave": leaving}})

    async def retry(self) -> None:
        """Ask one seat of the last turn again."""
        place, before = self.talk.places[-1], self.upstream.chats[:]
        seat = self.chance.choice(list(place.after))
        assert await self._post(f"/api/turns/{place.turn}/retry", {"seat": seat}) == 200
        await self._check(place, (seat,), before)

    async def carry_on(self) -> None:
        """Begin a comparison in which some seats carry on conversations from anywhere, and some begin."""
        old = self.chance.choice(self.talk.places)
        talk = self.talk
        carried = self.chance.sample(list(old.after), min(len(old.after), self.chance.randint(1, 3)))
        parents = {next(self.names): (old, seat) for seat in carried}
        fresh = [next(self.names) for _ in range(max(1, 2 - len(parents)))]
        talk.seats = {name: self.chance.choice(MODELS) for name in (*parents, *fresh)}
        continues = {name: {"turn_id": old.turn, "seat": seat} for name, (old, seat) in parents.items()}
        heard = {name: old.after[seat] for name, (old, seat) in parents.items()}
        path = f"/api/sessions/{talk.session}/matches"
        await self._new_match(path, {"continue_seats": continues}, heard)

    async def chat(self) -> None:
        """Carry on one seat's conversation in a chat: a branch, wherever it begins."""
        old = self.chance.choice(self.talk.places)
        seat = self.chance.choice(list(old.after))
        self.talk.seats = {"assistant": self.chance.choice(MODELS)}
        path = f"/api/sessions/{self.talk.session}/matches"
        parent = {"turn_id": old.turn, "seat": seat}
        await self._new_match(path, {"continue_from": parent}, {"assistant": old.after[seat]}, mode="chat")

    async def crash(self) -> None:
        """Kill the server in mid-answer; the turn is played on when it is back."""
        self.upstream.slow = True
        question, before = next(self.words), self.upstream.chats[:]
        seats = self.talk.seats
        path = f"/api/matches/{self.talk.match}/turns"
        asking = asyncio.create_task(self._post(path, {"input": {"text": question}}))
        async with asyncio.timeout(40):
            while len(self.upstream.chats) < len(before) + len(seats):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await asyncio.to_thread(self.server.kill)
        await asyncio.gather(asking, return_exceptions=True)
        await self.client.aclose()
        self.upstream.slow = False
        await self._open(self.start())
        await self._ended(question, before)

    async def _open(self, server: ParleyProcess) -> None:
        self.server = server
        await asyncio.to_thread(server.wait_until_ready)
        self.client = Client(base_url=server.base_url, timeout=50, trust_env=False, verify=False)

    async def _new_match(
        self, path: str, more: dict[str, Any], heard: dict[str, Heard], mode: str = "compare"
    ) -> None:
        talk, question, before = self.talk, next(self.words), self.upstream.chats[:]
        talk.mode = mode
        talk.heard = {name: heard.get(name, ()) for name in talk.seats}
        assert await self._post(path, {"prompt": question, "mode": mode, "seats": talk.seats, **more}) == 200
        talk.session, talk.match = self.answer["session_id"], self.answer["match_id"]
        await self._ended(question, before)

    async def _turn(self, more: dict[str, Any]) -> None:
        question, before = next(self.words), self.upstream.chats[:]
        path = f"/api/matches/{self.talk.match}/turns"
        assert await self._post(path, {"input": {"text": question}, **more}) == 200
        await self._ended(question, before)

    async def _ended(self, question: str, before: list[Request]) -> None:
        place = Place(question, dict(self.talk.heard))
        self.talk.places.append(place)
        await self._check(place, tuple(self.talk.seats), before)

    async def _post(self, path: str, body: dict[str, Any]) -> int:
        response = await self.client.post(path, json=body, headers={"Accept": "application/json"})
        self.answer = response.json()
        return response.status_code

    async def _check(self, place: Place, asked: tuple[str, ...], before: list[Request]) -> None:
        """Compare what the models heard since `before`, and take over what the seats said."""
        talk, turn = self.talk, await self._last_turn()
        heard = {
            (chat.model, tuple(message["content"] for message in chat.json["messages"]))
            for chat in self.upstream.chats[len(before) :]
        }
        expected = {(talk.seats[seat], (*place.before[seat], place.question)) for seat in asked}
        assert heard == expected
        place.turn = turn["id"]
        for reply in turn["replies"]:
            seat, done = reply["seat"], reply["status"] == "completed"
            assert not done or reply["text"].startswith(f"{talk.seats[seat]} says ")
            said = (place.question, reply["text"]) if done else ()
            place.after[seat] = talk.heard[seat] = (*place.before[seat], *said)

    async def _last_turn(self) -> dict[str, Any]:
        async with asyncio.timeout(40):
            while True:
                view = (await self.client.get(f"/api/sessions/{self.talk.session}")).json()
                match = next(each for each in view["matches"] if each["match"]["id"] == self.talk.match)
                if match["turns"][-1]["status"] not in ("running", "interrupted"):
                    return match["turns"][-1]
                await asyncio.sleep(0.05)
