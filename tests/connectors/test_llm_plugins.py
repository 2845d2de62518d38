"""Tests of the models of llm's plugins, with plugins of the tests' own."""

import asyncio
import logging
import sys
import threading
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from parley.connectors import parley_connectors
from parley.connectors.llm_plugins import LlmConnector
from parley.connectors.threads import Threads
from parley.features.catalog.discovery.checks import check_provider
from parley.kernel.connector import ChatRequest, Chunk, Delta, Finish, Usage
from parley.kernel.errors import Rejected, UpstreamError
from parley.kernel.messages import ImagePart, Message, TextPart, ToolCall
from parley.kernel.models import Model, Provider, Route
from parley.kernel.options import Tool
from parley.wire.http import HttpClient
from tests.fakes.extras import needs

PROVIDER = Provider("llm", "llm")


def missing() -> None:
    raise ModuleNotFoundError("No module named 'sklearn'")


def leaves() -> None:
    raise SystemExit("no display")


def breaks_when_asked() -> ModuleType:
    module = ModuleType("breaks_when_asked")

    def register_models(register: Any) -> None:
        register(import_module("tests.fakes.llm_plugin").Keyed())
        raise KeyError("HOME")

    module.register_models = import_module("llm").hookimpl(register_models)  # type: ignore[attr-defined]
    return module


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The plugin of the tests, and three that break."""
    needs("llm", "llm")
    from tests.fakes.llm_plugin import Entry, alone

    breaking = {"consortium": missing, "leaves": leaves, "breaks-when-asked": breaks_when_asked}
    with alone(monkeypatch, tmp_path, *(Entry(name, load) for name, load in breaking.items())):
        yield


@pytest.fixture
def connector() -> LlmConnector:
    return LlmConnector(PROVIDER, HttpClient())


def ask(model: str, *messages: Message | str, **fields: Any) -> ChatRequest:
    asked = tuple(Message("user", each) if isinstance(each, str) else each for each in messages)
    return ChatRequest(model=model, messages=asked or (Message("user", "Hi"),), **fields)


async def listen(connector: LlmConnector, request: ChatRequest) -> list[Chunk]:
    return [chunk async for chunk in connector.stream(request)]


def text_of(chunks: Sequence[Chunk], channel: str = "text") -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, Delta) and chunk.channel == channel)


# ── plugins ──────────────────────────────────────────────────────────────────────────────────────


async def test_a_plugin_that_breaks_is_named_and_skipped_and_the_others_work(
    connector: LlmConnector, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    models = await connector.list_models()
    assert {"fake-blocking", "fake-asynchronous", "fake-keyed"} <= set(models)
    assert len(models) == len(set(models))
    assert list(connector.notices) == [
        "The llm plugin consortium (ModuleNotFoundError: No module named 'sklearn') was skipped.",
        "The llm plugin leaves (SystemExit: no display) was skipped.",
        "The llm plugin breaks-when-asked (KeyError: 'HOME') was skipped.",
    ]
    assert caplog.text.count("was skipped") == 3


async def test_the_check_of_a_provider_reports_what_was_skipped(connector: LlmConnector) -> None:
    class Catalog:
        def models(self) -> Sequence[Model]:
            return [Model("m", "M", "O", "F", "L", (Route("llm", "fake-blocking"),))]

    check = await check_provider(Catalog(), PROVIDER, lambda _: connector)  # type: ignore[arg-type]
    assert check.state == "notice"
    assert "consortium (ModuleNotFoundError" in (check.advice or "")


async def test_llm_itself_finds_the_same_models_afterwards(connector: LlmConnector) -> None:
    await connector.list_models()
    import llm

    assert llm.get_model("fb").model_id == "fake-blocking"


async def test_without_llm_the_error_names_the_command_that_installs_it(
    connector: LlmConnector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "llm.plugins", None)
    with pytest.raises(Rejected) as caught:
        await connector.list_models()
    assert "pip install 'parley[llm]'" in (caught.value.detail or "")


def test_a_key_is_refused_since_any_plugin_would_get_it() -> None:
    with pytest.raises(Rejected, match="can't have a key"):
        parley_connectors()["llm"](Provider("llm", "llm", api_key="sk-one"), HttpClient())


async def test_a_model_that_no_plugin_has(connector: LlmConnector) -> None:
    with pytest.raises(Rejected) as caught:
        await listen(connector, ask("nobody"))
    assert caught.value.problem.code == "upstream_model_not_found"


# ── models without an asynchronous form ──────────────────────────────────────────────────────────


async def test_a_blocking_model_answers_in_a_thread(connector: LlmConnector) -> None:
    chunks = await listen(connector, ask("fb"))
    assert text_of(chunks).startswith("On llm ")
    assert threading.current_thread().name != "llm"
    assert chunks[-2:] == [Finish("stop"), Usage(3, 4)]


async def test_the_conversation_reaches_plugins_of_both_generations(connector: LlmConnector) -> None:
    before = (Message("system", "Be brief."), Message("user", "One?"), Message("assistant", "1"))
    text = text_of(await listen(connector, ask("fake-blocking", *before, "Two?")))
    assert "[system: Be brief. | user: One? | assistant: 1 | user: Two?]" in text
    assert "[One? → 1; Two?]" in text


async def test_a_blocking_model_holds_up_nothing_else(connector: LlmConnector) -> None:
    from tests.fakes import llm_plugin

    waiting = connector.stream(ask("fake-blocking", "wait"))
    assert await anext(waiting) == Delta("text", "On ")
    assert text_of(await listen(connector, ask("fake-blocking", "Hi"))).startswith("On llm")
    llm_plugin.gate.set()
    rest = [chunk async for chunk in waiting]
    assert text_of(rest).startswith("llm ")


async def test_who_stops_reading_a_blocking_model_waits_for_nothing(connector: LlmConnector) -> None:
    from tests.fakes import llm_plugin

    reader = asyncio.create_task(listen(connector, ask("fake-blocking", "wait")))
    while not any(thread.name == "llm" for thread in threading.enumerate()):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert not llm_plugin.gate.is_set()


async def test_more_blocking_models_than_threads_wait_for_their_turn() -> None:
    from tests.fakes import llm_plugin

    connector = LlmConnector(Provider("llm", "llm", max_concurrency=1), HttpClient())
    waiting = connector.stream(ask("fake-blocking", "wait"))
    await anext(waiting)
    second = asyncio.create_task(listen(connector, ask("fake-blocking", "Hi")))
    done, _ = await asyncio.wait([second], timeout=0.1)
    assert not done
    llm_plugin.gate.set()
    async with asyncio.timeout(20):
        assert text_of(await second)


async def test_a_place_is_free_again_once_an_abandoned_iterator_comes_back() -> None:
    gate = threading.Event()

    def blocking() -> Iterator[int]:
        yield 1
        gate.wait(20)
        yield 2

    threads = Threads(1, "test")
    items = threads.each(blocking)
    assert await anext(items) == 1
    await items.aclose()
    gate.set()
    async with asyncio.timeout(20):
        assert [item async for item in threads.each(lambda: [3])] == [3]


async def test_a_plugin_that_fails_keeps_what_it_said_and_shows_no_key(connector: LlmConnector) -> None:
    stream = connector.stream(ask("fake-blocking", "break"))
    assert await anext(stream) == Delta("text", "On ")
    with pytest.raises(UpstreamError) as caught:
        await anext(stream)
    assert "RuntimeError: no more" in (caught.value.detail or "")
    assert "canary" not in (caught.value.detail or "")


async def test_the_key_that_a_model_uses_is_in_no_error(
    connector: LlmConnector, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Rejected) as caught:
        await listen(connector, ask("fake-keyed"))
    assert "llm keys set fake" in (caught.value.detail or "")
    monkeypatch.setenv("FAKE_LLM_KEY", "plain words as a key")
    with pytest.raises(UpstreamError) as failed:
        await listen(connector, ask("fake-keyed"))
    assert "was refused" in (failed.value.detail or "")
    assert "plain words" not in (failed.value.detail or "")


# ── models with one ──────────────────────────────────────────────────────────────────────────────


async def test_an_asynchronous_model_is_asked_directly(connector: LlmConnector) -> None:
    tool = Tool(name="look", description="Looks.", parameters={"type": "object", "properties": {}})
    chunks = await listen(connector, ask("fake-asynchronous", tools=(tool,)))
    assert text_of(chunks, "reasoning") == "hm "
    assert text_of(chunks) == "AB\ufffd"
    call = ToolCall(0, "c1", "look", '{"q":"é"}')
    assert chunks[-3:] == [call, Finish("tool_calls"), Usage(5, 6)]


async def test_cancelling_an_asynchronous_model_stops_it(connector: LlmConnector) -> None:
    from tests.fakes import llm_plugin

    stream = connector.stream(ask("fake-asynchronous", "wait"))
    while await anext(stream) != Delta("text", "A"):
        pass
    await stream.aclose()  # type: ignore[attr-defined]
    assert llm_plugin.closed.is_set()


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        ("fake-blocking", {"seed": 3}),
        ("fake-blocking", {"json_schema": {"type": "object"}}),
        ("fake-blocking", {"tools": (Tool(name="t", description="", parameters={}),)}),
        ("fake-asynchronous", {"temperature": 0.5}),
    ],
)
async def test_what_a_model_does_not_take_is_refused(
    connector: LlmConnector, model: str, fields: dict[str, Any]
) -> None:
    with pytest.raises(Rejected, match="does not support"):
        await listen(connector, ask(model, **fields))


async def test_options_and_pictures_reach_the_model(connector: LlmConnector) -> None:
    picture = Message("user", (TextPart("What?"), ImagePart("a", "image/png")))
    assert "What?" in text_of(
        await listen(connector, ask("fb", picture, attached={"a": b"png"}, temperature=0.5))
    )
    with pytest.raises(Rejected, match="image/png"):
        await listen(connector, ask("fake-asynchronous", picture, attached={"a": b"png"}))
