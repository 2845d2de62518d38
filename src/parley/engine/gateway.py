"""The model gateway: the only way to a model, with retries, failover, limits and a budget."""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import cast

import msgspec

from parley.engine.accounting import UNFINISHED, Account, Accounting, CallResult, RequestBegun
from parley.engine.answer_cache import AnswerCache
from parley.engine.attachments import read_request
from parley.engine.attempts import Attempts, log_step
from parley.engine.clock import WallClock
from parley.engine.demand import Demands
from parley.engine.fallback import find_fallback
from parley.engine.health import Health
from parley.engine.impossible import no_ensembles, no_route
from parley.engine.limits import Rates, Slots
from parley.engine.metering import NOTHING_TAKEN
from parley.engine.moderation import MODERATION, ChunkT, check_call, checked, checks_answer
from parley.engine.own_key import Payments, is_of_own_key
from parley.engine.retries import Retries, name_missing
from parley.engine.routing import Routing
from parley.engine.served_slots import ServedSlots
from parley.kernel.abilities import check_able
from parley.kernel.budget import Budget, NoLimits
from parley.kernel.caller import Caller
from parley.kernel.calls import Call
from parley.kernel.connector import Chunk, Connector, Piece
from parley.kernel.errors import NotFound, ParleyError, Unreachable, UpstreamError
from parley.kernel.messages import fingerprint
from parley.kernel.models import Model, Provider, Route
from parley.kernel.moderation import Held, Moderator, NoRules
from parley.kernel.passed import Endpoint
from parley.kernel.ports import AnswerStore, Blobs, Calls, Catalog, Clock, Ensembles


class GatewayOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Limits and settings for every call, in seconds. `region`: its providers come first within their priority.

    `asks_servers`: how many calls at once a server takes is asked of it where nobody has set `max_concurrency`.
    """

    retries: int = 2
    idle_s: float = 30.0
    backoff_s: float = 0.4
    region: str | None = None
    asks_servers: bool = False


class Gateway:
    """Streams a model's answer from the first provider that gives one, within the budget, and records the call."""

    def __init__(
        self,
        catalog: Catalog,
        connect: Callable[[Provider], Connector],
        options: GatewayOptions,
        calls: Calls,
        chance: random.Random | None = None,
        blobs: Blobs | None = None,
        answers: AnswerStore | None = None,
        budget: Budget | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Without `blobs`, pictures and files are refused; without `answers`, nothing is cached."""
        self._catalog = catalog
        self._accounting = Accounting(calls, budget or NoLimits(), clock or WallClock())
        self.blobs = blobs
        self.moderator: Moderator = NoRules()
        self._ensembles: Ensembles | None = None
        chance = chance or random.SystemRandom()
        self._cache = AnswerCache(answers, catalog) if answers else None
        self.health = Health()
        self.served = ServedSlots(catalog, connect, asks=options.asks_servers)
        self.demands = Demands(catalog, self.served.pool)
        self._slots = Slots(self.served.pool)
        rates = Rates(catalog)
        self._routing = Routing(catalog, self._slots, rates, chance, options.region)
        retries = Retries(options.retries, options.backoff_s, chance)
        self.payments = Payments(catalog)
        self._attempts = Attempts(
            catalog, connect, self._routing, self._slots, rates, retries, options.idle_s, self.payments
        )

    def admit(self, ensembles: Ensembles) -> None:
        """Set who plays ensembles; a setter, since they need the gateway themselves."""
        self._ensembles = self.demands.ensembles = ensembles

    def follow(self, begun: Callable[[RequestBegun], None]) -> None:
        """Call a function before each request to a provider; it must be quick."""
        self._accounting.begun = begun

    def forget(self, provider_id: str) -> None:
        """Forget the failures of a provider: it has changed."""
        self._routing.breakers.forget(provider_id)
        self.health.answered(provider_id)

    def settle(self, turn_id: str, *, void: bool) -> None:
        """End a turn: what its failures tell is visible from now on, if its match is void."""
        self.health.settle(turn_id, void=void)
        self._routing.breakers.settle(turn_id, self._attempts.clock(), void=void)

    async def forget_answers(self, owner_id: str) -> None:
        """Delete a person's stored answers."""
        if self._cache is not None:
            await self._cache.forget(owner_id)

    def stream(self, call: Call, result: CallResult | None = None) -> AsyncGenerator[Chunk]:
        """Yield the answer's chunks, and set the result. The call is recorded and its hold settled however that ends.

        Raises NotFound, Rejected for what the model cannot do, OverBudget, Held, before any provider is asked; Held for
        an answer that a rule holds; UpstreamError.
        """
        result = result or CallResult()
        if self._is_moderated(call):
            return self._moderated(call, result, self._answer)
        return self._answer(call, result)

    def _answer(self, call: Call, result: CallResult) -> AsyncGenerator[Chunk]:
        model = self._able_model(call, result)
        if model.kind == "ensemble":
            return self._ask_ensemble(model, call, result)
        falls_back = model.fallback is not None and call.replaceable
        ask = self._ask_or_fall_back if falls_back else self._ask_model
        chunks = ask(model, call, result)
        key = self._cache.key(model, call) if self._cache else None
        return self._ask_or_recall(model, call, result, key, chunks) if key else chunks

    def passes_on(self, model: Model, endpoint: Endpoint) -> bool:
        """Return whether a program's request to a model can go to every provider of it as it is."""
        return self._attempts.passes_on(model, endpoint)

    def pass_on(self, call: Call, result: CallResult) -> AsyncGenerator[Piece]:
        """Yield the pieces of the answer to a call that has `passed`; otherwise like `stream`."""
        if self._is_moderated(call):
            return self._moderated(call, result, self._pass_on)
        return self._pass_on(call, result)

    def _pass_on(self, call: Call, result: CallResult) -> AsyncGenerator[Piece]:
        pieces = self._ask_model(self._able_model(call, result), call, result)
        return cast("AsyncGenerator[Piece]", pieces)

    def _is_moderated(self, call: Call) -> bool:
        watches = self.moderator.watches
        return (watches("prompt") or watches("reply")) and call.purpose != MODERATION

    async def _moderated(
        self, call: Call, result: CallResult, answer: Callable[[Call, CallResult], AsyncGenerator[ChunkT]]
    ) -> AsyncGenerator[ChunkT]:
        """Yield an answer as far as the rules let its question and itself pass; record the refusal of a question."""
        try:
            await check_call(self.moderator, self.blobs, call)
        except Held:
            with Account(self._accounting, None, call, result):
                raise
        chunks = answer(call, result)
        if checks_answer(self.moderator, call):
            chunks = checked(self.moderator, call, chunks)
        async with aclosing(chunks):
            async for chunk in chunks:
                yield chunk

    def model(self, model_id: str) -> Model:
        """Return an entry of the catalog. Raises NotFound."""
        return self._catalog.model(model_id)

    def draws(self, model_id: str) -> bool:
        """Return whether a model answers with pictures alone; False for one that is gone."""
        try:
            return self._catalog.model(model_id).draws
        except NotFound:
            return False

    def is_down(self, model: Model) -> bool:
        """Return whether nobody would be asked now, or nobody for a role of an ensemble; safe in any thread."""
        if model.kind == "ensemble":
            return self._is_ensemble_down(model)
        return not any(self._routing.is_up(route, self._attempts.clock()) for route in model.routes)

    def may_ask(self, model: Model, caller: Caller) -> bool:
        """Return whether a key opens a model for the caller, where they are."""
        return self.payments.may_ask(model, caller.author_id, caller.space_id, self._ensembles)

    def providers_of(self, model_ids: Sequence[str]) -> set[str | None]:
        """Return the providers that any of the models may be asked at; None stands for those of an ensemble."""
        models = [self._catalog.model(model_id) for model_id in model_ids]
        routes = {route.provider for model in models for route in model.routes}
        return routes | {None for model in models if not model.routes}

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

    def _able_model(self, call: Call, result: CallResult) -> Model:
        """Return the model of a call that it can answer; record the refusal of one that it can't."""
        try:
            model = self._catalog.model(call.model_id)
            check_able(model, call.messages, call.options)
        except ParleyError:
            with Account(self._accounting, None, call, result):
                raise
        return model

    async def _ask_ensemble(self, model: Model, call: Call, result: CallResult) -> AsyncGenerator[Chunk]:
        """Let an ensemble answer; the calls of its members reserve and cost, its own does neither."""
        with Account(self._accounting, model, call, result) as account:
            if self._ensembles is None:
                raise no_ensembles(model)
            key = fingerprint(call.messages, call.options)
            messages = (await read_request(self.blobs, call, model)).messages
            chunks = self._ensembles.stream(model, messages, call, key=key)
            async with aclosing(chunks):
                async for chunk in chunks:
                    result.received_at = _now()
                    account.meter.take(chunk, result.received_at)
                    yield chunk

    async def _ask_or_recall(
        self, model: Model, call: Call, result: CallResult, key: str, chunks: AsyncGenerator[Chunk]
    ) -> AsyncGenerator[Chunk]:
        """Yield the cached answer, except for a retry; else yield a new one and store it."""
        cache = cast("AnswerCache", self._cache)
        known = await cache.read(key) if call.attempt == 1 else None
        if known is not None:
            with Account(self._accounting, model, call, result) as account:
                account.meter.cached = True
                for chunk in known:
                    result.received_at = _now()
                    account.meter.take(chunk, result.received_at)
                    yield chunk
            return
        answer_chunks: list[Chunk] = []
        async with aclosing(chunks):
            async for chunk in chunks:
                answer_chunks.append(chunk)
                yield chunk
        if result.answered_by is None:
            await cache.store(key, answer_chunks, model)

    async def _ask_or_fall_back(self, model: Model, call: Call, result: CallResult) -> AsyncGenerator[Chunk]:
        """Ask a model, and its fallback if it fails before its first chunk. Raises the error of the model."""
        try:
            async with aclosing(self._ask_model(model, call, result)) as chunks:
                async for chunk in chunks:
                    yield chunk
            return
        except UpstreamError as error:
            failure = error
            other = find_fallback(self._catalog, model, call) if result.provider_id is None else None
            if other is None or is_of_own_key(error):
                raise
        log_step(call, "%s is not responding, so %s is asked instead: %s", model.id, other.id, failure)
        result.answered_by = other.id
        try:
            async with aclosing(self._ask_model(other, call, result)) as chunks:
                async for chunk in chunks:
                    yield chunk
        except UpstreamError:
            if result.provider_id is not None:
                raise
            result.answered_by, result.metrics = None, NOTHING_TAKEN
            raise failure from None

    async def _ask_model(self, model: Model, call: Call, result: CallResult) -> AsyncGenerator[Chunk]:
        """Ask a model's providers, one after the other, until one answers."""
        with Account(self._accounting, model, call, result) as account:
            call, model = self.payments.pay(call, model)
            account.call = call
            question = await read_request(self.blobs, call, model)
            question = await account.reserve(question)
            async with account.queued(self._slots.of_model(model)):
                failed: dict[Route, UpstreamError] = {}
                while (
                    route := self._routing.choose(
                        model, failed, _now(), blind=call.blind, payer_id=call.payer_id
                    )
                ) is not None:
                    result.asked_id = route.provider
                    request = msgspec.structs.replace(question, model=route.model)
                    chunks = self._attempts.ask(model, route, account, request, failed)
                    try:
                        async with aclosing(chunks):
                            async for chunk in chunks:
                                yield chunk
                        if not account.meter.finished:
                            self._record_failures(call, {route: UNFINISHED})
                        elif not (call.blind or call.inner or call.payer_id):
                            self.health.answered(route.provider)
                        return
                    except UpstreamError as error:
                        if isinstance(error, Unreachable):
                            error.name(self._place(route))
                        failed[route] = error
                        if result.provider_id is not None:
                            break
                        log_step(call, "%s did not answer at %s: %s", model.id, route.provider, error)
                self._record_failures(call, failed)
                raise _last(failed) or no_route(model)

    def _record_failures(self, call: Call, failed: Mapping[Route, UpstreamError]) -> None:
        """Record why a call failed after all retries.

        Not one of several within an ensemble, nor one with a key of somebody's own.
        """
        if call.inner or call.payer_id:
            return
        for route, error in failed.items():
            failure = (
                route.provider,
                name_missing(error, route),
                self._routing.breakers.of(route).reopens_in(_now()),
            )
            if call.blind:
                self.health.hide(call.turn_id or "", *failure)
            else:
                self.health.failed(*failure)

    def _place(self, route: Route) -> str:
        """Return a provider's name and address; its id if it was removed meanwhile."""
        try:
            return self._catalog.provider(route.provider).place
        except NotFound:
            return route.provider


def _last(failed: Mapping[Route, UpstreamError]) -> UpstreamError | None:
    return next(reversed(list(failed.values())), None)


def _now() -> float:
    return asyncio.get_running_loop().time()
