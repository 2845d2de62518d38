"""Tests of the connector for LiteLLM's proxy, with answers recorded from the real one (1.106.2, mock models)."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parley.connectors.litellm_proxy import LiteLLMProxyConnector
from parley.kernel.connector import ChatRequest, Delta, Finish, Usage
from parley.kernel.errors import Rejected, UpstreamError
from parley.kernel.messages import Message
from parley.kernel.models import Provider
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.upstream import Script, ScriptedUpstream

RECORDED = Path(__file__).parents[1] / "fixtures" / "litellm"
REQUEST = ChatRequest(model="m", messages=(Message("user", "hi"),))


@pytest.fixture
async def up() -> AsyncIterator[ScriptedUpstream]:
    async with ScriptedUpstream() as upstream:
        yield upstream


@pytest.fixture
async def connector(up: ScriptedUpstream) -> AsyncIterator[LiteLLMProxyConnector]:
    client = HttpClient(WireOptions(connect_s=40, idle_s=40, allow_loopback=True))
    yield LiteLLMProxyConnector(Provider("p", "litellm-proxy", up.url, "sk-virtual-key-0123"), client)
    await client.close()


async def test_a_recorded_answer_is_read(up: ScriptedUpstream, connector: LiteLLMProxyConnector) -> None:
    up.script(Script(((RECORDED / "answer.sse").read_bytes(),), packet=100))
    chunks = [chunk async for chunk in connector.stream(REQUEST)]
    text = "".join(chunk.text for chunk in chunks if isinstance(chunk, Delta))
    assert text == "A mock answer of several words, streamed."
    assert chunks[-2:] == [Finish("stop"), Usage(8, 9, cost_micros=7, model="gpt-4o-mini")]
    assert up.requests[0].headers["authorization"] == "Bearer sk-virtual-key-0123"


@pytest.mark.parametrize(
    ("status", "recorded", "code"),
    [
        (401, "no-key", "upstream_key_rejected"),
        (400, "wrong-key", "upstream_key_rejected"),
        (400, "no-model", "upstream_model_not_found"),
        (400, "too-long", "upstream_context_too_long"),
        (429, "limited", "upstream_rate_limited"),
        (500, "broken", "upstream_overloaded"),
    ],
)
async def test_its_refusals_are_read_as_they_are_meant(
    up: ScriptedUpstream, connector: LiteLLMProxyConnector, status: int, recorded: str, code: str
) -> None:
    up.answer((RECORDED / f"{recorded}.json").read_bytes(), status=status)
    with pytest.raises(UpstreamError) as caught:
        [_ async for _ in connector.stream(REQUEST)]
    assert caught.value.problem.code == code


async def test_a_key_whose_budget_is_spent_is_not_asked_again_soon(
    up: ScriptedUpstream, connector: LiteLLMProxyConnector
) -> None:
    spent = {
        "message": "Budget has been exceeded! Current cost: 2.1, Max budget: 2.0",
        "type": "budget_exceeded",
    }
    up.answer({"error": {**spent, "param": None, "code": "429"}}, status=429)
    with pytest.raises(UpstreamError) as caught:
        [_ async for _ in connector.stream(REQUEST)]
    assert caught.value.problem.code == "upstream_payment"


async def test_a_list_that_is_refused_names_the_key(
    up: ScriptedUpstream, connector: LiteLLMProxyConnector
) -> None:
    body = (RECORDED / "wrong-key.json").read_bytes()
    up.lists_with(Script((body,), status=400, headers={"Content-Type": "application/json"}))
    with pytest.raises(Rejected, match="rejected the key"):
        await connector.list_models()


def test_without_an_address_there_is_no_connector() -> None:
    with pytest.raises(Rejected, match="has no address"):
        LiteLLMProxyConnector(Provider("p", "litellm-proxy"), HttpClient())
