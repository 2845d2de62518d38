"""Traces and metrics by OpenTelemetry, as a collector decodes them: no person and no text in them."""

import asyncio
import base64
import logging
from collections.abc import AsyncGenerator, Generator
from contextlib import nullcontext
from pathlib import Path

import pytest
from sqlalchemy import text

pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs pip install 'parley[otel]'")

from parley.api.request_spans import RequestSpans
from parley.engine.runner import Runner
from parley.features.telemetry.feature import Telemetry
from parley.settings import Settings, SettingsError
from parley.storage.database import Database
from tests.fakes.collector import Collector, a_collector
from tests.fakes.running import RunningParley, a_running_parley
from tests.fakes.sealing import a_seal, new_key, with_key

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = f"00-{TRACE}-b7ad6b7169203331-01"


@pytest.fixture
def collector() -> Generator[Collector]:
    with a_collector() as running:
        yield running


@pytest.fixture
async def traced(tmp_path: Path, collector: Collector) -> AsyncGenerator[RunningParley]:
    folder = tmp_path / "traced"
    folder.mkdir()
    async with a_running_parley(folder, otlp_url=collector.url) as running:
        yield running


async def flushed(parley: RunningParley) -> None:
    exports = parley.application[Telemetry].exports
    assert exports is not None
    await asyncio.to_thread(exports.flush)


async def test_a_request_its_turn_and_its_call_are_one_trace(
    traced: RunningParley, collector: Collector
) -> None:
    traced.upstream.reply("Hello", model="ada")
    traced.client.headers |= {"traceparent": PARENT, "tracestate": "own=thing"}
    await traced.chat(model="ada")
    await flushed(traced)
    (request,), (turn,), (call,) = (collector.named(name) for name in ("POST", "turn", "chat"))
    assert request["name"] == "POST /api/sessions"
    assert (turn["parentSpanId"], call["parentSpanId"]) == (request["spanId"], turn["spanId"])
    assert (turn["attributes"]["parley.turn.status"], turn["name"]) == ("completed", "turn chat")
    sent = traced.upstream.chats[0].headers
    assert "tracestate" not in sent
    version, trace, parent, flags = sent["traceparent"].split("-")
    assert (version, flags, len(parent)) == ("00", "01", 16)
    assert len({trace, *(_hex(each["traceId"]) for each in (request, turn, call))}) == 1
    assert (trace, parent) == (TRACE, _hex(call["spanId"]))
    assert collector.resource["service.name"] == "parley"


async def test_a_call_has_the_attributes_of_the_conventions(
    traced: RunningParley, collector: Collector
) -> None:
    traced.upstream.reply("Hello", model="ada")
    await traced.chat(model="ada")
    await flushed(traced)
    (call,) = collector.named("chat ada")
    attributes = call["attributes"]
    assert call["kind"] == "SPAN_KIND_CLIENT"
    named = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "near",
        "gen_ai.request.model": "ada",
        "server.address": "127.0.0.1",
        "parley.purpose": "reply",
        "parley.outcome": "completed",
    }
    assert {name: attributes[name] for name in named} == named
    assert attributes["gen_ai.response.model"]
    tokens = [int(attributes[f"gen_ai.usage.{kind}_tokens"]) for kind in ("input", "output")]
    assert all(tokens)
    assert "error.type" not in attributes
    usage = {
        each["attributes"]["gen_ai.token.type"]: each["sum"]
        for each in collector.metrics["gen_ai.client.token.usage"]
    }
    assert usage == {"input": tokens[0], "output": tokens[1]}
    (duration,) = collector.metrics["gen_ai.client.operation.duration"]
    assert duration["count"] == "1"
    assert len(duration["explicitBounds"]) == 14


async def test_no_text_and_no_person_leaves_without_the_setting(
    traced: RunningParley, collector: Collector
) -> None:
    traced.upstream.reply("a-word-of-the-reply", model="ada")
    await traced.chat("a-word-of-the-prompt", model="ada")
    await flushed(traced)
    sent = b"".join(collector.bodies)
    people = await traced.application[Database].read(
        lambda db: db.execute(text("SELECT id FROM users")).scalars()
    )
    texts = (b"a-word-of-the-reply", b"a-word-of-the-prompt", b"s3cret-key-of-the-provider")
    for planted in (*texts, *(person.encode() for person in people)):
        assert planted not in sent
    assert b"turn chat" in sent


