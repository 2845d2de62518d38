"""Canned answers: a connector whose models say what the test wrote down, and an engine around it."""

import asyncio
import random
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec

from parley.engine.feed import Feed
from parley.engine.gateway import Gateway, GatewayOptions
from parley.engine.hub import Hub
from parley.engine.live_turn import LiveTurn
from parley.engine.recorder import Recorder
from parley.engine.runner import Runner
from parley.kernel.connector import ChatRequest, Chunk, Connector, Delta, Finish, Usage
from parley.kernel.errors import NotFound
from parley.kernel.inbox import Interjection
from parley.kernel.inputs import PromptInput, TurnInput
from parley.kernel.messages import Message
from parley.kernel.mode import Mode
from parley.kernel.models import Model, Prices, Provider, Route
from parley.kernel.ports import TurnScript
from parley.kernel.seats import Seat
from parley.kernel.views import BallotView, MatchView, ModelCard, SeatView
from tests.fakes.memory_log import MemoryLog


@dataclass(frozen=True)
class Wait:
    """Say nothing for so many seconds."""

    seconds: float


class Forever:
    """Say nothing any more."""


Said: TypeAlias = str | Chunk | Wait | Forever | BaseException
"""What a canned answer is made of; a text is a delta, and an answer ends with `Finish("stop")` by itself
unless it ends with an exception, `Forever`, or `BREAK`."""

BREAK = Wait(0.0)
"""At the end of an answer: the stream ends without a finish reason."""


class CannedConnector(Connector):
    """Answers each model's calls in the order in which they were written down; the last one again and again."""

    def __init__(self) -> None:
        self.answers: dict[str, deque[tuple[Said, ...]]] = defaultdict(deque)
        self.requests: list[ChatRequest] = []
        self.open = 0
        self.most_open = 0

    def says(self, model: str, *said: Said) -> None:
        """Write down a model's next answer."""
        self.answers[model].append(said)

    def asked(self, model: str) -> int:
        """How often a model was asked."""
        return sum(request.model == model for request in self.requests)

    def heard(self, model: str) -> list[str]:
        """What a model was told last, as "role: content"."""
        request = next(request for request in reversed(self.requests) if request.model == model)
        return [f"{message.role}: {message.content}" for message in request.messages]

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        self.requests.append(request)
        written = self.answers[request.model]
        said = (written.popleft() if len(written) > 1 else written[0]) if written else ("An answer.",)
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            for part in said:
                match part:
                    case str():
                        yield Delta("text", part)
                    case Wait():
                        await asyncio.sleep(part.seconds)
                    case Forever():
                        await asyncio.Event().wait()
                    case BaseException():
                        raise part
                    case _:
                        yield part
            if said[-1:] != (BREAK,) and not any(isinstance(part, Finish) for part in said):
                yield Usage(7, len(said))
                yield Finish("stop")
        finally:
            self.open -= 1


class SmallCatalog:
    """A catalog in memory: every model that is not given leads to the provider "near" by its own name."""

    def __init__(self, models: Sequence[Model] = (), providers: Sequence[Provider] = ()) -> None:
        self._models = {model.id: model for model in models}
        self._providers = {provider.id: provider for provider in providers}

    def model(self, model_id: str) -> Model:
        if model_id == "gone":
            raise NotFound("There is no such model.")
        return self._models.get(model_id) or a_model(model_id)

    def provider(self, provider_id: str) -> Provider:
        return self._providers.get(provider_id) or Provider(provider_id, "canned")

    def models(self) -> Sequence[Model]:
        return tuple(self._models.values())


def a_model(model_id: str, *providers: str, **changes: Any) -> Model:
    """A model with a route to each provider."""
    routes = tuple(Route(provider, model_id) for provider in providers or ("near",))
    model = Model(model_id, model_id.upper(), "Org", "family", "MIT", routes, prices=Prices(1.0, 2.0))
    return msgspec.structs.replace(model, **changes)


def a_script(
    mode: Mode[Any],
    seats: dict[str, str],
    *,
    turn_id: str = "turn",
    prompt: str = "Hello",
    history: dict[str, tuple[Message, ...]] | None = None,
    said: TurnInput | None = None,
    brief: dict[str, object] | None = None,
) -> TurnScript:
    """The script of a turn's first play; `seats` maps names to models."""
    seating = mode.seating
    return TurnScript(
        turn_id=turn_id,
        match_id=f"match-of-{turn_id}",
        session_id="session",
        owner_id="owner",
        index=0,
        created_at="2026-01-01T00:00:00+00:00",
        mode=mode.name,
        brief=brief or {},
        seats=tuple(
            Seat(f"seat-{name}", name, group.role, model)
            for name, model in seats.items()
            if (group := seating.group(name))
        ),
        input=said or PromptInput(prompt),
        prompt=prompt,
        history=history or {},
        play=1,
        next_seq=0,
        steps=(),
        notes=(),
    )


def a_match(mode: Mode[Any], script: TurnScript) -> MatchView:
    """The match of a script, as the arena hands it to the runner: models are shown, blindness is marked."""
    seating = mode.seating
    return MatchView(
        id=script.match_id,
        session_id=script.session_id,
        index=0,
        mode=mode.name,
        status="open",
        blind=seating.blind,
        paced=seating.paced,
        seats=tuple(
            SeatView(
                id=seat.id,
                name=seat.name,
                role=seat.role,
                label=f"Assistant {'ABCD'[index]}" if seating.blind else seat.model_id.upper(),
                model=None if seating.blind else a_card(seat.model_id),
            )
            for index, seat in enumerate(script.seats)
        ),
        brief=script.brief,
        ballot=a_ballot(mode, script),
        vote=None,
        votes=(),
        void=None,
        created_at=script.created_at,
    )


