"""Tests of the fallback: another model answers where one does not, and the reply says so."""

import random
from typing import Any

import msgspec
import pytest

from parley.engine.accounting import CallResult
from parley.engine.answer_cache import MemoryAnswers
from parley.engine.gateway import Gateway, GatewayOptions
from parley.kernel.calls import Call, CallEnded
from parley.kernel.connector import Chunk, Delta
from parley.kernel.errors import Overloaded, Rejected, Unreachable, UpstreamError
from parley.kernel.messages import Message
from parley.kernel.options import AskOptions
from parley.testing import CannedConnector, SmallCatalog, make_model
from tests.fakes.virtual_loop import on_virtual_time

ADA = make_model("ada", fallback="bob", cache_s=60.0)
BOB = make_model("bob", "far")


class Setting:
    def __init__(self, *models: Any) -> None:
        self.connector = CannedConnector()
        self.recorded: list[CallEnded] = []
        self.gateway = Gateway(
            SmallCatalog(models or (ADA, BOB)),
            lambda _: self.connector,
            GatewayOptions(retries=0),
            self,
            chance=random.Random(7),
            answers=MemoryAnswers(),
        )

    def record(self, ended: CallEnded) -> None:
        self.recorded.append(ended)

    async def ask(self, **changes: Any) -> CallResult:
        call = Call(
            owner_id="owner", purpose="reply", model_id="ada", messages=(Message("user", "Hi"),), turn_id="t"
        )
        call = msgspec.structs.replace(call, **changes)
        self.chunks: list[Chunk] = []
        result = CallResult()
        async for chunk in self.gateway.stream(call, result):
            self.chunks.append(chunk)
        return result

    async def fails(self, **changes: Any) -> str:
        with pytest.raises(UpstreamError) as caught:
            await self.ask(**changes)
        return caught.value.title


@pytest.mark.parametrize("error", [Unreachable("down"), Overloaded("busy"), Rejected("no such key")])
def test_another_model_answers_and_the_metrics_say_which(error: UpstreamError) -> None:
    @on_virtual_time
    async def whole() -> None:
        setting = Setting()
        setting.connector.says("ada", error)
        setting.connector.says("bob", "I am not Ada.")
        result = await setting.ask()
        assert setting.chunks[0] == Delta("text", "I am not Ada.")
        assert (result.metrics.answered_by, result.provider_id) == ("bob", "far")

    whole()


@on_virtual_time
async def test_its_answer_is_not_kept_as_the_model_s_own() -> None:
    setting = Setting()
    setting.connector.says("ada", Overloaded("busy"))
    setting.connector.says("ada", "I am Ada.")
    assert (await setting.ask()).metrics.answered_by == "bob"
    result = await setting.ask()
    assert (setting.chunks[0], result.metrics.answered_by, result.metrics.cached) == (
        Delta("text", "I am Ada."),
        None,
        False,
    )


@pytest.mark.parametrize("where", [{"blind": True}, {"judged": True}, {"inner": True}, {"turn_id": None}])
def test_there_is_none_where_people_vote_or_the_reply_could_not_say_so(where: dict[str, Any]) -> None:
    @on_virtual_time
    async def whole() -> None:
        setting = Setting()
        setting.connector.says("ada", Overloaded("busy"))
        assert await setting.fails(**where) == "busy"
        assert setting.connector.asked("bob") == 0

    whole()


@on_virtual_time
async def test_nothing_stands_in_for_an_answer_that_has_begun() -> None:
    setting = Setting()
    setting.connector.says("ada", "Half", Overloaded("broke"))
    assert await setting.fails() == "broke"
    assert setting.chunks == [Delta("text", "Half")]
    assert setting.connector.asked("bob") == 0


@pytest.mark.parametrize(
    "model",
    [
        make_model("ada", fallback="gone"),
        make_model("ada", fallback="ada"),
        make_model("ada", fallback="off"),
        make_model("ada", fallback="unable", capabilities=("text", "json")),
    ],
)
def test_a_fallback_that_cannot_answer_leaves_the_model_s_own_error(model: Any) -> None:
    @on_virtual_time
    async def whole() -> None:
        setting = Setting(model, make_model("off", enabled=False), make_model("unable"))
        setting.connector.says("ada", Overloaded("busy"))
        asks_json = "json" in model.capabilities
        assert await setting.fails(options=AskOptions(json_schema={} if asks_json else None)) == "busy"
        assert len(setting.connector.requests) == 1

    whole()


@on_virtual_time
async def test_where_both_fail_the_model_s_own_error_is_shown() -> None:
    setting = Setting()
    setting.connector.says("ada", Overloaded("ada is busy"))
    setting.connector.says("bob", Overloaded("bob is busy"))
    assert await setting.fails() == "ada is busy"
    assert [row.outcome for row in setting.recorded] == ["failed", "failed"]
