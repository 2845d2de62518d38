"""A gateway over canned providers, and the calls that tests make."""

import asyncio
import random
from collections.abc import AsyncGenerator, Sequence

import msgspec
import pytest

from parley.engine.accounting import CallResult
from parley.engine.gateway import Gateway, GatewayOptions
from parley.kernel.budget import Budget
from parley.kernel.calls import Call, CallEnded
from parley.kernel.connector import Chunk, Delta, Finish, Usage
from parley.kernel.errors import UpstreamError
from parley.kernel.messages import Message
from parley.kernel.models import Model, Provider
from parley.kernel.ports import AnswerStore, Blobs
from parley.kernel.seats import Seat
from parley.testing import CannedConnector, SmallCatalog


class LoopClock:
    """The loop's clock as that of the wall."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()


class GatewaySetting:
    """A gateway over providers that each have a connector of their own; `recorded` has the rows of its calls."""

    def __init__(
        self,
        *models: Model,
        providers: tuple[Provider, ...] = (),
        blobs: Blobs | None = None,
        answers: AnswerStore | None = None,
        budget: Budget | None = None,
        **options: float,
    ) -> None:
        catalog = SmallCatalog(models, providers)
        self.connectors: dict[str, CannedConnector] = {}
        self.recorded: list[CallEnded] = []
        self.gateway = Gateway(
            catalog,
            lambda provider: self.at(provider.id),
            GatewayOptions(**options),  # pyright: ignore[reportArgumentType]
            self,
            chance=random.Random(7),
            blobs=blobs,
            answers=answers,
            budget=budget,
            clock=LoopClock(),
        )

    def record(self, ended: CallEnded) -> None:
        self.recorded.append(ended)

    def at(self, provider: str) -> CannedConnector:
        return self.connectors.setdefault(provider, CannedConnector())

    async def ask(self, model: str = "ada") -> tuple[str, str | None]:
        """Return the text of an answer and who gave it."""
        result = CallResult()
        chunks = [chunk async for chunk in self.gateway.stream(a_call(model), result)]
        return text_of(chunks), result.provider_id

    async def fails(self, model: str = "ada") -> UpstreamError:
        with pytest.raises(UpstreamError) as caught:
            await self.ask(model)
        return caught.value


def a_call(model: str = "ada") -> Call:
    return Call(
        owner_id="owner",
        purpose="reply",
        model_id=model,
        messages=(Message("user", "Hi"),),
        seat_seed=3,
        turn_id="t",
        reply_id="r",
        attempt=2,
    )


async def listen(
    setting: GatewaySetting, call: Call, chunks: list[Chunk], result: CallResult | None = None
) -> None:
    """Keep what comes before a failure."""
    async for chunk in setting.gateway.stream(call, result):
        chunks.append(chunk)  # noqa: PERF401 - see above


def text_of(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, Delta))


class Board:
    """An ensemble that asks one member, and says what it took."""

    def __init__(self, setting: GatewaySetting) -> None:
        self.setting = setting

    def seats(self, model_id: str) -> Sequence[Seat]:
        return ()

    async def stream(
        self,
        model: Model,
        messages: Sequence[Message],
        call: Call,
        *,
        key: str,
    ) -> AsyncGenerator[Chunk]:
        member = msgspec.structs.replace(a_call("ada"), reply_id="inner", inner=True)
        await listen(self.setting, member, [])
        yield Usage(50, 60, cost_micros=70)
        yield Delta("text", "We agree.")
        yield Finish("stop")