def a_ballot(mode: Mode[Any], script: TurnScript) -> BallotView | None:
    """The ballot of a script's match before anything was said in it."""
    if mode.ballot is None:
        return None
    ballot = mode.ballot.resolved(script.seats)
    return BallotView(
        choices=ballot.choices,
        open=False,
        each_turn=ballot.each_turn,
        rated=ballot.rated,
        ends_match=ballot.ends_match,
        needs=ballot.needs,
    )


def a_card(model_id: str) -> ModelCard:
    """The card of a model of which nothing is known but its id."""
    return ModelCard(
        id=model_id,
        name=model_id.upper(),
        organization="Org",
        family="family",
        license="MIT",
        kind="single",
        capabilities=("text",),
        tags=(),
        context_window=None,
        prices=None,
        description=None,
        provider="near",
        local=False,
        demo=False,
        enabled=True,
    )


@dataclass
class Theatre:
    """A whole engine: canned models below, a log in memory beside it, feeds in front."""

    connector: CannedConnector
    log: MemoryLog
    hub: Hub
    recorder: Recorder
    gateway: Gateway
    runner: Runner
    followed: list[asyncio.Task[None]] = field(default_factory=list)
    interjected: int = 0

    def start(self, mode: Mode[Any], script: TurnScript) -> LiveTurn:
        """Begin to play a turn."""
        self.log.scripts.setdefault(script.turn_id, script)
        return self.runner.start(script, a_match(mode, script), mode, mode.brief.model_validate(script.brief))

    async def interject(self, said: TurnInput, turn_id: str = "turn", *, key: str = "") -> bool:
        """Say something while a turn runs; under a key once only."""
        self.interjected += 1
        words = key or f"interjection-{self.interjected}"
        at = "2026-01-01T00:00:01+00:00"
        return await self.runner.interject(
            turn_id, Interjection(id=words, input=said, round=None, created_at=at)
        )

    async def play(self, mode: Mode[Any], script: TurnScript) -> list[dict[str, Any]]:
        """Play a turn to its end and return its stream."""
        return await heard(self.start(mode, script).follow())

    async def again(self, mode: Mode[Any], turn_id: str = "turn") -> list[dict[str, Any]]:
        """Play a turn again, from its record, as after a crash."""
        return await self.play(mode, await self.log.read(turn_id))

    async def retry(self, mode: Mode[Any], turn_id: str = "turn") -> list[dict[str, Any]]:
        """Ask again what is not complete, as the person wants it."""
        self.log.renew(turn_id)
        return await self.again(mode, turn_id)


@asynccontextmanager
async def a_theatre(
    connector: CannedConnector | None = None,
    log: MemoryLog | None = None,
    *,
    catalog: SmallCatalog | None = None,
    even_pacing: bool = True,
) -> AsyncGenerator[Theatre]:
    """Open an engine; on leaving, it is closed as the house closes it."""
    connector, log = connector or CannedConnector(), log or MemoryLog()
    catalog = catalog or SmallCatalog()
    hub = Hub(even_pacing=even_pacing)
    recorder = Recorder(log, lambda: [entry for live in hub.turns() for entry in live.checkpoint()])
    gateway = Gateway(catalog, lambda _: connector, GatewayOptions(), recorder, chance=random.Random(1))
    runner = Runner(hub, recorder, gateway, catalog)
    recorder.start()
    hub.start()
    try:
        yield Theatre(connector, log, hub, recorder, gateway, runner)
    finally:
        await runner.close()
        await recorder.close()
        await hub.close()
        assert connector.open == 0, "a stream was left open"


async def heard(feed: Feed) -> list[dict[str, Any]]:
    """Read a feed to its end."""
    return [event async for frames in feed for event in decoded(frames)]


async def until(holds: Callable[[], object], within_s: float = 100.0) -> None:
    """Wait until something holds; in seconds of the loop's clock."""
    deadline = asyncio.get_running_loop().time() + within_s
    while not holds():
        assert asyncio.get_running_loop().time() < deadline, "it did not happen"
        await asyncio.sleep(0.01)


def decoded(frames: bytes) -> list[dict[str, Any]]:
    """The events of joined frames; heartbeats are left out."""
    parts = frames.split(b"\n\n")
    return [msgspec.json.decode(part.removeprefix(b"data: ")) for part in parts if part.startswith(b"data: ")]


def kinds(events: Sequence[dict[str, Any]], *, deltas: bool = False) -> list[str]:
    """The kinds of a stream, in order."""
    return [event["kind"] for event in events if deltas or event["kind"] != "reply.delta"]


def texts(events: Sequence[dict[str, Any]], channel: str = "text") -> dict[str, str]:
    """What each seat said according to the deltas, by seat; offsets must fit."""
    seats: dict[str, str] = {}
    said: dict[str, str] = {}
    attempts: dict[str, int] = {}
    for event in events:
        if event["kind"] == "turn.snapshot":
            for reply in event["turn"]["replies"]:
                seats[reply["id"]] = reply["seat"]
                said[reply["id"]] = reply[channel]
                attempts[reply["id"]] = reply["attempt"]
        elif event["kind"] == "reply.started":
            seats[event["reply_id"]] = event["seat"]
            if event["attempt"] > attempts.get(event["reply_id"], 0):
                said[event["reply_id"]] = ""
                attempts[event["reply_id"]] = event["attempt"]
        elif event["kind"] == "reply.delta" and event["channel"] == channel:
            assert event["offset"] == len(said[event["reply_id"]]), "a delta does not fit"
            said[event["reply_id"]] += event["text"]
            assert event["end"] == len(said[event["reply_id"]])
    return {seats[reply_id]: text for reply_id, text in said.items()}
