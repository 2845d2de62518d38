"""Whole consortia on the demo: the real mode, the real engine, the demo's connector."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import msgspec

from parley.connectors.demo import DemoConnector, demo_catalog
from parley.kernel.connector import ChatRequest, Chunk
from parley.kernel.models import Provider
from parley.kernel.views import TurnView
from parley.modes.consortium.mode import Consortium
from parley.modes.consortium.notes import AGREEMENT, ANSWER, RANKING, RESULT, VERDICT
from parley.testing import CannedConnector, SmallCatalog, make_script, open_engine, until

MEMBERS = ("demo-ada", "demo-pico", "demo-vera")


@dataclass(frozen=True)
class Played:
    """A consortium's turn, with its notes by name, oldest first."""

    turn: TurnView

    def notes(self, name: str) -> list[dict[str, Any]]:
        return [cast("dict[str, Any]", note.data) for note in self.turn.notes if note.name == name]

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        return self.notes(VERDICT)

    @property
    def rankings(self) -> list[dict[str, Any]]:
        return self.notes(RANKING)

    @property
    def result(self) -> dict[str, Any]:
        return self.notes(RESULT)[-1]

    @property
    def consensus(self) -> list[float]:
        """How much the answers of each round say the same."""
        rounds = {note["iteration"]: note["consensus"] for note in self.notes(AGREEMENT)}
        return [rounds[number] for number in sorted(rounds)]

    def answers(self, iteration: int) -> dict[str, dict[str, Any]]:
        """The answers of a round by seat."""
        return {note["seat"]: note for note in self.notes(ANSWER) if note["iteration"] == iteration}


class OnDemo(CannedConnector):
    """The demo's connector where an engine for tests expects canned answers."""

    def __init__(self) -> None:
        super().__init__()
        self._demo = DemoConnector(Provider("demo", "demo", "demo://?speed=10000"))

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        async for chunk in self._demo.stream(request):
            yield chunk


async def play(
    prompt: str,
    members: Sequence[str] = MEMBERS,
    arbiter: str = "demo-tilo",
    brief: Mapping[str, object] | None = None,
) -> Played:
    """Play one turn of a consortium of the demo's characters, to its end."""
    providers, models = demo_catalog()
    seats = {"arbiter": arbiter, **dict(zip("abcdefgh", members, strict=False))}
    script = make_script(Consortium(), seats, prompt=prompt, brief=brief)
    async with open_engine(OnDemo(), catalog=SmallCatalog(models, providers)) as engine:
        live = engine.start(Consortium(), script)
        await until(live.finished.is_set)
        return Played(msgspec.json.decode(msgspec.json.encode(live.snapshot().turn), type=TurnView))
