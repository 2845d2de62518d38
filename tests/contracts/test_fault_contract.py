"""One table of faults for every connector that speaks to a server: what each means, whoever carries it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from parley.connectors.anyllm import make_connector
from parley.connectors.litellm_proxy import LiteLLMProxyConnector
from parley.connectors.openai import OpenAIConnector
from parley.kernel.connector import ChatRequest, Chunk, Connector, Delta, Finish
from parley.kernel.errors import BrokenOff, Overloaded, Rejected, Unreachable, UpstreamError
from parley.kernel.messages import Message
from parley.kernel.models import Provider
from parley.wire.http import HttpClient, WireOptions
from tests.fakes import messages_api
from tests.fakes.extras import needs
from tests.fakes.movable_clock import MovableClock
from tests.fakes.ports import free_port
from tests.fakes.upstream import Hang, HangUp, Pause, Reset, Script, ScriptedUpstream, Step, delta, event

PATIENT_S = 20.0
KEY = "sk-secret-0123456789-abcdefABCDEF"
REQUEST = ChatRequest(model="m", messages=(Message("system", "Be brief."), Message("user", "Hi")))


@dataclass(frozen=True)
class Speaker:
    """A connector, and how a server of its dialect begins and ends an answer."""

    connect: Callable[[Provider, HttpClient], Connector]
    begin: Callable[[str], tuple[Step, ...]]
    finish: tuple[Step, ...]
    path: str = "/v1"
    needs: str | None = None
    """The library that must be installed."""


def openai_begin(text: str) -> tuple[Step, ...]:
    return (event(delta(content=text)),)


def messages_begin(text: str) -> tuple[Step, ...]:
    block = messages_api.opened(0, "text", {"type": "text_delta", "text": text}, text="")
    return (messages_api.begun() + block,)


def through(name: str) -> Callable[[Provider, HttpClient], Connector]:
    return lambda provider, client: make_connector(name, provider, client)


def mistral_begin(text: str) -> tuple[Step, ...]:
    return (event({**delta(content=text), "model": "m"}),)


def gemini_begin(text: str, **fields: object) -> tuple[Step, ...]:
    candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "index": 0, **fields}
    return (event({"candidates": [candidate], "modelVersion": "m"}),)


def cohere_event(kind: str, **fields: object) -> bytes:
    return b"event: %b\n" % kind.encode() + event({"type": kind, **fields})


def cohere_begin(text: str) -> tuple[Step, ...]:
    start = {"message": {"role": "assistant", "content": [], "tool_plan": "", "tool_calls": []}}
    block = {"message": {"content": {"type": "text", "text": ""}}}
    return (
        cohere_event("message-start", id="x", delta=start)
        + cohere_event("content-start", index=0, delta=block)
        + cohere_event("content-delta", index=0, delta={"message": {"content": {"text": text}}}),
    )


COHERE_FINISH = (cohere_event("message-end", delta={"finish_reason": "COMPLETE"}),)
GEMINI_FINISH = gemini_begin("", finishReason="STOP")
MISTRAL_FINISH = (event({**delta(content="", finish="stop"), "model": "m"}), event("[DONE]"))
MESSAGES_FINISH = (messages_api.said("content_block_stop", index=0) + messages_api.ended(),)
OPENAI_FINISH = (event(delta(finish="stop")), event("[DONE]"))
SPEAKERS = {
    "openai": Speaker(OpenAIConnector, openai_begin, OPENAI_FINISH),
    "litellm-proxy": Speaker(LiteLLMProxyConnector, openai_begin, OPENAI_FINISH),
    "anyllm-openai": Speaker(through("openai"), openai_begin, OPENAI_FINISH),
    "anyllm-anthropic": Speaker(through("anthropic"), messages_begin, MESSAGES_FINISH, path=""),
    "anyllm-mistral": Speaker(through("mistral"), mistral_begin, MISTRAL_FINISH, path="", needs="mistralai"),
    "anyllm-gemini": Speaker(through("gemini"), gemini_begin, GEMINI_FINISH, path="", needs="google.genai"),
    "anyllm-cohere": Speaker(through("cohere"), cohere_begin, COHERE_FINISH, path="", needs="cohere"),
}


@dataclass(frozen=True)
class Line:
    """A connector and the server at its other end."""

    up: ScriptedUpstream
    speaker: Speaker
    clock: MovableClock

    def script(self, *steps: Step, **fields: tuple[Step, ...]) -> None:
        self.up.script(Script(steps, **fields))  # type: ignore[arg-type]

    async def listen(self, *, until: str | None = None) -> tuple[str, list[str], UpstreamError | None]:
        """The text, the finishes and the failure of an answer.

        A server that falls silent after `until` is given up at once: the clock is put forward.
        """
        chunks: list[Chunk] = []
        listening = asyncio.create_task(self._listen(chunks))
        if until is not None:
            async with asyncio.timeout(PATIENT_S):
                while not self.up.requests or text_of(chunks) != until:  # noqa: ASYNC110
                    await asyncio.sleep(0.005)
            while not listening.done():  # for the head and for the body it waits anew
                self.clock.let_pass(PATIENT_S + 1)
                await asyncio.wait({listening}, timeout=0.05)
        error = await listening
        return text_of(chunks), finishes(chunks), error

    async def _listen(self, chunks: list[Chunk]) -> UpstreamError | None:
        async with self.connector(self.up.origin) as connector:
            try:
                async for chunk in connector.stream(REQUEST):
                    chunks.append(chunk)  # noqa: PERF401 - what came before a failure counts too
            except UpstreamError as error:
                assert KEY not in f"{error.title} {error.detail} {error!r} {error.problem}"
                return error
        return None

    @asynccontextmanager
    async def connector(self, origin: str) -> AsyncIterator[Connector]:
        client = HttpClient(WireOptions(connect_s=PATIENT_S, idle_s=PATIENT_S, allow_loopback=True))
        connector = self.speaker.connect(Provider("p", "x", origin + self.speaker.path, KEY), client)
        try:
            yield connector
        finally:
            await connector.close()
            await client.close()


def text_of(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, Delta))


def finishes(chunks: list[Chunk]) -> list[str]:
    return [chunk.reason for chunk in chunks if isinstance(chunk, Finish)]


@pytest.fixture(params=SPEAKERS)
async def line(request: pytest.FixtureRequest) -> AsyncIterator[Line]:
    speaker = SPEAKERS[request.param]
    if request.param.startswith("anyllm-"):
        needs("any_llm", "anyllm")
    if speaker.needs:
        needs(speaker.needs, request.param.removeprefix("anyllm-"))
    clock = MovableClock()
    async with ScriptedUpstream() as up:
        yield Line(up, speaker, clock)


async def test_a_whole_answer_arrives(line: Line) -> None:
    line.script(*line.speaker.begin("whole"), *line.speaker.finish)
    assert await line.listen() == ("whole", ["stop"], None)
    assert any(KEY in value for value in line.up.requests[0].headers.values())


@pytest.mark.parametrize(
    ("status", "message", "kind", "code"),
    [
        (401, f"Incorrect API key provided: {KEY}", Rejected, "upstream_key_rejected"),
        (403, "Forbidden", Rejected, "upstream_key_rejected"),
        (404, "The model `m` does not exist", Rejected, "upstream_model_not_found"),
        (400, "prompt is too long: 9000 tokens", Rejected, "upstream_context_too_long"),
        (413, "too big", Rejected, "upstream_context_too_long"),
        (400, f"temperature must be below 2 ({KEY})", Rejected, "upstream_rejected"),
        (422, "messages: field required", Rejected, "upstream_rejected"),
        (402, "Insufficient credits", Overloaded, "upstream_payment"),
        (429, "slow down", Overloaded, "upstream_rate_limited"),
        (408, "timeout", Overloaded, "upstream_overloaded"),
        (409, "conflict", Overloaded, "upstream_overloaded"),
        (500, "oops", Overloaded, "upstream_overloaded"),
        (502, "<html><h1>Bad gateway</h1></html>", Overloaded, "upstream_overloaded"),
        (503, "loading", Overloaded, "upstream_overloaded"),
        (504, "", Overloaded, "upstream_overloaded"),
        (529, "overloaded", Overloaded, "upstream_overloaded"),
    ],
)
async def test_a_refusal_has_one_meaning_and_is_asked_once(
    line: Line, status: int, message: str, kind: type[UpstreamError], code: str
) -> None:
    line.up.fail(status, message)
    text, _, error = await line.listen()
    assert text == ""
    assert error is not None
    assert (type(error), error.problem.code) == (kind, code)
    assert error.title.endswith(".")
    assert len(line.up.requests) == 1


@pytest.mark.parametrize(("header", "seconds"), [("3", 3.0), ("soon", None), (None, None)])
async def test_how_long_to_wait_is_passed_on(line: Line, header: str | None, seconds: float | None) -> None:
    line.up.fail(429, "slow down", retry_after=header)
    _, _, error = await line.listen()
    assert error is not None
    assert error.retry_after_s == seconds


async def test_where_nothing_listens_it_is_unreachable(line: Line) -> None:
    async with line.connector(f"http://127.0.0.1:{free_port()}") as connector:
        with pytest.raises(Unreachable):
            [_ async for _ in connector.stream(REQUEST)]


async def test_an_address_that_is_denied_is_not_reached(line: Line) -> None:
    async with line.connector("http://169.254.169.254") as connector:
        with pytest.raises(Rejected) as caught:
            [_ async for _ in connector.stream(REQUEST)]
    assert caught.value.problem.code == "upstream_address_denied"


async def test_a_redirect_is_refused_and_the_key_stays(line: Line) -> None:
    async with ScriptedUpstream() as elsewhere:
        line.up.answer("", status=307, headers={"Location": f"{elsewhere.url}/chat/completions"})
        _, _, error = await line.listen()
        assert elsewhere.requests == []
    assert error is not None
    assert error.problem.code == "upstream_redirect"


@pytest.mark.parametrize(
    "end", [Reset(), HangUp(), Hang(), b""], ids=["reset", "cut", "stall", "end of body"]
)
async def test_a_stream_that_breaks_off_has_no_finish_and_keeps_its_text(line: Line, end: Step) -> None:
    line.script(*line.speaker.begin("half an answer"), Pause(0.02), end)
    until = "half an answer" if isinstance(end, Hang) else None
    assert await line.listen(until=until) == ("half an answer", [], None)


@pytest.mark.parametrize("end", [Reset(), HangUp(), Hang()], ids=["reset", "cut", "stall"])
@pytest.mark.parametrize("head", [False, True], ids=["before the head", "after the head"])
async def test_a_break_before_the_first_word_may_be_asked_again(line: Line, end: Step, head: bool) -> None:
    if head:
        line.script(Pause(0.02), end)
    else:
        line.script(before=(end,))
    text, _, error = await line.listen(until="" if isinstance(end, Hang) else None)
    assert text == ""
    assert isinstance(error, BrokenOff)
    assert error.retry
    assert len(line.up.requests) == 1


async def test_cancelling_leaves_no_socket_and_no_task(line: Line) -> None:
    before = asyncio.all_tasks()
    line.script(*line.speaker.begin("half"), Hang())
    async with line.connector(line.up.origin) as connector:
        begun = asyncio.Event()

        async def read() -> None:
            async for _ in connector.stream(REQUEST):
                begun.set()

        reader = asyncio.create_task(read())
        async with asyncio.timeout(40):
            await begun.wait()
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader
        await line.up.wait_until_idle(within=40)
        assert line.up.aborted == 1
    await line.up.wait_until_closed(within=40)
    assert not {task for task in asyncio.all_tasks() - before if "_accept" not in repr(task)}
