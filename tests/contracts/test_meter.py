"""The meter equals what the provider reported: a thousand mixed streams over real sockets, added up."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any, NamedTuple

from parley.connectors.openai import OpenAIConnector
from parley.engine.accounting import CallResult
from parley.engine.answer_cache import MemoryAnswers
from parley.engine.gateway import Gateway, GatewayOptions
from parley.engine.metering import CHARACTERS_PER_TOKEN
from parley.kernel.calls import Call, CallEnded
from parley.kernel.errors import UpstreamError
from parley.kernel.messages import Message
from parley.kernel.models import Prices, Provider
from parley.testing import SmallCatalog, make_model
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.upstream import Hang, Reset, ScriptedUpstream, Step, delta

STREAMS = 1000
AT_ONCE = 20
PROMPT = "Why is the sky blue?"
PRICES = Prices(3.0, 15.0)
KINDS = (
    "complete",
    "reasoning",
    "provider's cache",
    "our cache",
    "counted as it goes",
    "cut after usage",
    "cut",
    "without a finish",
    "stopped",
    "no usage",
    "failed in mid-stream",
    "refused",
)


class Case(NamedTuple):
    """One stream: what the server sends and reports. `said` counts its code points if it reports nothing."""

    kind: str
    model: str
    parts: tuple[str | dict[str, Any] | Step, ...]
    reported: dict[str, Any] | None
    said: int


def a_case(number: int, chance: random.Random) -> Case:
    kind = KINDS[number % len(KINDS)]
    words = [f"word{chance.randint(0, 999)} " for _ in range(chance.randint(1, 8))]
    parts: list[str | dict[str, Any] | Step] = [delta(content=word) for word in words]
    usage: dict[str, Any] | None = {
        "prompt_tokens": chance.randint(1, 5000),
        "completion_tokens": chance.randint(1, 3000),
    }
    end: list[str | dict[str, Any] | Step] = [delta(finish="stop"), {"choices": [], "usage": usage}, "[DONE]"]
    match kind:
        case "reasoning":
            usage["completion_tokens_details"] = {"reasoning_tokens": usage["completion_tokens"] // 2}
            parts.insert(0, delta(reasoning_content="Let me think. "))
        case "provider's cache":
            usage["prompt_tokens_details"] = {"cached_tokens": usage["prompt_tokens"] // 3}
        case "counted as it goes":
            parts = [
                {**delta(content=word), "usage": {"prompt_tokens": 1, "completion_tokens": 1}}
                for word in words
            ]
        case "cut after usage":
            end = [{"choices": [], "usage": usage}, Reset()]
        case "cut":
            usage, end = None, [Reset()]
        case "without a finish":
            end = [{"choices": [], "usage": usage}, "[DONE]"]
        case "stopped":
            usage, end = None, [Hang()]
        case "no usage":
            usage, end = None, [delta(finish="stop"), "[DONE]"]
        case "failed in mid-stream":
            usage, end = None, [{"error": {"message": "out of memory"}}]
    return Case(kind, f"m{number}", (*parts, *end), usage, sum(map(len, words)))


@asynccontextmanager
async def a_gateway(
    up: ScriptedUpstream, cases: list[Case], recorded: list[CallEnded]
) -> AsyncIterator[Gateway]:
    class Table:
        def record(self, ended: CallEnded) -> None:
            recorded.append(ended)

    models = [
        make_model(case.model, prices=PRICES, cache_s=600.0 if case.kind == "our cache" else None)
        for case in cases
    ]
    provider = Provider("near", "openai", up.url)
    client = HttpClient(WireOptions(connect_s=40, idle_s=40, allow_loopback=True))
    connector = OpenAIConnector(provider, client)
    catalog = SmallCatalog(models, [provider])
    yield Gateway(catalog, lambda _: connector, GatewayOptions(retries=0), Table(), answers=MemoryAnswers())
    await connector.close()
    await client.close()


async def ask(gateway: Gateway, case: Case) -> CallResult:
    """Ask once, and stop a stream that hangs once its words are there."""
    call = Call(
        owner_id="owner",
        purpose="reply",
        model_id=case.model,
        messages=(Message("user", PROMPT),),
        turn_id="t",
        reply_id=case.model,
    )
    result = CallResult()
    heard = 0
    try:
        async with aclosing(gateway.stream(call, result)) as chunks:
            async for chunk in chunks:
                heard += len(getattr(chunk, "text", ""))
                if case.kind == "stopped" and heard == case.said:
                    break
    except UpstreamError:
        assert case.kind in ("failed in mid-stream", "refused")
    return result


def expected(case: Case) -> tuple[int, int, bool]:
    """Return input and output tokens, and whether they are estimated."""
    if case.reported is None:
        return -(-len(PROMPT) // CHARACTERS_PER_TOKEN), -(-case.said // CHARACTERS_PER_TOKEN), True
    return case.reported["prompt_tokens"], case.reported["completion_tokens"], False


async def test_the_meter_equals_what_the_provider_reported_over_a_thousand_mixed_streams() -> None:
    chance = random.Random(11)
    cases = [a_case(number, chance) for number in range(STREAMS)]
    recorded: list[CallEnded] = []
    busy = asyncio.Semaphore(AT_ONCE)
    async with ScriptedUpstream() as up, a_gateway(up, cases, recorded) as gateway:
        for case in cases:
            if case.kind == "refused":
                up.fail(400, "no", model=case.model)
            else:
                up.stream(*case.parts, model=case.model)

        async def one(case: Case) -> None:
            async with busy:
                result = await ask(gateway, case)
                again = await ask(gateway, case) if case.kind == "our cache" else None
            if case.kind == "refused":
                assert (result.provider_id, result.metrics.cost_micros) == (None, 0)
                return
            tokens_in, tokens_out, estimated = expected(case)
            metrics = result.metrics
            assert (metrics.input_tokens, metrics.output_tokens, metrics.estimated) == (
                tokens_in,
                tokens_out,
                estimated,
            ), case
            details = (case.reported or {}).get("completion_tokens_details", {})
            assert metrics.reasoning_tokens == details.get("reasoning_tokens", 0)
            assert metrics.cost_micros == PRICES.cost_micros(tokens_in, tokens_out)
            if again is not None:
                assert (again.metrics.cached, again.metrics.cost_micros) == (True, 0)

        await asyncio.gather(*(one(case) for case in cases))
    calls = Counter(case.model for case in cases) + Counter(
        case.model for case in cases if case.kind == "our cache"
    )
    assert Counter(row.model_id for row in recorded) == calls, "each call is recorded once"
    outcomes = {case.kind: {row.outcome for row in recorded if row.model_id == case.model} for case in cases}
    failures = ("cut after usage", "cut", "without a finish", "failed in mid-stream", "refused")
    assert {kind for kind, ends in outcomes.items() if ends == {"failed"}} == set(failures)
    assert {kind for kind, ends in outcomes.items() if ends == {"stopped"}} == {"stopped"}
    counted = [row for row in recorded if not row.estimated and not row.from_cache]
    reported = [case.reported for case in cases if case.reported is not None and case.kind != "refused"]
    assert sum(row.input_tokens for row in counted) == sum(each["prompt_tokens"] for each in reported)
    assert sum(row.output_tokens for row in counted) == sum(each["completion_tokens"] for each in reported)
    hits = [each.get("prompt_tokens_details", {}).get("cached_tokens", 0) for each in reported]
    assert sum(row.cached_tokens for row in counted) == sum(hits) > 0
    reused = {(row.input_tokens, row.output_tokens, row.cost_micros) for row in recorded if row.from_cache}
    assert reused == {(0, 0, 0)}
    costs = sum(PRICES.cost_micros(*expected(case)[:2]) for case in cases if case.kind != "refused")
    assert sum(row.cost_micros or 0 for row in recorded) == costs
