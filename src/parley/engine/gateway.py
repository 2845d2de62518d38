"""The model gateway: the only way to a model, with retries, failover, limits and the ledger."""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Collection, Generator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from typing import cast

import msgspec

from parley.engine.answer_cache import AnswerCache
from parley.engine.attachments import read_attachments, write_out
from parley.engine.calls import Call
from parley.engine.deadlines import Deadline
from parley.engine.fallback import find_fallback
from parley.engine.health import Health
from parley.engine.impossible import no_ensembles, no_route, provider_removed
from parley.engine.limits import Rates, Slots
from parley.engine.metering import NOTHING_TAKEN, Meter
from parley.engine.routing import Routing
from parley.kernel.abilities import check_able
from parley.kernel.connector import ChatRequest, Chunk, Connector
from parley.kernel.errors import BrokenOff, NotFound, Unreachable, UpstreamError
from parley.kernel.messages import fingerprint
from parley.kernel.models import Model, Provider, Route
from parley.kernel.ports import FROM_CACHE, Answers, Blobs, Catalog, Ensembles, Ledger

MAX_WAIT_S = 10.0
"""The longest Retry-After that is honoured."""

UNFINISHED = BrokenOff("The answer ended before it was complete.", "Ask again, or choose another model.")
"""What a stream without a finish reason counts as; its reader gets what arrived, marked as incomplete."""


class GatewayOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Limits and settings for every call, in seconds. `region`: its providers come first within their priority."""

    retries: int = 2
    idle_s: float = 30.0
    backoff_s: float = 0.4
    region: str | None = None


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
        answers: Answers | None = None,
    ) -> None:
        """Without `blobs`, messages with pictures or files are refused; without `answers`, nothing is cached."""
        self._catalog = catalog
        self._connect = connect
        self._options = options
        self._ledger = ledger
        self._blobs = blobs
        self._ensembles: Ensembles | None = None
        self._chance = chance or random.SystemRandom()
        self._cache = AnswerCache(answers, catalog) if answers else None
        self.health = Health()
        self._slots = Slots()
        self._rates = Rates(catalog)
        self._routing = Routing(catalog, self._slots, self._rates, self._chance, options.region)
        self._clock: Callable[[], float] = float

    def admit(self, ensembles: Ensembles) -> None:
        """Set who plays ensembles; a setter, since they need the gateway themselves."""
        self._ensembles = ensembles

    def forget(self, provider_id: str) -> None:
        """Forget the failures of a provider: it has changed."""
        self._routing.breakers.forget(provider_id)
        self.health.answered(provider_id)

    def stream(self, call: Call) -> AsyncGenerator[Chunk]:
        """Yield the answer's chunks. The cost is recorded however that ends.

        Raises NotFound, Rejected for what the model cannot do, before any provider is asked; UpstreamError.
        """
        model = self._catalog.model(call.model_id)
        check_able(model, call.messages, call.options)
        if model.kind == "ensemble":
            return self._ask_ensemble(model, call)
        falls_back = model.fallback is not None and call.replaceable
        chunks = self._ask_or_fall_back(model, call) if falls_back else self._ask_model(model, call)
        key = self._cache.key(model, call) if self._cache else None
        return self._ask_or_recall(model, call, key, chunks) if key else chunks

    def is_down(self, model: Model) -> bool:
        """Return whether nobody would be asked now, or nobody for a role of an ensemble; safe in any thread."""
        if model.kind == "ensemble":
            return self._is_ensemble_down(model)
        return not any(self._routing.is_up(route, self._clock()) for route in model.routes)

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
            raise no_ensembles(model)
        with self._metering(model, call) as meter:
            asked = fingerprint(call.messages)
            await self._attach(call)
            chunks = self._ensembles.stream(model, call.messages, call.reply_id, asked)
            async with aclosing(chunks):
                async for chunk in chunks:
                    call.received_at = _now()
                    meter.take(chunk, call.received_at)
                    yield chunk

    async def _ask_or_recall(
        self, model: Model, call: Call, key: str, chunks: AsyncGenerator[Chunk]
    ) -> AsyncGenerator[Chunk]:
        """Yield the cached answer, except for a retry; else yield a new one and store it."""
        cache = cast("AnswerCache", self._cache)
        known = await cache.read(key) if call.attempt == 1 else None
        if known is not None:
            with self._metering(model, call) as meter:
                meter.cached = True
                call.provider_id = FROM_CACHE
                for chunk in known:
                    call.received_at = _now()
                    meter.take(chunk, call.received_at)
                    yield chunk
            return
        said: list[Chunk] = []
        async with aclosing(chunks):
            async for chunk in chunks:
                said.append(chunk)
                yield chunk
        if call.answered_by is None:
            await cache.store(key, said, model)

    async def _ask_or_fall_back(self, model: Model, call: Call) -> AsyncGenerator[Chunk]:
        """Ask a model, and its fallback if it fails before its first chunk. Raises the error of the model."""
        try:
            async with aclosing(self._ask_model(model, call)) as chunks:
                async for chunk in chunks:
                    yield chunk
            return
        except UpstreamError as error:
            failure = error
            other = find_fallback(self._catalog, model, call) if call.provider_id is None else None
            if other is None:
                raise
        call.log("%s is not responding, so %s is asked instead: %s", model.id, other.id, failure)
        call.answered_by = other.id
        try:
            async with aclosing(self._ask_model(other, call)) as chunks:
                async for chunk in chunks:
                    yield chunk
        except UpstreamError:
            if call.provider_id is not None:
                raise
            call.answered_by, call.metrics = None, NOTHING_TAKEN
            raise failure from None

    async def _ask_model(self, model: Model, call: Call) -> AsyncGenerator[Chunk]:
        """Ask a model's providers, one after the other, until one answers."""
        with self._metering(model, call) as meter:
            await self._attach(call)
            async with self._slots.of_model(model.id, model.max_concurrency):
                failed: dict[Route, UpstreamError] = {}
                while (route := self._routing.choose(model, failed, _now(), blind=call.blind)) is not None:
                    chunks = self._ask_provider(model, route, call, meter, failed)
                    try:
                        async with aclosing(chunks):
                            async for chunk in chunks:
                                yield chunk
                        if not meter.finished:
                            self._record_failures(call, {route: UNFINISHED})
                        elif not (call.blind or call.inner):
                            self.health.answered(route.provider)
                        return
                    except UpstreamError as error:
                        if isinstance(error, Unreachable):
                            error.name(self._place(route))
                        failed[route] = error
                        if call.provider_id is not None:
                            break
                        call.log("%s did not answer at %s: %s", model.id, route.provider, error)
                self._record_failures(call, failed)
                raise _last(failed) or no_route(model)

    async def _attach(self, call: Call) -> None:
        """Read a call's pictures and files, and write out the text files. Raises Rejected if one is missing."""
        call.attached = await read_attachments(self._blobs, call.messages)
        call.messages = write_out(call.messages, call.attached)

    def _record_failures(self, call: Call, failed: Mapping[Route, UpstreamError]) -> None:
        """Record why a call failed after all retries, unless it is one of several within an ensemble."""
        if call.inner:
            return
        for route, error in failed.items():
            failure = (route.provider, error, self._routing.breakers.of(route).reopens_in(_now()))
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
            read = meter.read(call.messages, model, _now(), answered=answered)
            call.metrics = msgspec.structs.replace(read, answered_by=call.answered_by)
            if call.provider_id is not None:
                self._ledger.record(call.spent(model.id, call.provider_id))

    async def _ask_provider(
        self, model: Model, route: Route, call: Call, meter: Meter, failed: Collection[Route]
    ) -> AsyncGenerator[Chunk]:
        """Ask one provider; retry before the first chunk while that may help and time is left."""
        provider = self._provider(route)
        clock = self._clock = asyncio.get_running_loop().time
        breaker, load = self._routing.breakers.of(route), self._routing.load(route, blind=call.blind)
        failure: UpstreamError | None = None
        spent_s = 0.0
        for attempt in range(self._options.retries + 1):
            asked_at = clock()
            if refusal := breaker.refusal(asked_at):
                raise failure or refusal
            begun = False
            try:
                async with load, self._slots.of_provider(provider):
                    await self._rates.take(provider, blind=call.blind)
                    asked_at = clock()
                    async with aclosing(self._open(provider, call.request(route))) as chunks:
                        with self._limits(model, spent_s) as deadline:
                            async for chunk in chunks:
                                deadline.moved = call.received_at = now = clock()
                                meter.take(chunk, now)
                                if not begun:
                                    begun = deadline.begin()
                                    call.provider_id = provider.id
                                    load.began(now - asked_at)
                                    breaker.reached()
                                yield chunk
                breaker.ended(None if meter.finished else UNFINISHED, clock())
                return
            except UpstreamError as error:
                breaker.failed(error, clock(), begun=begun)
                failure = error
                spent_s += clock() - asked_at
                pause = None if begun else self._pause(error, attempt, model.timeout_s - spent_s)
                if pause is None or (_is_off(error) and self._routing.has_other(model, (*failed, route))):
                    raise
                spent_s += pause
                call.log("%s at %s: %s Retrying in %.1f s.", model.id, provider.id, error, pause)
            except BaseException:
                breaker.abandoned()
                raise
            await asyncio.sleep(pause)

    def _open(self, provider: Provider, request: ChatRequest) -> AsyncGenerator[Chunk]:
        return cast("AsyncGenerator[Chunk]", self._connect(provider).stream(request))

    def _limits(self, model: Model, spent_s: float) -> Deadline:
        """Return the time limits of one attempt; earlier ones have used up `spent_s`.

        The model's `timeout_s` bounds the wait for the first chunk over all attempts, without the wait for a slot.
        """
        return Deadline(
            first_s=model.timeout_s,
            idle_s=self._options.idle_s,
            total_s=max(600.0, model.timeout_s),
            spent_s=spent_s,
        )

    def _pause(self, error: UpstreamError, attempt: int, left_s: float) -> float | None:
        """Return how long to wait before the next attempt; None if there should be none."""
        if not error.retry or attempt >= self._options.retries:
            return None
        pause = error.retry_after_s
        if pause is None:
            pause = self._options.backoff_s * 2**attempt * self._chance.uniform(0.5, 1.5)
        elif pause > MAX_WAIT_S:
            return None
        return pause if pause < left_s else None

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
            raise provider_removed(route.provider) from None


def _is_off(error: UpstreamError) -> bool:
    """Return whether no connection could be made: another route answers sooner than another attempt."""
    return isinstance(error, Unreachable) and not isinstance(error, BrokenOff)


def _last(failed: Mapping[Route, UpstreamError]) -> UpstreamError | None:
    return next(reversed(list(failed.values())), None)


def _now() -> float:
    return asyncio.get_running_loop().time()
