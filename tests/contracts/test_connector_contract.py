"""One contract for every connector: each must pass all of it, over whatever wire it speaks."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from parley.connectors.anyllm import make_connector
from parley.connectors.demo import DemoConnector, demo_catalog, faulty_catalog
from parley.connectors.litellm_proxy import LiteLLMProxyConnector
from parley.connectors.llm_plugins import LlmConnector
from parley.connectors.openai import OpenAIConnector
from parley.kernel.connector import ChatRequest, Chunk, Connector, Delta, Finish, ListsModels, Usage
from parley.kernel.errors import UpstreamError
from parley.kernel.messages import Message
from parley.kernel.models import Provider
from parley.wire.http import HttpClient, WireOptions
from tests.fakes import messages_api as api
from tests.fakes.extras import needs
from tests.fakes.upstream import Hold, Script, ScriptedUpstream
from tests.fakes.virtual_loop import on_virtual_time

WORDS = tuple(f"wörd{n} 🜁 " for n in range(40))
PROMPT = "Write “naïve 🜁 日本” three times, please: 12 * 12"


@dataclass
class Subject:
    """A connector with model names for each situation, and a way to see what it left behind."""

    connector: Connector
    answers: str
    thinks: str
    slow: str
    breaks: str
    refuses: str
    upstream: ScriptedUpstream | None = None

    async def sockets_left(self) -> None:
        if self.upstream is not None:
            await self.upstream.wait_until_idle(within=40)


@asynccontextmanager
async def scripted(connect: Callable[[Provider, HttpClient], Connector]) -> AsyncIterator[Subject]:
    """A connector to a scripted server of the OpenAI dialect."""
    async with ScriptedUpstream() as upstream:
        upstream.reply(*WORDS, delay=0.001, model="answers")
        upstream.reply("done", reasoning=["first ", "second"], model="thinks")
        upstream.reply(*WORDS, hold_after=1, model="slow")
        upstream.reply("half an ", "answer", finish=None, usage=False, done=False, model="breaks")
        upstream.fail(400, "no", model="refuses")
        client = HttpClient(WireOptions(connect_s=40, idle_s=40, allow_loopback=True))
        provider = Provider("http", "scripted", upstream.url, "sk-test-key-0123456789")
        connector = connect(provider, client)
        yield Subject(connector, "answers", "thinks", "slow", "breaks", "refuses", upstream)
        await connector.close()
        await client.close()


@pytest.fixture
async def over_http() -> AsyncIterator[Subject]:
    async with scripted(OpenAIConnector) as subject:
        yield subject


@pytest.fixture
async def litellm_proxy() -> AsyncIterator[Subject]:
    async with scripted(LiteLLMProxyConnector) as subject:
        yield subject


@pytest.fixture
async def anyllm() -> AsyncIterator[Subject]:
    needs("any_llm", "anyllm")
    async with scripted(lambda provider, client: make_connector("openai", provider, client)) as subject:
        yield subject


@pytest.fixture
async def messages() -> AsyncIterator[Subject]:
    """Anthropic's Messages API."""
    needs("any_llm", "anyllm")
    words = tuple({"type": "text_delta", "text": word} for word in WORDS)
    thoughts = ({"type": "thinking_delta", "thinking": text} for text in ("first ", "second"))
    thinking = api.block(0, "thinking", *thoughts, thinking="", signature="")
    whole = api.begun() + api.block(0, "text", *words, text="") + api.ended()
    start = api.begun() + api.opened(0, "text", words[0], text="")
    rest = (api.said("content_block_delta", index=0, delta=word) for word in words[1:])
    end = api.said("content_block_stop", index=0) + api.ended()
    half = api.begun() + api.opened(0, "text", *words[:2], text="")
    async with ScriptedUpstream() as upstream:
        upstream.script(Script((whole,), packet=900), model="answers")
        upstream.stream(api.begun() + thinking + api.text("done", index=1) + api.ended(), model="thinks")
        upstream.stream(start, Hold(), *rest, end, model="slow")
        upstream.stream(half, model="breaks")
        upstream.fail(400, "no", model="refuses")
        client = HttpClient(WireOptions(connect_s=40, idle_s=40, allow_loopback=True))
        provider = Provider("http", "scripted", upstream.origin, "sk-test-key-0123456789")
        connector = make_connector("anthropic", provider, client)
        yield Subject(connector, "answers", "thinks", "slow", "breaks", "refuses", upstream)
        await connector.close()
        await client.close()


