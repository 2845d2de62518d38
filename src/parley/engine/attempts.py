"""Attempts: one provider is asked, again while that may help, before the first chunk."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import aclosing
from functools import partial
from typing import Literal

from parley.engine.accounting import UNFINISHED, Account, CallResult
from parley.engine.breaker import RouteBreaker
from parley.engine.deadlines import Deadline
from parley.engine.impossible import provider_removed
from parley.engine.limits import Rates, Slots
from parley.engine.opening import open_call, passes_on
from parley.engine.own_key import Payments, about_own_key
from parley.engine.retries import Retries, is_attempt, is_better_elsewhere
from parley.engine.routing import Load, Routing
from parley.kernel.calls import Call
from parley.kernel.connector import ChatRequest, Chunk, Connector, Progress
from parley.kernel.errors import NotFound, UpstreamError
from parley.kernel.models import Model, Provider, Route
from parley.kernel.passed import Endpoint
from parley.kernel.ports import Catalog

log = logging.getLogger(__name__)


class Attempts:
    """Asks one provider of a model, within its slots, its rates, its breaker and the model's time limits."""

    def __init__(
        self,
        catalog: Catalog,
        connect: Callable[[Provider], Connector],
        routing: Routing,
        slots: Slots,
        rates: Rates,
        retries: Retries,
        idle_s: float,
        payments: Payments,
    ) -> None:
        """`idle_s`: the seconds within which a chunk must follow another."""
        self._catalog = catalog
        self._connect = connect
        self._routing = routing
        self._breakers = routing.breakers
        self._slots = slots
        self._rates = rates
        self._retries = retries
        self._idle_s = idle_s
        self._payments = payments
        # The running loop's, which other threads read too.
        self.clock: Callable[[], float] = float

    async def ask(
        self, model: Model, route: Route, account: Account, request: ChatRequest, failed: Collection[Route]
    ) -> AsyncGenerator[Chunk]:
        """Ask one provider; retry before the first chunk while that may help and time is left."""
        provider, call, result = self._provider(route), account.call, account.result
        clock = self.clock = asyncio.get_running_loop().time
        breaker, load = self._breakers.of(route, call.payer_id), self._routing.load(route, blind=call.blind)
        failure, spent_s, attempt = None, 0.0, 0
        while await breaker.probed():
            if refusal := breaker.refusal(asked_at := clock()):
                raise failure or refusal
            begun = False
            try:
                place = account.queued(self._slots.of_provider(provider), self._rate(provider, call))
                async with load, place:
                    asked_at = clock()
                    with account.request(provider.id) as meter:
                        async with aclosing(self._open(provider, model, request, call)) as chunks:
                            with self._deadline(model, spent_s, request) as deadline:
                                async for chunk in chunks:
                                    if not begun and isinstance(chunk, Progress) and chunk.phase:
                                        yield chunk  # its Job starts: nothing of the answer is there
                                        continue
                                    result.received_at = now = clock()
                                    deadline.move(now, chunk)
                                    meter.take(chunk, now)
                                    begun = begun or _begin(provider, result, load, breaker, now - asked_at)
                                    yield chunk
                breaker.ended(None if meter.finished else UNFINISHED, clock())
                return
            except UpstreamError as raised:
                error = about_own_key(raised, provider, call)
                breaker.failed(error, clock(), begun=begun)
                self._breakers.exclude(route, error, clock(), call)
                failure, spent_s = error, spent_s + clock() - asked_at
                pause = None if begun else self._pause(error, attempt, model, spent_s, (*failed, route), call)
                if pause is None:
                    raise error from None
                attempt, spent_s = attempt + is_attempt(error), spent_s + pause
                log_step(call, "%s at %s: %s Retrying in %.1f s.", model.id, provider.id, error, pause)
            except BaseException:
                breaker.abandoned()
                raise
            await asyncio.sleep(pause)

    def _open(
        self, provider: Provider, model: Model, request: ChatRequest, call: Call
    ) -> AsyncGenerator[Chunk]:
        return open_call(self._connect(self._payments.opened(provider, call)), model, request, call)

    def _pause(
        self,
        error: UpstreamError,
        attempt: int,
        model: Model,
        spent_s: float,
        tried: Collection[Route],
        call: Call,
    ) -> float | None:
        """Return the seconds to wait before the next attempt; None if there is none, or better elsewhere."""
        pause = self._retries.pause(error, attempt, model.timeout_s - spent_s)
        if pause is None or not self._routing.has_other(model, tried, call.payer_id):
            return pause
        return None if is_better_elsewhere(error, pause) else pause

    def _rate(self, provider: Provider, call: Call) -> Callable[[], Awaitable[None]] | None:
        """Return the wait for a request of the minute; None if there is nothing to wait for."""
        limited = call.blind or provider.max_per_minute
        return partial(self._rates.take, provider, blind=call.blind) if limited else None

    def passes_on(self, model: Model, endpoint: Endpoint) -> bool:
        """Return whether every provider of a model takes a program's request as it is."""
        return passes_on(self._catalog, self._connect, model, endpoint)

    def _deadline(self, model: Model, spent_s: float, request: ChatRequest) -> Deadline:
        """Return the time limits of one attempt; earlier ones have used up `spent_s`.

        The model's `timeout_s` bounds the wait for the first chunk over all attempts, without the wait for a slot.
        An answer that is passed on in one piece has only the time limit of the whole.
        """
        total_s = max(600.0, model.timeout_s)
        return Deadline(
            first_s=total_s if request.passed and not request.passed.stream else model.timeout_s,
            idle_s=max(self._idle_s, model.timeout_s) if model.draws else self._idle_s,
            total_s=total_s,
            spent_s=spent_s,
        )

    def _provider(self, route: Route) -> Provider:
        """Return the provider of a route. Raises Rejected if it was removed since the call began."""
        try:
            return self._catalog.provider(route.provider)
        except NotFound:
            raise provider_removed(route.provider) from None


def _begin(
    provider: Provider, result: CallResult, load: Load, breaker: RouteBreaker, after_s: float
) -> Literal[True]:
    """Note that the answer of a provider has begun."""
    result.provider_id = provider.id
    load.began(after_s)
    breaker.reached()
    return True


def log_step(call: Call, text: str, *arguments: object) -> None:
    """Log a step, unless the call is blind or sealed.

    Even the server's log names no model before the vote, and a provider's error may quote what was asked.
    """
    if not (call.blind or call.sealed):
        log.info(text, *arguments)
