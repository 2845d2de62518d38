"""Tests of the answer cache: who gets an earlier answer again, and what it costs."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from parley.engine.accounting import CallResult
from parley.engine.answer_cache import PAUSE_S, MemoryAnswers
from parley.engine.gateway import Gateway, GatewayOptions
from parley.kernel.calls import Call, CallEnded
from parley.kernel.connector import Chunk, Delta, Finish, Usage
from parley.kernel.messages import Message, ToolCall
from parley.kernel.models import Model, Prices, Provider
from parley.kernel.options import AskOptions
from parley.kernel.ports import AnswerStore
from parley.testing import BREAK, CannedConnector, SmallCatalog, make_model
from tests.fakes.virtual_loop import on_virtual_time

ADA = make_model("ada", cache_s=60.0)
NEAR = Provider("near", "c", base_url="http://127.0.0.1:1/v1", api_key="secret")


class Setting:
    """A gateway with a cache; `change` what the catalog says, or the call, between two questions."""

    def __init__(self, answers: AnswerStore | None = None) -> None:
        self.answers = answers or MemoryAnswers()
        self.connector = CannedConnector()
        self.recorded: list[CallEnded] = []
        self.catalog(ADA, NEAR)

    def catalog(self, model: Model, provider: Provider) -> None:
        self.gateway = Gateway(
            SmallCatalog([model], [provider]),
            lambda _: self.connector,
            GatewayOptions(),
            self,
            chance=random.Random(7),
            answers=self.answers,
        )

    def record(self, ended: CallEnded) -> None:
        self.recorded.append(ended)

    async def ask(self, **changes: Any) -> tuple[list[Chunk], CallResult]:
        call = Call(
            owner_id="owner",
            purpose="reply",
            model_id="ada",
            messages=(Message("user", "Hi"),),
            turn_id="t",
            reply_id="r",
            place="/0/a/reply",
        )
        call = msgspec.structs.replace(call, **changes)
        result = CallResult()
        return [chunk async for chunk in self.gateway.stream(call, result)], result

    @property
    def asked(self) -> int:
        return len(self.connector.requests)


@on_virtual_time
async def test_the_same_question_gets_the_same_answer_again_at_no_cost() -> None:
    setting = Setting()
    call = ToolCall(0, "c1", "look", "{}")
    said = (Delta("reasoning", "Hm"), "Hello ", "you", call, Finish("stop"), Usage(7, 5, 2))
    setting.connector.says("ada", *said)
    first, asked = await setting.ask()
    again, recalled = await setting.ask(turn_id="t2", reply_id="r2", seat_seed=9)
    assert setting.asked == 1
    assert again == [
        Delta("reasoning", "Hm"),
        Delta("text", "Hello you"),
        call,
        Finish("stop"),
        Usage(7, 5, 2),
    ]
    assert len(first) == 6
    assert not asked.metrics.cached
    metrics = recalled.metrics
    assert (metrics.cached, metrics.cost_micros, metrics.output_tokens) == (True, 0, 5)


@on_virtual_time
async def test_an_answer_is_forgotten_after_its_time() -> None:
    setting = Setting()
    await setting.ask()
    await asyncio.sleep(59)
    assert (await setting.ask())[1].metrics.cached
    await asyncio.sleep(1)
    assert not (await setting.ask())[1].metrics.cached


def in_call(**changes: Any) -> Callable[[], tuple[Model, Provider, dict[str, Any]]]:
    return lambda: (ADA, NEAR, changes)


def in_model(**changes: Any) -> Callable[[], tuple[Model, Provider, dict[str, Any]]]:
    return lambda: (msgspec.structs.replace(ADA, **changes), NEAR, {})


def in_provider(**changes: Any) -> Callable[[], tuple[Model, Provider, dict[str, Any]]]:
    return lambda: (ADA, msgspec.structs.replace(NEAR, **changes), {})


@pytest.mark.parametrize(
    "change",
    [
        in_call(messages=(Message("user", "Hi!"),)),
        in_call(messages=(Message("system", "Be brief"), Message("user", "Hi"))),
        in_call(options=AskOptions(temperature=0.5)),
        in_call(owner_id="somebody else"),
        in_call(place="/0/b/reply"),
        in_call(attempt=2),
        in_call(blind=True),
        in_call(judged=True),
        in_call(inner=True),
        in_call(turn_id=None),
        in_model(prices=Prices(1.0, 3.0)),
        in_model(routes=make_model("ada", "far").routes),
        in_model(cache_s=None),
        in_model(cache_s=0.0),
        in_provider(base_url="http://127.0.0.1:2/v1"),
        in_provider(connector="d"),
    ],
)
def test_any_change_asks_the_model(change: Callable[[], tuple[Model, Provider, dict[str, Any]]]) -> None:
    @on_virtual_time
    async def whole() -> None:
        setting = Setting()
        await setting.ask()
        model, provider, changes = change()
        setting.catalog(model, provider)
        assert not (await setting.ask(**changes))[1].metrics.cached
        assert setting.asked == 2

    whole()


@pytest.mark.parametrize("hidden", ["blind", "judged", "inner"])
def test_what_a_battle_or_an_ensemble_was_answered_is_not_kept(hidden: str) -> None:
    @on_virtual_time
    async def whole() -> None:
        setting = Setting()
        await setting.ask(**{hidden: True})
        assert not (await setting.ask())[1].metrics.cached

    whole()


@on_virtual_time
async def test_another_key_changes_no_answer_and_asking_again_replaces_it() -> None:
    setting = Setting()
    setting.connector.says("ada", "One.")
    setting.connector.says("ada", "Two.")
    await setting.ask()
    await setting.ask(attempt=2)
    setting.catalog(ADA, msgspec.structs.replace(NEAR, api_key="another"))
    chunks, result = await setting.ask()
    assert (chunks[0], result.metrics.cached) == (Delta("text", "Two."), True)


@pytest.mark.parametrize("end", [BREAK, Finish("length"), Finish("content_filter")])
def test_an_answer_that_is_not_whole_is_not_kept(end: Any) -> None:
    @on_virtual_time
    async def whole() -> None:
        setting = Setting()
        setting.connector.says("ada", "Half", end)
        for _ in range(2):
            assert not (await setting.ask())[1].metrics.cached

    whole()


@on_virtual_time
async def test_memory_drops_what_was_not_used_for_longest() -> None:
    answers = MemoryAnswers(most_bytes=10)
    await answers.write("one", b"1234", 60)
    await answers.write("two", b"1234", 60)
    assert await answers.read("one") == b"1234"
    await answers.write("three", b"1234", 60)
    assert [await answers.read(key) for key in ("one", "two", "three")] == [b"1234", None, b"1234"]
    await answers.write("huge", b"12345678901", 60)
    assert await answers.read("huge") is None
    await answers.write("small", b"1", 60)
    assert await answers.read("small") == b"1", "what was dropped takes no room"


class Broken:
    """A store that fails or hangs."""

    def __init__(self, *, hangs: bool) -> None:
        self.hangs = hangs
        self.asked = 0

    async def read(self, key: str) -> bytes | None:
        self.asked += 1
        if self.hangs:
            await asyncio.Event().wait()
        raise OSError("connection refused")

    async def write(self, key: str, answer: bytes, ttl_s: float) -> None:
        await self.read(key)

    async def forget(self, beginning: str) -> None:
        await self.read(beginning)

    async def close(self) -> None:
        pass


@pytest.mark.parametrize("hangs", [True, False])
def test_a_store_that_fails_is_left_alone_for_a_while_and_fails_no_call(hangs: bool) -> None:
    @on_virtual_time
    async def whole() -> None:
        broken = Broken(hangs=hangs)
        setting = Setting(broken)
        for _ in range(3):
            chunks, _ = await setting.ask()
            assert chunks[0] == Delta("text", "An answer.")
        assert broken.asked == 1
        await asyncio.sleep(PAUSE_S)
        await setting.ask()
        assert broken.asked == 2

    whole()


@on_virtual_time
async def test_what_another_version_stored_is_no_answer() -> None:
    class Strange(MemoryAnswers):
        async def read(self, key: str) -> bytes | None:
            return b"\xc1 not msgpack"

    chunks, result = await Setting(Strange()).ask()
    assert (chunks[0], result.metrics.cached) == (Delta("text", "An answer."), False)


async def test_the_stored_answers_of_one_person_are_forgotten() -> None:
    answers = MemoryAnswers()
    for key in ("mine:1", "mine:2", "other:1"):
        await answers.write(key, b"answer", 60)
    await answers.forget("mine:")
    assert [await answers.read(key) for key in ("mine:1", "mine:2", "other:1")] == [None, None, b"answer"]
