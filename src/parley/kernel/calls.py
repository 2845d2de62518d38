"""Calls: one question to one model, and what is recorded of it."""

from typing import Literal, TypeAlias

import msgspec

from parley.kernel.messages import Message
from parley.kernel.options import NO_OPTIONS, AskOptions
from parley.kernel.passed import Passed

Outcome: TypeAlias = Literal["completed", "failed", "stopped", "refused"]

Payer: TypeAlias = Literal["installation", "person", "workspace"]
"""Whose key a call uses, and so who pays its provider."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One question to one model.

    `purpose` is one word, such as `reply`. `space_id` is None for the owner's own space; `key_id` is the API key by
    which the question came. `mode`, `turn_id` and `reply_id` are None outside a turn; within an ensemble `mode` is the
    ensemble's. `place` is the step within the turn. `blind`: the match is blind, or the ensemble plays in a blind one.
    `judged`: people vote on it. `inner`: the call is made within an ensemble. `author_id`: who asks in a workspace.
    `passed`: a program's own request, which is sent in place of the messages; these are its texts, for estimates.
    `resumed`: the end of the attempt before this one is unknown, because Parley was restarted. `sealed`: it is of a
    sealed session, so nothing of its texts may be kept. The gateway sets whose
    key is used: the `payer`, and the `payer_id` of that person or workspace, empty for the installation.
    """

    owner_id: str
    purpose: str
    model_id: str
    messages: tuple[Message, ...]
    options: AskOptions = NO_OPTIONS
    seat_seed: int = 0
    space_id: str | None = None
    key_id: str | None = None
    mode: str | None = None
    turn_id: str | None = None
    reply_id: str | None = None
    attempt: int = 1
    place: str = ""
    blind: bool = False
    judged: bool = False
    inner: bool = False
    author_id: str | None = None
    passed: Passed | None = None
    resumed: bool = False
    sealed: bool = False
    payer: Payer = "installation"
    payer_id: str = ""

    @property
    def replaceable(self) -> bool:
        """True if a cached answer or the fallback may be used: the reply can say so, and no vote counts it."""
        return self.turn_id is not None and not (self.blind or self.judged or self.inner)


class CallEnded(msgspec.Struct, frozen=True, kw_only=True):
    """One request to a provider, or a call that sent none: a row of the table of calls.

    A row is a request and not a call, since providers bill, fail and answer late request by request: after a retry or a
    failover one call has cost, and says something about, several providers. `call_id` joins the requests of a call, so
    the sum over rows is what was billed, and the number of calls is that of distinct `call_id`.

    A call that sent nothing leaves one row without a provider, tokens and cost: it was refused by Parley (a budget, a
    limit, an ability that the model lacks), stopped while it waited, or answered from the cache or by an ensemble. The
    calls of an ensemble's members have rows of their own.

    `started_at` is in seconds since the epoch; the times count from there, without the wait for a slot. `code` is that
    of the problem if the request `failed` or was `refused`. `cached_tokens` are those of the input that the provider
    had cached. `cost_micros` is None for a model without a price; it is what the `payer` owes: the person or workspace
    with `payer_id`, or the installation.
    """

    call_id: str
    started_at: float
    owner_id: str
    space_id: str
    key_id: str | None
    purpose: str
    mode: str | None
    turn_id: str | None
    reply_id: str | None
    attempt: int
    model_id: str
    provider_id: str | None
    outcome: Outcome
    code: str | None
    first_token_ms: int | None
    duration_ms: int
    input_tokens: int
    output_tokens: int
    reasoning_tokens: int
    cached_tokens: int
    cost_micros: int | None
    estimated: bool
    from_cache: bool
    payer: Payer = "installation"
    payer_id: str = ""
