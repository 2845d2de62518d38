"""Every row of the table of upstream faults, through connector, gateway and runner: what the reply must be.

Nothing is stored and nobody is connected here. How a fault is shown to viewers: tests/api/test_upstream_faults.py.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from parley.connectors.openai import OpenAIConnector
from parley.engine.gateway import Gateway, GatewayOptions
from parley.engine.hub import Hub
from parley.engine.recorder import Recorder
from parley.engine.runner import Runner
from parley.kernel.mode import Mode
from parley.kernel.models import Provider, Route
from parley.modes.chat import Chat
from parley.testing import MemoryLog, SmallCatalog, heard, make_match, make_model, make_script, until
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.attacked import CONNECT_S, LONG_S, PATIENT_S, address_of, lookup_for
from tests.fakes.deltas import texts
from tests.fakes.faults import ALL, Fault
from tests.fakes.invariants import SECRET_START
from tests.fakes.movable_clock import MovableClock
from tests.fakes.upstream import ScriptedUpstream

FAULTY, SPARE = "faulty", "spare"
ELSEWHERE = [fault for fault in ALL if fault.elsewhere]
CHAT: Mode[Any] = Chat()
Events = list[dict[str, Any]]


@dataclass
class Engine:
    """An engine whose model has one provider, or a spare one, too, and the server behind them."""

    upstream: ScriptedUpstream
    runner: Runner
    log: MemoryLog
    clock: MovableClock
    heard_in_the_clear: list[bytes]

    async def ask(self, fault: Fault) -> Events:
        """Ask the model once and return the turn's events."""
        script = make_script(CHAT, {"assistant": FAULTY})
        self.log.scripts["turn"] = script
        live = self.runner.start(script, make_match(CHAT, script), CHAT, Chat.brief())
        listening = asyncio.create_task(heard(live.follow()))
        if fault.code == "upstream_stalled":
            said = live.snapshot
            await until(lambda: self.upstream.requests and (not fault.text or said().turn.replies[0].text))
            self.clock.let_pass(PATIENT_S + 1)
        return await listening


@asynccontextmanager
async def an_engine(fault: Fault, *, spare: bool = False) -> AsyncGenerator[Engine]:
    clock, in_the_clear = MovableClock(), list[bytes]()
    async with ScriptedUpstream() as upstream, address_of(fault.where, upstream, in_the_clear) as address:
        connect_s = CONNECT_S if fault.where == "silent" else PATIENT_S
        options = WireOptions(connect_s=connect_s, idle_s=LONG_S, allow_loopback=True)
        http = HttpClient(options, lookup=lookup_for(fault.where))
        secret = SECRET_START.decode() + "-of-the-provider"
        providers = (
            Provider(FAULTY, "openai", address, secret),
            Provider(SPARE, "openai", upstream.url, secret, priority=1),
        )
        routes = (Route(FAULTY, FAULTY), *([Route(SPARE, SPARE)] if spare else []))
        catalog = SmallCatalog([make_model(FAULTY, routes=routes, timeout_s=PATIENT_S)], providers)
        log, hub = MemoryLog(), Hub()
        recorder = Recorder(log, list)
        limits = GatewayOptions(idle_s=PATIENT_S, backoff_s=0.0)
        gateway = Gateway(catalog, lambda provider: OpenAIConnector(provider, http), limits, recorder)
        runner = Runner(hub, recorder, gateway)
        recorder.start()
        hub.start()
        try:
            yield Engine(upstream, runner, log, clock, in_the_clear)
            await upstream.wait_until_idle(within=PATIENT_S)
        finally:
            await runner.close()
            await recorder.close()
            await hub.close()
            await http.close()
        await upstream.wait_until_closed(within=PATIENT_S)


@pytest.mark.parametrize("fault", ALL, ids=[fault.name for fault in ALL])
async def test_a_reply_is_what_the_table_says(fault: Fault) -> None:
    async with an_engine(fault) as engine:
        for script in fault.scripts:
            engine.upstream.script(script, model=FAULTY)
        events = await engine.ask(fault)
        end = the_end_of_the_reply(events)
        error = end.get("error") or {}
        text, reasoning = (texts(events, channel).get("assistant", "") for channel in ("text", "reasoning"))
        assert (end.get("status", "completed"), error.get("code")) == (fault.status, fault.code)
        assert end.get("finish_reason") == fault.finish
        assert reasoning == fault.reasoning
        assert text == (fault.text if fault.at_least is None else "x" * len(text))
        if fault.at_least is not None:
            assert fault.at_least <= len(text) <= 2 << 20
        if fault.usage:
            metrics = end["metrics"]
            assert (metrics["input_tokens"], metrics["output_tokens"]) == fault.usage
            assert metrics["estimated"] is False
        assert len(engine.upstream.chats) == fault.asked
        assert len(error.get("title", "")) <= 120
        assert len(error.get("detail") or "") <= 400
        assert SECRET_START not in msgspec.json.encode(events)
        assert len(engine.heard_in_the_clear) == (3 if fault.where == "in the clear" else 0)
        assert all(heard.startswith(b"\x16\x03") for heard in engine.heard_in_the_clear), "not TLS"


def the_end_of_the_reply(events: Events) -> dict[str, Any]:
    """Return the event by which the reply ended; one that read too slowly is told by a fresh snapshot."""
    ends = [event for event in events if event["kind"] in ("reply.completed", "reply.failed")]
    snapshots = [event["turn"]["replies"] for event in events if event["kind"] == "turn.snapshot"]
    (end,) = ends or snapshots[-1]
    return end


@pytest.mark.parametrize("fault", ELSEWHERE, ids=[fault.name for fault in ELSEWHERE])
async def test_another_provider_of_the_same_model_answers(fault: Fault) -> None:
    async with an_engine(fault, spare=True) as engine:
        for script in fault.scripts:
            engine.upstream.script(script, model=FAULTY)
        engine.upstream.reply("From ", "the spare.", model=SPARE)
        events = await engine.ask(fault)
        assert [event["kind"] for event in events][-2:] == ["reply.completed", "turn.completed"]
        assert texts(events) == {"assistant": "From the spare."}
        asked = [request.model for request in engine.upstream.chats]
        assert asked == [FAULTY] * fault.asked + [SPARE]