@pytest.fixture
async def llm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Subject]:
    """Models of a plugin; their library reports no finish reason, so none can break off."""
    needs("llm", "llm")
    from tests.fakes import llm_plugin

    with llm_plugin.alone(monkeypatch, tmp_path):
        connector = LlmConnector(Provider("llm", "llm"), HttpClient())
        yield Subject(connector, "fake-long", "fake-asynchronous", "fake-endless", "", "fake-keyed")


@pytest.fixture
async def demo() -> AsyncIterator[Subject]:
    connector = DemoConnector(Provider("demo", "demo", "demo://?speed=25"))
    yield Subject(connector, "demo-tilo", "demo-ada", "demo-slow", "demo-breaks", "demo-fails")
    await connector.close()


@pytest.fixture(params=["over_http", "litellm_proxy", "anyllm", "messages", "llm", "demo"])
def subject(request: pytest.FixtureRequest) -> Subject:
    return cast("Subject", request.getfixturevalue(request.param))


def question(model: str, **fields: object) -> ChatRequest:
    return ChatRequest(model=model, messages=(Message("user", PROMPT),), **fields)  # type: ignore[arg-type]


async def all_of(subject: Subject, model: str) -> list[Chunk]:
    return [chunk async for chunk in subject.connector.stream(question(model))]


def text_of(chunks: list[Chunk], channel: str = "text") -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, Delta) and chunk.channel == channel)


async def test_text_arrives_while_the_rest_is_still_to_come_and_in_order(over_http: Subject) -> None:
    assert over_http.upstream
    chunks: list[Chunk] = []
    async with asyncio.timeout(40):
        async for chunk in over_http.connector.stream(question(over_http.slow)):
            if not chunks:
                assert chunk == Delta("text", WORDS[0])
                over_http.upstream.release()
            chunks.append(chunk)
    assert text_of(chunks) == "".join(WORDS)


@on_virtual_time
async def test_the_demos_text_arrives_piece_by_piece_each_in_its_time() -> None:
    connector = DemoConnector(Provider("demo", "demo", "demo://?speed=25"))
    clock = asyncio.get_running_loop()
    chunks, moments = [], set()
    async for chunk in connector.stream(question("demo-tilo")):
        chunks.append(chunk)
        moments.add(clock.time())
    assert "there is no recorded answer" in text_of(chunks)
    assert len(moments) == len([chunk for chunk in chunks if isinstance(chunk, Delta)]) > 3


async def test_no_delta_is_empty_or_holds_half_a_character(subject: Subject) -> None:
    for chunk in await all_of(subject, subject.answers):
        if isinstance(chunk, Delta):
            assert chunk.text
            chunk.text.encode()


async def test_there_is_exactly_one_finish_and_nothing_but_usage_after_it(subject: Subject) -> None:
    chunks = await all_of(subject, subject.answers)
    finishes = [number for number, chunk in enumerate(chunks) if isinstance(chunk, Finish)]
    assert len(finishes) == 1
    assert all(isinstance(chunk, Usage) for chunk in chunks[finishes[0] + 1 :])


async def test_usage_is_reported_once(subject: Subject) -> None:
    usages = [chunk for chunk in await all_of(subject, subject.answers) if isinstance(chunk, Usage)]
    assert len(usages) == 1
    assert usages[0].input_tokens > 0
    assert usages[0].output_tokens > 0


async def test_reasoning_is_its_own_channel_and_comes_first(subject: Subject) -> None:
    chunks = await all_of(subject, subject.thinks)
    channels = [chunk.channel for chunk in chunks if isinstance(chunk, Delta)]
    assert channels == sorted(channels)
    assert set(channels) == {"reasoning", "text"}
    assert text_of(chunks, "reasoning") not in text_of(chunks)


