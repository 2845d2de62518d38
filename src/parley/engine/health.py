"""Health: the latest failure of each provider, without revealing anything about a blind match.

A blind match is void once one of its calls has failed after all retries, so that may be shown. Retried attempts, calls
within ensembles and answers in a blind match would reveal its models before the vote.
"""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Literal

import msgspec

from parley.kernel.errors import Rejected, UpstreamError


class ProviderHealth(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a provider. `failing`: its latest call failed. `paused`: Parley retries it in `retry_in_s` seconds.

    `error` says what failed, `advice` what to do, and `since` when calls started to fail.
    """

    provider: str
    state: Literal["ok", "failing", "paused"]
    error: str | None = None
    advice: str | None = None
    since: str | None = None
    retry_in_s: int | None = None


UNUSABLE = ("upstream_key_rejected", "upstream_model_forbidden", "upstream_model_not_found")
"""Refusals that stay until somebody mends the configuration."""


class _Failing(msgspec.Struct):
    error: UpstreamError
    since: float
    retry_at: float


class Health:
    """The failures of providers since they last answered."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns seconds since the epoch."""
        self._clock = clock
        self._failing: dict[str, _Failing] = {}
        self._hidden: dict[str, list[tuple[str, UpstreamError, int]]] = {}
        """Failures of blind turns that have not ended, by turn."""

    def hide(self, turn_id: str, provider_id: str, error: UpstreamError, retry_in_s: int) -> None:
        """Hold a failure of a blind turn back until `settle`: its match may still be judged after Stop and Retry."""
        self._hidden.setdefault(turn_id, []).append((provider_id, error, retry_in_s))

    def settle(self, turn_id: str, *, void: bool) -> None:
        """End a turn: record its hidden failures if its match is void, else forget them."""
        for failure in self._hidden.pop(turn_id, ()):
            if void:
                self.failed(*failure)

    def failed(self, provider_id: str, error: UpstreamError, retry_in_s: int) -> None:
        """Record a call that failed after all retries; a rejected request is not the provider's fault."""
        if (isinstance(error, Rejected) and error.leaf_code not in UNUSABLE) or error.leaf_code in (
            "upstream_resting",
            "upstream_rate_limited",
        ):
            return
        now = self._clock()
        known = self._failing.get(provider_id)
        self._failing[provider_id] = _Failing(error, known.since if known else now, now + retry_in_s)

    def answered(self, provider_id: str) -> None:
        """Record that a provider answered."""
        self._failing.pop(provider_id, None)

    def read(self, provider_ids: Sequence[str]) -> list[ProviderHealth]:
        """Return the state of providers, in their order."""
        return [self._read(provider_id) for provider_id in provider_ids]

    def _read(self, provider_id: str) -> ProviderHealth:
        if (failing := self._failing.get(provider_id)) is None:
            return ProviderHealth(provider=provider_id, state="ok")
        left = round(failing.retry_at - self._clock())
        return ProviderHealth(
            provider=provider_id,
            state="paused" if left > 0 else "failing",
            error=failing.error.title,
            advice=failing.error.detail,
            since=datetime.fromtimestamp(failing.since, UTC).isoformat(),
            retry_in_s=left if left > 0 else None,
        )