async def test_texts_leave_with_the_setting(tmp_path: Path, collector: Collector) -> None:
    async with a_running_parley(tmp_path, otlp_url=collector.url, otlp_texts="on") as parley:
        parley.upstream.reply("a-word-of-the-reply", model="ada")
        await parley.chat("a-word-of-the-prompt", model="ada")
    (call,) = collector.named("chat ada")  # sent when Parley closed
    assert "a-word-of-the-prompt" in call["attributes"]["gen_ai.input.messages"]
    assert "a-word-of-the-reply" in call["attributes"]["gen_ai.output.messages"]


async def test_texts_of_a_sealed_session_never_leave(tmp_path: Path, collector: Collector) -> None:
    async with a_running_parley(tmp_path, otlp_url=collector.url, otlp_texts="on") as parley:
        parley.upstream.reply("a-word-of-the-reply", model="ada")
        body = {"mode": "chat", "seats": {"assistant": "ada"}, "prompt": "a-word-of-the-prompt", **a_seal()}
        await parley.post("/api/sessions", body, **with_key(new_key()))
    assert collector.named("chat ada")
    assert b"a-word-of-the" not in b"".join(collector.bodies)


async def test_a_failed_call_names_its_error(traced: RunningParley, collector: Collector) -> None:
    traced.upstream.fail(401, model="ada")
    await traced.chat(model="ada")
    await flushed(traced)
    (call,) = collector.named("chat ada")
    assert call["status"]["code"] == "STATUS_CODE_ERROR"
    assert call["attributes"]["error.type"]


async def test_both_seats_of_a_battle_have_calls_of_their_own(
    traced: RunningParley, collector: Collector
) -> None:
    await traced.battle()
    await flushed(traced)
    (turn,) = collector.named("turn battle")
    calls = collector.named("chat")
    assert len(calls) == 2
    assert {call["parentSpanId"] for call in calls} == {turn["spanId"]}
    parents = {request.headers["traceparent"].split("-")[2] for request in traced.upstream.chats}
    assert parents == {_hex(call["spanId"]) for call in calls}


async def test_a_silent_collector_costs_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with a_running_parley(tmp_path, otlp_url="http://127.0.0.1:9") as parley:
        with caplog.at_level(logging.INFO):
            for _ in range(2):
                assert (await parley.chat(model="ada"))["session_id"]
                await flushed(parley)
    lines = [each.getMessage() for each in caplog.records if "collector" in each.getMessage()]
    assert len(lines) == 1
    assert "127.0.0.1:9" in lines[0]
    assert not [each for each in caplog.records if each.name.startswith("opentelemetry")]


async def test_without_a_collector_nothing_is_traced_or_loaded(parley: RunningParley) -> None:
    app = parley.application
    assert (app[Telemetry].exports, app[RequestSpans].begin) == (None, None)
    assert app[Runner].around is nullcontext
    await parley.chat(model="ada")
    assert "traceparent" not in parley.upstream.chats[0].headers


async def test_the_standard_variable_names_a_collector_too(
    tmp_path: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    async with a_running_parley(tmp_path) as parley:
        await parley.chat(model="ada")
    assert collector.named("chat ada")


async def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parley.features.telemetry.feature._is_installed", lambda: False)
    with pytest.raises(SettingsError, match="not installed") as raised:
        async with a_running_parley(tmp_path, otlp_url="http://127.0.0.1:4318"):
            pass
    assert "parley[otel]" in str(raised.value.detail)


@pytest.mark.parametrize(
    "url", ["ftp://host", "http://", "http://name:word@host:4318", "host:4318", "http://h/?key=1"]
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="must be like"):
        Settings(otlp_url=url)


def _hex(encoded: str) -> str:
    """Return an id that JSON has in Base64."""
    return base64.b64decode(encoded).hex()
