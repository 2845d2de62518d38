"""Streams of model servers, cut or split into packets at every byte."""

import asyncio
import itertools
import random
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from parley.connectors.openai import OpenAIConnector
from parley.engine.gateway import Gateway, GatewayOptions
from parley.engine.hub import Hub
from parley.engine.recorder import Recorder
from parley.engine.runner import Runner
from parley.kernel.connector import ChatRequest, Chunk, Connector, Delta, Finish
from parley.kernel.mode import Mode
from parley.kernel.models import Model, Provider
from parley.kernel.ports import EventLogged, LogEntry, ReplyEnded, TurnScript
from parley.modes.chat import Chat
from parley.testing import SmallCatalog, heard, make_match, make_model, make_script
from parley.wire.http import HttpClient, WireOptions
from prove.campaign import Batch, Campaign, Tally
from prove.recorded_streams import POSITIONS, RECORDINGS, Said, read
from tests.fakes.attacked import CANARIES, FAULTY, Attack, attacked, chat_with, in_file
from tests.fakes.deltas import texts
from tests.fakes.invariants import InvariantBroken
from tests.fakes.running import ENDS, a_running_parley, read_all
from tests.fakes.upstream import HangUp, Pause, Reset, Script, ScriptedUpstream, Step

AT_ONCE = 24
HTTP_EVERY = 40
"""One of so many trials goes through a whole server."""

STRIDE = 4001
"""A prime: it spreads any few consecutive trials over all recordings and positions."""

SETTLE_S = 0.02
QUICK = GatewayOptions(idle_s=5.0, backoff_s=0.0)
Wrap = Callable[[Connector], Connector]


# ── an engine without a server ────────────────────────────────────────────────────────────────────


class EndsKept:
    """A turn log that keeps how replies and turns ended, by turn."""

    def __init__(self) -> None:
        self.replies: dict[str, list[ReplyEnded]] = {}
        self.ends: dict[str, list[str]] = {}

    async def read(self, turn_id: str) -> TurnScript:
        raise NotImplementedError

    async def write(self, entries: Sequence[LogEntry]) -> None:
        for entry in entries:
            if isinstance(entry, ReplyEnded):
                self.replies.setdefault(entry.turn_id, []).append(entry)
            elif isinstance(entry, EventLogged) and entry.kind in ENDS:
                self.ends.setdefault(entry.turn_id, []).append(entry.kind)

    async def unfinished(self) -> Sequence[str]:
        return []


class Catalog(SmallCatalog):
    """Every model has its own provider, so that no breaker sees another trial."""

    def model(self, model_id: str) -> Model:
        return make_model(model_id, model_id)


class Engine:
    """The engine over one scripted server."""

    def __init__(self, upstream: ScriptedUpstream, wrap: Wrap) -> None:
        self.upstream = upstream
        self.http = HttpClient(WireOptions(idle_s=5.0, allow_loopback=True))
        self.log = EndsKept()
        self.hub = Hub()
        self.recorder = Recorder(self.log, list)
        catalog = Catalog()
        one = wrap(OpenAIConnector(Provider("p", "openai", upstream.url, "k"), self.http))
        gateway = Gateway(catalog, lambda _: one, QUICK, self.recorder)
        self.runner = Runner(self.hub, self.recorder, gateway)

    async def ask(self, name: str) -> tuple[Said, str, list[str]]:
        """Play a chat with one model; return what was streamed, the reply's status, and what is wrong."""
        mode = _a_chat()
        script = make_script(mode, {"assistant": name}, turn_id=name)
        events = await heard(self.runner.start(script, make_match(mode, script), mode, Chat.brief()).follow())
        ends = [event for event in events if event["kind"] in ("reply.completed", "reply.failed")]
        text, thought = (texts(events, channel).get("assistant", "") for channel in ("text", "reasoning"))
        said = Said(text, thought, ends[0].get("finish_reason") if ends else None)
        status = ends[0].get("status", "completed") if ends else "never ended"
        stored = [(one.status, one.text, one.reasoning) for one in self.log.replies.get(name, [])]
        wrong: list[str] = []
        if sum(event["kind"] in ENDS for event in events) != 1 or len(self.log.ends.get(name, [])) != 1:
            wrong.append("not exactly one end")
        if stored != [(status, said.text, said.reasoning)]:
            wrong.append(f"streamed {status, said.text, said.reasoning}, stored {stored}")
        return said, status, wrong