async def test_the_same_request_is_answered_the_same_way(subject: Subject) -> None:
    assert text_of(await all_of(subject, subject.answers)) == text_of(await all_of(subject, subject.answers))


@pytest.mark.parametrize(
    "subject", ["over_http", "litellm_proxy", "anyllm", "messages", "demo"], indirect=True
)
async def test_an_answer_that_breaks_off_has_no_finish(subject: Subject) -> None:
    chunks = await all_of(subject, subject.breaks)
    assert text_of(chunks)
    assert not any(isinstance(chunk, Finish) for chunk in chunks)


async def test_a_refusal_is_a_typed_error_with_words_for_people(subject: Subject) -> None:
    with pytest.raises(UpstreamError) as caught:
        await all_of(subject, subject.refuses)
    assert caught.value.title.endswith(".")
    assert caught.value.problem.code.startswith("upstream_")


async def test_a_model_that_is_not_there_is_a_typed_error(subject: Subject) -> None:
    if subject.upstream is not None:
        subject.upstream.fail(404, "The model `nobody` does not exist", model="nobody")
    with pytest.raises(UpstreamError) as caught:
        await all_of(subject, "nobody")
    assert caught.value.problem.code == "upstream_model_not_found"


async def test_closing_in_the_middle_leaves_no_socket_and_no_task(subject: Subject) -> None:
    before = asyncio.all_tasks()
    stream = subject.connector.stream(question(subject.slow))
    assert isinstance(await anext(stream), Delta)
    await stream.aclose()  # type: ignore[attr-defined]
    await subject.sockets_left()
    if subject.upstream is not None:
        assert subject.upstream.aborted == 1
        await subject.upstream.wait_until_closed(within=40)
    left = {task for task in asyncio.all_tasks() - before if "_accept" not in repr(task)}
    assert not left


async def test_cancelling_the_reader_leaves_no_socket_and_no_task(subject: Subject) -> None:
    before = asyncio.all_tasks()
    begun = asyncio.Event()

    async def read() -> None:
        async for _ in subject.connector.stream(question(subject.slow)):
            begun.set()

    reader = asyncio.create_task(read())
    async with asyncio.timeout(40):
        await begun.wait()
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    await subject.sockets_left()
    left = {task for task in asyncio.all_tasks() - before if "_accept" not in repr(task)}
    assert not left


async def test_many_streams_run_at_once_and_do_not_mix(subject: Subject) -> None:
    alone = text_of(await all_of(subject, subject.answers))
    await subject.sockets_left()
    if subject.upstream is None:
        many = await asyncio.gather(*(all_of(subject, subject.answers) for _ in range(60)))
    else:
        # Nobody's answer ends before everybody has asked.
        asked = asyncio.gather(*(all_of(subject, subject.slow) for _ in range(60)))
        await subject.upstream.wait_for_requests(61)
        subject.upstream.release()
        many = await asked
        assert subject.upstream.most_streaming == 60
    assert {text_of(chunks) for chunks in many} == {alone}


async def test_one_failing_stream_does_not_disturb_the_others(subject: Subject) -> None:
    good, bad = await asyncio.gather(
        all_of(subject, subject.answers), all_of(subject, subject.refuses), return_exceptions=True
    )
    assert isinstance(bad, UpstreamError)
    assert isinstance(good, list)


async def test_models_can_be_listed(subject: Subject) -> None:
    assert isinstance(subject.connector, ListsModels)
    assert all(isinstance(name, str) for name in await subject.connector.list_models())


def test_the_demo_serves_every_model_of_its_catalogs() -> None:
    (provider, *_), models = demo_catalog()
    assert len(models) >= 5
    assert all(model.demo and model.local and "demo" in model.name for model in models)
    assert all(route.provider == provider.id for model in models for route in model.routes)
    assert not {model.id for model in models} & {model.id for model in faulty_catalog()[1]}
