"""The model gateway: the only way to a model, with retries, failover, limits and the ledger."""

import asyncio
import logging
import math
import random
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, contextmanager, nullcontext
from typing import cast

import msgspec

from parley.engine.breaker import Breakers
from parley.engine.deadlines import Deadline
from parley.engine.health import Health
from parley.engine.metering import NOTHING_TAKEN, Meter
from parley.kernel.abilities import check_able
from parley.kernel.connector import ChatRequest, Chunk, Connector
from parley.kernel.errors import NotFound, Rejected, Unreachable, UpstreamError
from parley.kernel.messages import Message, attachments_of
from parley.kernel.models import Model, Provider, Route
from parley.kernel.options import NO_OPTIONS, AskOptions
from parley.kernel.ports import Blobs, Catalog, Ensembles, Ledger, Spent
from parley.kernel.views import Metrics

log = logging.getLogger(__name__)

MAX_WAIT_S = 10.0
"""The longest Retry-After that is honoured."""


class GatewayOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Limits that hold for every call. Seconds."""

    retries: int = 2
    idle_s: float = 30.0
    backoff_s: float = 0.4


class Call(msgspec.Struct, kw_only=True):
    """One question to one model, and what became of it. `purpose` is one word, such as `reply`.

    `turn_id` and `reply_id` are None outside a turn. `inner`: the call is made within an ensemble. The gateway fills in
    the last four: `attached` are the files that the messages name, by SHA-256; `received_at` is when the latest chunk
    arrived, by the loop's clock; `provider_id` answered; `metrics` is what the call took.
    """

    owner_id: str
    purpose: str
    model_id: str
    messages: tuple[Message, ...]
    options: AskOptions = NO_OPTIONS
    seat_seed: int = 0
    turn_id: str | None = None
    reply_id: str | None = None
    attempt: int = 1
    blind: bool = False
    inner: bool = False
    attached: dict[str, bytes] = msgspec.field(default_factory=dict[str, bytes])
    received_at: float = 0.0
    provider_id: str | None = None
    metrics: Metrics = NOTHING_TAKEN


class Gateway:
    """Streams a model's answer from the first provider that gives one, and records what it cost."""

    def __init__(
        self,
        catalog: Catalog,
        connect: Callable[[Provider], Connector],
        options: GatewayOptions,
        ledger: Ledger,
        chance: random.Random | None = None,
        blobs: Blobs | None = None,
    ) -> None:
        """Without `blobs`, messages with pictures or files are refused."""
        self._catalog = catalog
        self._connect = connect
        self._options = options
        self._ledger = ledger
        self._blobs = blobs
        self._ensembles: Ensembles | None = None
        self._chance = chance or random.SystemRandom()
        self._breakers = Breakers()
        self.health = Health()
        self._slots: dict[tuple[str, int], asyncio.Semaphore] = {}
        self._clock: Callable[[], float] = float

    def admit(self, ensembles: Ensembles) -> None:
        """Set who plays ensembles; a setter, since they need the gateway themselves."""
        self._ensembles = ensembles

    def forget(self, provider_id: str) -> None:
        """Forget the failures of a provider: it has changed."""
        self._breakers.forget(provider_id)
        self.health.answered(provider_id)

    def stream(self, call: Call) -> AsyncGenerator[Chunk]:
        """Yield the answer's chunks. The cost is recorded however that ends.

        Raises NotFound, Rejected for what the model cannot do, before any provider is asked; UpstreamError.
        """
        model = self._catalog.model(call.model_id)
        check_able(model, call.messages, call.options)
        return self._ask_ensemble(model, call) if model.kind == "ensemble" else self._ask_model(model, call)

    def is_down(self, model: Model) -> bool:
        """Return whether no provider of a model would be asked now; safe to call from any thread.

        An ensemble is down while every seat of one role is.
        """
        if model.kind == "ensemble":
            return self._is_ensemble_down(model)
        return all(self._breakers.of(route).is_open(self._clock()) for route in model.routes)

    def providers_of(self, model_ids: Sequence[str]) -> set[str | None]:
        """Return the providers that any of the models may be asked at; None stands for those of an ensemble."""
        models = [self._catalog.model(model_id) for model_id in model_ids]
        routes = {route.provider for model in models for route in model.routes}
        return routes | {None for model in models if not model.routes}

    def is_limited(self, model_id: str) -> bool:
        """Return whether a call to a model, or to one within an ensemble, may have to wait for a slot."""
        try:
            model = self._catalog.model(model_id)
            if model.kind == "ensemble":
                seats = self._ensembles.seats(model.id) if self._ensembles else ()
                return any(self.is_limited(seat.model_id) for seat in seats)
            providers = [self._catalog.provider(route.provider) for route in model.routes]
        except NotFound:
            return False
        return bool(model.max_concurrency) or any(provider.max_concurrency for provider in providers)

    def _is_ensemble_down(self, ensemble: Model) -> bool:
        if self._ensembles is None:
            return True
        try:
            seats = self._ensembles.seats(ensemble.id)
            down = {seat.name: self.is_down(self._catalog.model(seat.model_id)) for seat in seats}
        except NotFound:
            return True
        roles = {seat.role for seat in seats}
        return any(all(down[seat.name] for seat in seats if seat.role == role) for role in roles)

    async def _ask_ensemble(self, model: Model, call: Call) -> AsyncGenerator[Chunk]:
        if self._ensembles is None:
            raise Rejected(f"{model.name} is an ensemble, which can't run here.", code="no_ensembles")
        with self._metering(model, call) as meter:
            async with aclosing(self._ensembles.stream(model, call.messages, call.reply_id)) as chunks:
                async for chunk in chunks:
                    call.received_at = _now()
                    meter.take(chunk, call.received_at)
                    yield chunk

    async def _ask_model(self, model: Model, call: Call) -> AsyncGenerator[Chunk]:
        """Ask a model's providers, one after the other, until one answers."""
        with self._metering(model, call) as meter:
            call.attached = await self._attachments(call)
            async with self._slot(f"model:{model.id}", model.max_concurrency):
                failure: UpstreamError | None = None
                failed: list[tuple[Route, UpstreamError]] = []
                for route in self._order(model):
                    chunks = self._ask_provider(model, route, call, meter)
                    try:
                        async with aclosing(chunks):
                            async for chunk in chunks:
                                yield chunk
                        if not (call.blind or call.inner):
                            self.health.answered(route.provider)
                        return
                    except UpstreamError as error:
                        if isinstance(error, Unreachable):
                            error.name(self._place(route))
                        failed.append((route, error))
                        if call.provider_id is not None:
                            self._record_failures(call, failed)
                            raise
                        failure = error
                        _log(call, "%s did not answer at %s: %s", model.id, route.provider, error)
                self._record_failures(call, failed)
                raise failure or Rejected(f"{model.name} has no route to a provider.", code="no_route")

    def _record_failures(self, call: Call, failed: Sequence[tuple[Route, UpstreamError]]) -> None:
        """Record why a call failed for good, unless it is one of several within an ensemble."""
        if call.inner:
            return
        for route, error in failed:
            failure = (route.provider, error, self._breakers.of(route).reopens_in(_now()))
            if call.blind:
                self.health.hide(call.turn_id or "", *failure)
            else:
                self.health.failed(*failure)

    @contextmanager
    def _metering(self, model: Model, call: Call) -> Generator[Meter]:
        """Measure a call; record its cost if a provider answered, even if the answer broke off.

        A call to an ensemble has no provider: the calls within it are recorded.
        """
        meter = Meter(_now())
        try:
            yield meter
        finally:
            answered = call.provider_id is not None or meter.first_at is not None
            call.metrics = meter.read(call.messages, model, _now(), answered=answered)
            if call.provider_id is not None:
                self._ledger.record(_spent(call, call.provider_id))

    async def _ask_provider(
        self, model: Model, route: Route, call: Call, meter: Meter
    ) -> AsyncGenerator[Chunk]:
        """Ask one provider; retry before the first chunk while that may help and time is left.

        The model's `timeout_s` bounds the wait for the first chunk over all attempts, without the wait for a slot.
        """
        provider = self._provider(route)
        clock = self._clock = asyncio.get_running_loop().time
        breaker = self._breakers.of(route)
        request = _request(call, route)
        failure: UpstreamError | None = None
        spent_s = 0.0
        for attempt in range(self._options.retries + 1):
            asked_at = clock()
            if refusal := breaker.refusal(_now()):
                raise failure or refusal
            begun = False
            try:
                async with self._slot(f"provider:{provider.id}", provider.max_concurrency):
                    asked_at = clock()
                    chunks = cast("AsyncGenerator[Chunk]", self._connect(provider).stream(request))
                    async with aclosing(chunks):
                        with self._limits(model, spent_s) as deadline:
                            async for chunk in chunks:
                                deadline.moved = call.received_at = now = clock()
                                meter.take(chunk, now)
                                if not begun:
                                    begun = deadline.begun = True
                                    call.provider_id = provider.id
                                    breaker.reached()
                                yield chunk
                breaker.succeeded()
                return
            except UpstreamError as error:
                breaker.failed(error, _now(), begun=begun)
                failure = error
                spent_s += clock() - asked_at
                pause = self._pause(error, attempt)
                if begun or pause is None or spent_s + pause >= model.timeout_s:
                    raise
                spent_s += pause
                _log(call, "%s at %s: %s Retrying in %.1f s.", model.id, provider.id, error, pause)
            except BaseException:
                breaker.abandoned()
                raise
            await asyncio.sleep(pause)

    async def _attachments(self, call: Call) -> dict[str, bytes]:
        """Return the bytes of a call's pictures and files, by SHA-256. Raises Rejected if one is missing."""
        parts = attachments_of(call.messages)
        if parts and self._blobs is None:
            raise Rejected(
                "This installation doesn't store pictures or files.", "Send text only.", code="no_blobs"
            )
        attached: dict[str, bytes] = {}
        for part in parts:
            try:
                if self._blobs is not None and part.sha256 not in attached:
                    attached[part.sha256] = await self._blobs.read(part.sha256)
            except NotFound:
                raise Rejected(
                    "A picture or file in this conversation is missing.",
                    "Add it again, or ask without it.",
                    code="blob_missing",
                ) from None
        return attached

    def _limits(self, model: Model, spent_s: float) -> Deadline:
        """Return the time limits of one attempt; earlier ones have used up `spent_s`."""
        return Deadline(
            first_s=model.timeout_s,
            idle_s=self._options.idle_s,
            total_s=max(600.0, model.timeout_s),
            spent_s=spent_s,
        )

    def _pause(self, error: UpstreamError, attempt: int) -> float | None:
        """Return how long to wait before the next attempt; None if there should be none."""
        if not error.retry or attempt >= self._options.retries:
            return None
        if error.retry_after_s is not None:
            return error.retry_after_s if error.retry_after_s <= MAX_WAIT_S else None
        return self._options.backoff_s * 2**attempt * self._chance.uniform(0.5, 1.5)

    def _order(self, model: Model) -> Sequence[Route]:
        """Return the routes by priority; equal ones in random order, weighted by provider."""

        def place(route: Route) -> tuple[float, float]:
            try:
                provider = self._catalog.provider(route.provider)
            except NotFound:  # removed since the call began: the last to be asked
                return (math.inf, 0.0)
            # Efraimidis and Spirakis: sorting by u^(1/w) draws without replacement by weight.
            draw = self._chance.random() ** (1.0 / provider.weight) if provider.weight > 0 else 0.0
            return (provider.priority, -draw)

        return sorted(model.routes, key=place) if len(model.routes) > 1 else model.routes

    def _place(self, route: Route) -> str:
        """Return a provider's name and address; its id if it was removed meanwhile."""
        try:
            return self._catalog.provider(route.provider).place
        except NotFound:
            return route.provider

    def _provider(self, route: Route) -> Provider:
        """Return the provider of a route. Raises Rejected if it was removed since the call began."""
        try:
            return self._catalog.provider(route.provider)
        except NotFound:
            raise Rejected(
                f"The provider “{route.provider}” was removed.",
                "Choose another model.",
                code="provider_removed",
            ) from None

    def _slot(self, name: str, size: int | None) -> AbstractAsyncContextManager[object]:
        if not size:
            return nullcontext()
        # The size is a part of the key: it may change while calls hold slots of the size before.
        slots = self._slots.get((name, size))
        if slots is None:
            slots = self._slots[name, size] = asyncio.Semaphore(size)
        return slots


def _log(call: Call, text: str, *arguments: object) -> None:
    """Log a step of a call, unless it is blind: the log of one's own server names nobody before the vote."""
    if not call.blind:
        log.info(text, *arguments)


def _request(call: Call, route: Route) -> ChatRequest:
    return ChatRequest(
        model=route.model,
        messages=call.messages,
        seat_seed=call.seat_seed,
        attached=call.attached,
        **msgspec.structs.asdict(call.options),
    )


def _spent(call: Call, provider_id: str) -> Spent:
    return Spent(
        owner_id=call.owner_id,
        purpose=call.purpose,
        turn_id=call.turn_id,
        reply_id=call.reply_id,
        attempt=call.attempt,
        model_id=call.model_id,
        provider_id=provider_id,
        input_tokens=call.metrics.input_tokens,
        output_tokens=call.metrics.output_tokens,
        cost_micros=call.metrics.cost_micros,
        estimated=call.metrics.estimated,
    )


def _now() -> float:
    return asyncio.get_running_loop().time()