def _a_chat() -> Mode[Any]:
    return Chat()


@asynccontextmanager
async def an_engine(wrap: Wrap) -> AsyncGenerator[Engine]:
    async with ScriptedUpstream() as upstream:
        engine = Engine(upstream, wrap)
        engine.recorder.start()
        engine.hub.start()
        try:
            yield engine
        finally:
            await engine.runner.close()
            await engine.recorder.close()
            await engine.hub.close()
            await engine.http.close()
            await upstream.wait_until_closed()


Asked = Callable[[str], Awaitable[tuple[Said, str, list[str]]]]
Play = Callable[[int, str, ScriptedUpstream, Asked, Tally], Awaitable[None]]


async def play_all(batch: Batch, wrap: Wrap, play: Play, *, over_http: bool = True) -> Tally:
    """Play a batch's trials, many at once; every fortieth through a whole server."""
    tally = Tally()
    tasks = asyncio.all_tasks()
    numbers = range(batch.first, batch.first + batch.count)
    async with an_engine(wrap) as engine:

        async def one(trial: int) -> None:
            async with free:
                await play(trial, f"t{trial}", engine.upstream, engine.ask, tally)
            batch.step()

        free = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(
            *map(one, (number for number in numbers if not over_http or number % HTTP_EVERY))
        )
    if left := asyncio.all_tasks() - tasks:
        tally.failures.append(f"tasks are left: {left}")
    if over_http and (through := [number for number in numbers if not number % HTTP_EVERY]):
        await _through_a_server(batch, through, play, tally)
    tally.trials = batch.count
    return tally


async def _through_a_server(batch: Batch, trials: Sequence[int], play: Play, tally: Tally) -> None:
    async with a_running_parley(batch.folder, models=CANARIES, database_url=in_file(batch.folder)) as parley:
        for trial in trials:
            try:
                async with attacked(parley, silent_s=QUICK.idle_s) as attack:
                    await play(trial, FAULTY, attack.upstream, lambda name: _over_http(attack, name), tally)
            except InvariantBroken as broken:
                tally.failures.append(f"trial {trial}, over HTTP: {broken}")
            batch.step()


async def _over_http(attack: Attack, name: str) -> tuple[Said, str, list[str]]:
    events = await attack.follow(chat_with(name))
    ends = [event for event in events if event["kind"] in ("reply.completed", "reply.failed")]
    (reply,) = read_all(events).replies.values()
    said = Said(reply["text"], reply["reasoning"], ends[0].get("finish_reason"))
    return said, ends[0].get("status", "completed"), []


def place_of(trial: int) -> tuple[int, int, int]:
    """Return a trial's recording, its position, and how often all positions were covered before."""
    lap, index = divmod(trial, len(POSITIONS))
    return *POSITIONS[index * STRIDE % len(POSITIONS)], lap


# ── cut at every byte ────────────────────────────────────────────────────────────────────────────


class EndMeansStop(Connector):
    """A planted fault: the end of a stream counts as the model's finish."""

    def __init__(self, inner: Connector) -> None:
        self._inner = inner

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        finished = False
        async for chunk in self._inner.stream(request):
            finished = finished or isinstance(chunk, Finish)
            yield chunk
        if not finished:
            yield Finish("stop")


BROKEN = (0, 3)
"""Those ways of `cut` that break the connection; the others end the answer properly."""


def cut(part: bytes, way: int) -> Script:
    """A stream that ends after so many bytes, in one of four ways."""
    steps: tuple[Step, ...] = (part,)
    match way:
        case 0:
            return Script((*steps, HangUp()))
        case 1:
            return Script(steps)
        case 2:
            return Script(steps, framed=False)
        case _:
            return Script((*steps, Pause(SETTLE_S), Reset()))


