"""Calls: one question to one model, in the forms that connectors and the ledger need."""

import logging

import msgspec

from parley.engine.metering import NOTHING_TAKEN
from parley.kernel.connector import ChatRequest
from parley.kernel.messages import Message
from parley.kernel.models import Route
from parley.kernel.options import NO_OPTIONS, AskOptions
from parley.kernel.ports import Spent
from parley.kernel.views import Metrics

log = logging.getLogger(__name__)


class Call(msgspec.Struct, kw_only=True):
    """One question to one model, and its result.

    `purpose` is one word, such as `reply`. `turn_id` and `reply_id` are None outside a turn. `place` is the step within
    the turn. `blind`: the match is blind, or the ensemble plays in a blind one. `judged`: people vote on it. `inner`:
    the call is made within an ensemble. The gateway fills in the last five: `attached` are the files that the messages
    name, by SHA-256; `received_at` is when the latest chunk arrived, by the loop's clock; `provider_id` answered;
    `answered_by` is the fallback model that answered; `metrics` has the call's times, tokens and cost.
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
    place: str = ""
    blind: bool = False
    judged: bool = False
    inner: bool = False
    attached: dict[str, bytes] = msgspec.field(default_factory=dict[str, bytes])
    received_at: float = 0.0
    provider_id: str | None = None
    answered_by: str | None = None
    metrics: Metrics = NOTHING_TAKEN

    @property
    def replaceable(self) -> bool:
        """Whether a cached answer or the fallback may be used: the reply can say so, and no vote counts it."""
        return self.turn_id is not None and not (self.blind or self.judged or self.inner)

    def request(self, route: Route) -> ChatRequest:
        """Return the question as the connector of a route takes it."""
        return ChatRequest(
            model=route.model,
            messages=self.messages,
            seat_seed=self.seat_seed,
            attached=self.attached,
            **msgspec.structs.asdict(self.options),
        )

    def spent(self, model_id: str, provider_id: str) -> Spent:
        """Return what the ledger records of the call, by its metrics."""
        return Spent(
            owner_id=self.owner_id,
            purpose=self.purpose,
            turn_id=self.turn_id,
            reply_id=self.reply_id,
            attempt=self.attempt,
            model_id=model_id,
            provider_id=provider_id,
            input_tokens=0 if self.metrics.cached else self.metrics.input_tokens,
            output_tokens=0 if self.metrics.cached else self.metrics.output_tokens,
            cost_micros=self.metrics.cost_micros,
            estimated=self.metrics.estimated,
        )

    def log(self, text: str, *arguments: object) -> None:
        """Log a step, unless the call is blind: even the server's log names no model before the vote."""
        if not self.blind:
            log.info(text, *arguments)
