"""The model gateway: the only way to a model. Route, limits, retries before the first byte, failover."""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext
from typing import cast

import msgspec

from parley.engine.breaker import Breakers
from parley.engine.deadlines import Deadline
from parley.kernel.connector import ChatRequest, Chunk, Connector
from parley.kernel.errors import NotFound, Rejected, UpstreamError
from parley.kernel.messages import Message
from parley.kernel.models import Model, Provider, Route
from parley.kernel.ports import Catalog, Ensembles

MAX_WAIT_S = 10.0
"""The longest Retry-After that is waited out."""


class GatewayOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Limits that hold for every call. Seconds."""

    retries: int = 2
    idle_s: float = 30.0
    backoff_s: float = 0.4


class Call(msgspec.Struct, kw_only=True):
    """One question to one model. `provider_id` tells, afterwards, who answered it."""

    model_id: str
    messages: tuple[Message, ...]
    seat_seed: int
    reply_id: str
    provider_id: str | None = None


class Gateway:
    """Resolves a model to its providers and streams the answer of the first that gives one."""

    def __init__(
        self,
        catalog: Catalog,
        connect: Callable[[Provider], Connector],
        options: GatewayOptions,
        chance: random.Random | None = None,
    ) -> None:
        self._catalog = catalog
        self._connect = connect
        self._options = options
        self._ensembles: Ensembles | None = None
        self._chance = chance or random.SystemRandom()
        self._breakers = Breakers()
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._clock: Callable[[], float] = float

    def admit(self, ensembles: Ensembles) -> None:
        """Let entries of kind `ensemble` be asked; those who play them need the gateway themselves."""
        self._ensembles = ensembles

    async def stream(self, call: Call) -> AsyncGenerator[Chunk]:
        """Yield the answer's chunks. Raises UpstreamError, NotFound."""
        model = self._catalog.model(call.model_id)
        if model.kind == "ensemble":
            if self._ensembles is None:
                raise Rejected(
                    f"{model.name} is an ensemble, and nothing here can play it.", code="no_ensembles"
                )
            async with aclosing(self._ensembles.stream(model, call.messages, call.reply_id)) as chunks:
                async for chunk in chunks:
                    yield chunk
            return
        async with self._slot(f"model:{model.id}", model.max_concurrency):
            failure: UpstreamError | None = None
            for route in self._order(model):
                attempts = self._attempts(model, route, call)
                try:
                    async with aclosing(attempts):
                        async for chunk in attempts:
                            failure = None
                            call.provider_id = route.provider
                            yield chunk
                    return
                except UpstreamError as error:
                    if call.provider_id is not None:
                        raise
                    failure = error
            raise failure or Rejected(f"{model.name} has no route to a provider.", code="no_route")

    def is_down(self, model: Model) -> bool:
        """Tell whether a model cannot answer now: it would be asked at none of its providers, or has none.

        An ensemble cannot while one of its roles or all its members are down. May be asked from any thread.
        """
        if model.kind == "ensemble":
            return self._is_gone(model)
        return all(self._breakers.line(route).is_resting(self._clock()) for route in model.routes)

    def _is_gone(self, ensemble: Model) -> bool:
        if self._ensembles is None:
            return True
        try:
            seats = self._ensembles.seats(ensemble.id)
            down = {seat.name: self.is_down(self._catalog.model(seat.model_id)) for seat in seats}
        except NotFound:
            return True
        members = [down[seat.name] for seat in seats if seat.role == "member"]
        roles = [down[seat.name] for seat in seats if seat.role != "member"]
        return any(roles) or (bool(members) and all(members))

    async def _attempts(self, model: Model, route: Route, call: Call) -> AsyncGenerator[Chunk]:
        """Ask one provider, again where that may help and nothing has come yet."""
        provider = self._catalog.provider(route.provider)
        clock = self._clock = asyncio.get_running_loop().time
        line = self._breakers.line(route)
        request = ChatRequest(model=route.model, messages=call.messages, seat_seed=call.seat_seed)
        failure: UpstreamError | None = None
        for attempt in range(self._options.retries + 1):
            if refusal := line.refusal(_now()):
                raise failure or refusal
            begun = False
            try:
                async with self._slot(f"provider:{provider.id}", provider.max_concurrency):
                    chunks = cast("AsyncGenerator[Chunk]", self._connect(provider).stream(request))
                    async with aclosing(chunks):
                        with self._limits(model) as deadline:
                            async for chunk in chunks:
                                deadline.moved = clock()
                                if not begun:
                                    begun = deadline.begun = True
                                    line.reached()
                                yield chunk
                line.succeeded()
                return
            except UpstreamError as error:
                line.failed(error, _now(), begun=begun)
                failure = error
                pause = self._pause(error, attempt)
                if begun or pause is None:
                    raise
            except BaseException:
                line.abandoned()
                raise
            await asyncio.sleep(pause)

    def _limits(self, model: Model) -> Deadline:
        """Return the time limits of one answer."""
        return Deadline(
            first_s=model.timeout_s, idle_s=self._options.idle_s, total_s=max(600.0, model.timeout_s)
        )

    def _pause(self, error: UpstreamError, attempt: int) -> float | None:
        """Return how long to wait before asking again; None where that is of no use."""
        if not error.retry or attempt >= self._options.retries:
            return None
        if error.retry_after_s is not None:
            return error.retry_after_s if error.retry_after_s <= MAX_WAIT_S else None
        return self._options.backoff_s * 2**attempt * self._chance.uniform(0.5, 1.5)

    def _order(self, model: Model) -> Sequence[Route]:
        """Return the routes by priority; among equals, drawn by the providers' weights."""

        def place(route: Route) -> tuple[int, float]:
            provider = self._catalog.provider(route.provider)
            # Efraimidis and Spirakis: sorting by u^(1/w) draws without replacement by weight.
            draw = self._chance.random() ** (1.0 / provider.weight) if provider.weight > 0 else 0.0
            return (provider.priority, -draw)

        return sorted(model.routes, key=place) if len(model.routes) > 1 else model.routes

    def _slot(self, name: str, size: int | None) -> AbstractAsyncContextManager[object]:
        if not size:
            return nullcontext()
        return self._slots.setdefault(name, asyncio.Semaphore(size))


def _now() -> float:
    return asyncio.get_running_loop().time()