async def play_cut(trial: int, name: str, upstream: ScriptedUpstream, ask: Asked, tally: Tally) -> None:
    number, at, lap = place_of(trial)
    recording, way = RECORDINGS[number], (lap * 2 + at % 2) % 4
    part = recording.body[:at]
    upstream.script(cut(part, way), model=name)
    said, status, wrong = await ask(name)
    expected = read(part)
    if expected.text and expected.finish:
        wanted = "completed"
    else:
        wanted = "incomplete" if expected.text or expected.reasoning else "failed"
    if way in BROKEN and not expected.reasoning and "<think>".startswith(expected.text.strip()):
        # Nobody can know yet whether this is text, so nothing has begun, and asking again is right.
        wanted, expected = "failed", Said("", "", None)
    finish = expected.finish if wanted == "completed" else None
    if (status, said) != (wanted, Said(expected.text, expected.reasoning, finish)):
        wrong.append(f"{status} with {said}; it should be {wanted} with {expected}")
    place = f"“{recording.name}” cut at byte {at} in way {way}"
    tally.failures += [f"{place}: {problem}" for problem in wrong]


class CutStreams:
    name = "cut-streams"
    guarantee = (
        "A model's answer that breaks off at any byte ends its turn exactly once, keeps exactly the text that the "
        "bytes said, and is complete only if the model had said that it was done."
    )
    trials = 2 * len(POSITIONS)
    batch = 1000
    sample = 320

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(play_all(batch, lambda inner: inner, play_cut))

    def control(self, batch: Batch) -> Tally:
        return asyncio.run(play_all(batch, EndMeansStop, play_cut, over_http=False))

    def summary(self, tally: Tally) -> str:
        return f"{len(RECORDINGS)} recorded answers, {len(POSITIONS)} positions, each in two ways"


# ── split at every byte ──────────────────────────────────────────────────────────────────────────


class PerPacket(Connector):
    """A planted fault: every packet is decoded separately."""

    def __init__(self, url: str) -> None:
        self._port = int(url.rpartition(":")[2].partition("/")[0])

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        body = msgspec.json.encode({"model": request.model})
        writer.write(
            b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
        )
        await reader.readuntil(b"\r\n\r\n")
        text = ""
        while packet := await reader.read(65536):
            text += packet.decode("utf-8", "replace")
        writer.close()
        said = read(text.encode())
        if said.reasoning:
            yield Delta("reasoning", said.reasoning)
        if said.text:
            yield Delta("text", said.text)
        if said.finish:
            yield Finish("tool_calls" if said.finish == "tool_calls" else "stop")


async def play_split(trial: int, name: str, upstream: ScriptedUpstream, ask: Asked, tally: Tally) -> None:
    number, at, lap = place_of(trial)
    body = RECORDINGS[number].body
    chance = random.Random(trial)
    places = [at] if lap == 0 else sorted({at, *(chance.randrange(len(body)) for _ in range(6))})
    edges = itertools.pairwise([0, *places, len(body)])
    steps = [step for start, end in edges for step in (body[start:end], Pause(0.004))]
    # In the planted decoder the framing would be in the way.
    upstream.script(Script(tuple(steps), framed=lap > 0), model=name)
    said, status, wrong = await ask(name)
    if (status, said) != ("completed", read(body)):
        wrong.append(f"{status} with {said}; the whole is {read(body)}")
    place = f"“{RECORDINGS[number].name}” split at {places}"
    tally.failures += [f"{place}: {problem}" for problem in wrong]


class SplitStreams:
    name = "split-streams"
    guarantee = "A model's answer that is split over packets at any byte comes out whole, to the last bit."
    trials = 2 * len(POSITIONS)
    batch = 1000
    sample = 320

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(play_all(batch, lambda inner: inner, play_split))

    def control(self, batch: Batch) -> Tally:
        return asyncio.run(play_all(batch, _per_packet, play_split, over_http=False))

    def summary(self, tally: Tally) -> str:
        return f"{len(RECORDINGS)} recorded answers, each split at every byte, and in up to eight packets"


def _per_packet(inner: Connector) -> Connector:
    assert isinstance(inner, OpenAIConnector)
    return PerPacket(inner._base_url)


CAMPAIGNS: list[Campaign] = [CutStreams(), SplitStreams()]
