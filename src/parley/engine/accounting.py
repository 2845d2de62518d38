"""Accounting: each call's hold on the budget, its metrics, and its rows in the table of calls."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import NamedTuple, Self

import msgspec

from parley.engine.metering import NOTHING_TAKEN, Meter, expected_use
from parley.engine.needs import need_of
from parley.engine.purse import Purse
from parley.kernel.budget import Budget, Hold, Spent
from parley.kernel.calls import Call, CallEnded, Outcome
from parley.kernel.caps import NOTHING_USED, Used
from parley.kernel.connector import ChatRequest
from parley.kernel.errors import BrokenOff, OverBudget, ParleyError, TooMany
from parley.kernel.ids import ordered_id
from parley.kernel.messages import Message
from parley.kernel.models import Model
from parley.kernel.ports import Calls, Clock
from parley.kernel.views import Metrics

UNFINISHED = BrokenOff("The answer ended before it was complete.", "Ask again, or choose another model.")
"""The error of a stream without a finish reason; its reader gets what arrived, marked as incomplete."""

NOTICED_S = 0.5
"""Seconds that a call waits for a place before its reader is told."""

CONNECTOR_BROKEN = "connector_broken"
"""The code of an error that no connector should raise."""


class CallResult(msgspec.Struct, kw_only=True):
    """The figures of a call, which the gateway sets while it streams the answer.

    `received_at` is when the latest chunk arrived, by the loop's clock. `provider_id` answered, `asked_id` was asked
    last; `answered_by` is the fallback model if that did. `metrics` has the times, tokens and cost, once the call has
    ended. `queued`, if there is one, is called with True when the call has waited a while for a place, and with False
    when it has one. `purse` pays for the call, if it is capped.
    """

    call_id: str = msgspec.field(default_factory=ordered_id)
    received_at: float = 0.0
    provider_id: str | None = None
    asked_id: str | None = None
    answered_by: str | None = None
    metrics: Metrics = NOTHING_TAKEN
    queued: Callable[[bool], None] | None = None
    purse: Purse | None = None


class RequestBegun(NamedTuple):
    """A request that is about to be sent to a provider. Its end is a `CallEnded` with the same `call_id`."""

    call_id: str
    call: Call
    messages: Sequence[Message]
    model: Model | None
    provider_id: str
    meter: Meter


@dataclass(slots=True)
class Accounting:
    """The table of calls, the budget, and the clock that calls begin by. `begun` hears of each request, if set."""

    calls: Calls
    budget: Budget
    clock: Clock
    begun: Callable[[RequestBegun], None] | None = None


class Account:
    """One call to one model, from its beginning to its end: enter it around all of that.

    On exit the metrics are set, the hold is settled, and every request has a row; a call without one has its own.
    `meter` measures the latest request, or the call before it sends one.
    """

    def __init__(self, accounting: Accounting, model: Model | None, call: Call, result: CallResult) -> None:
        """Without a model, the call is about to be refused."""
        self.model = model
        self.call = call
        self.result = result
        self.meter = Meter(_now())
        self._accounting = accounting
        self._begun_at = self.meter.started_at
        self._sent_at: float | None = None
        self._queued_s = 0.0
        self._queued_sent_s = 0.0
        self._started_at = accounting.clock.now()
        self._messages: Sequence[Message] = call.messages
        self._costs: list[int | None] = []
        self._used = NOTHING_USED
        self._images = 0
        self._most: Used | None = None
        self._hold: Hold | None = None

    async def reserve(self, request: ChatRequest) -> ChatRequest:
        """Hold what the call may cost; return the request, within the limit of tokens that is held for it.

        Raises OverBudget.
        """
        self._messages = messages = request.messages
        if self.result.purse is not None:
            most = expected_use(self.model, messages, self.call.options)
            await self.result.purse.hold(most)
            self._most = most
        budget = self._accounting.budget
        if not budget.limits(self.call):
            return request
        self._hold = hold = await budget.reserve(self.call, need_of(self.model, request))
        if hold.output_tokens is None:
            return request
        return msgspec.structs.replace(request, max_output_tokens=hold.output_tokens)

    @asynccontextmanager
    async def queued(
        self, slot: AbstractAsyncContextManager[object], then: Callable[[], Awaitable[None]] | None = None
    ) -> AsyncGenerator[None]:
        """Hold a slot. The wait for it, and for what comes `then`, is measured, and is not the model's time."""
        async with AsyncExitStack() as held:
            may_wait = then is not None or (isinstance(slot, asyncio.Semaphore) and slot.locked())
            begun_at, notice = _now(), _Notice(self.result.queued if may_wait else None)
            try:
                await held.enter_async_context(slot)
                if then is not None:
                    await then()
            finally:
                notice.end()
                self._queued_s += _now() - begun_at
            yield

    @contextmanager
    def request(self, provider_id: str) -> Generator[Meter]:
        """Measure a request to a provider; record it when it ends."""
        meter = self.meter = Meter(_now())
        if self._sent_at is None:
            self._sent_at, self._queued_sent_s = meter.started_at, self._queued_s
        started_at = self._accounting.clock.now()
        if begun := self._accounting.begun:
            of_call = (self.result.call_id, self.call, self._messages, self.model)
            begun(RequestBegun(*of_call, provider_id, meter))
        error: BaseException | None = None
        try:
            yield meter
        except BaseException as raised:
            error = raised
            raise
        finally:
            outcome, code = _end(error, finished=meter.finished)
            self._record(
                provider_id, started_at, meter.read(self._messages, self.model, _now()), outcome, code
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        since = (self._sent_at or self._begun_at) + self._queued_s - self._queued_sent_s
        metrics = self.meter.read(self._messages, self.model, _now(), since=since)
        self.result.metrics = msgspec.structs.replace(
            metrics,
            answered_by=self.result.answered_by,
            queued_ms=round(self._queued_s * 1000) or msgspec.UNSET,
        )
        if not self._costs:
            self._record_unsent(metrics, error)
        if self._most is not None and self.result.purse is not None:
            self.result.purse.settle(self._most, self._used)
        if self._hold is not None:
            spent = None if None in self._costs else sum(cost for cost in self._costs if cost is not None)
            sent, tokens = self._sent_at is not None, self._used.tokens
            used = Spent(micros=spent, tokens=tokens, images=self._images, sent=sent)
            self._accounting.budget.settle(self._hold, used)

    def _record_unsent(self, metrics: Metrics, error: BaseException | None) -> None:
        """Record a call that sent no request: it was refused, stopped, or answered by the cache or an ensemble."""
        outcome, code = _end(error, finished=True)
        is_ensemble = self.model is not None and self.model.kind == "ensemble"
        if outcome == "failed" and (not is_ensemble or isinstance(error, OverBudget | TooMany)):
            outcome = "refused"
        nothing = msgspec.structs.replace(
            NOTHING_TAKEN, ttft_ms=metrics.ttft_ms, duration_ms=metrics.duration_ms, cached=metrics.cached
        )
        self._record(None, self._started_at, nothing, outcome, code)

    def _record(
        self, provider_id: str | None, started_at: float, metrics: Metrics, outcome: Outcome, code: str | None
    ) -> None:
        call, usage = self.call, self.meter.usage if provider_id else None
        self._costs.append(metrics.cost_micros)
        self._images += self.meter.images if provider_id else 0
        tokens = metrics.input_tokens + metrics.output_tokens
        self._used = self._used.plus(Used(tokens=tokens, cost_micros=metrics.cost_micros or 0))
        self._accounting.calls.record(
            CallEnded(
                call_id=self.result.call_id,
                started_at=started_at,
                owner_id=call.owner_id,
                space_id=call.space_id or call.owner_id,
                key_id=call.key_id,
                purpose=call.purpose,
                mode=call.mode,
                turn_id=call.turn_id,
                reply_id=call.reply_id if call.turn_id else None,
                attempt=call.attempt,
                model_id=self.model.id if self.model else call.model_id,
                provider_id=provider_id,
                outcome=outcome,
                code=code,
                first_token_ms=metrics.ttft_ms,
                duration_ms=metrics.duration_ms,
                input_tokens=metrics.input_tokens,
                output_tokens=metrics.output_tokens,
                reasoning_tokens=metrics.reasoning_tokens,
                cached_tokens=usage.cached_tokens if usage else 0,
                cost_micros=metrics.cost_micros,
                estimated=metrics.estimated,
                from_cache=metrics.cached,
                payer=call.payer,
                payer_id=call.payer_id,
            )
        )


class _Notice:
    """Tells the reader of a call that it waits for a place, once that takes longer than a glance."""

    def __init__(self, tell: Callable[[bool], None] | None) -> None:
        self._tell = tell
        self._shown = False
        self._timer = asyncio.get_running_loop().call_later(NOTICED_S, self._begin) if tell else None

    def _begin(self) -> None:
        self._shown = True
        if self._tell:
            self._tell(True)

    def end(self) -> None:
        """Tell that the call waits no more."""
        if self._timer:
            self._timer.cancel()
        if self._shown and self._tell:
            self._tell(False)


def _end(error: BaseException | None, *, finished: bool) -> tuple[Outcome, str | None]:
    """Return how a request ended, and the code of the problem."""
    if error is None:
        return ("completed", None) if finished else ("failed", UNFINISHED.leaf_code)
    if not isinstance(error, Exception):
        return "stopped", None
    return "failed", error.leaf_code if isinstance(error, ParleyError) else CONNECTOR_BROKEN


def _now() -> float:
    return asyncio.get_running_loop().time()
