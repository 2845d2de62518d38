"""The headers that tell a program what rates and allowances leave it, as OpenAI and Anthropic name them."""

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from starlette.requests import Request
from starlette.types import Scope

from parley.engine.clock import WallClock
from parley.kernel.caller import Caller
from parley.kernel.errors import ParleyError
from parley.kernel.parts import Parts
from parley.kernel.rates import CallerQuotas, Quota

log = logging.getLogger(__name__)

_ASKER = "parley.asker"


def remember_asker(request: Request, app: Parts, caller: Caller) -> None:
    """Keep who asks, for the headers of the answer."""
    request.scope[_ASKER] = app, caller


async def quota_headers(scope: Scope, *, anthropic: bool) -> dict[str, str]:
    """Return the headers for an answer to a request that asks a model; none for others, or without limits."""
    asker: tuple[Parts, Caller] | None = scope.get(_ASKER)
    if asker is None:
        return {}
    app, caller = asker
    try:
        quotas = await app[CallerQuotas].of(caller)
    except ParleyError as error:  # the answer itself is fine
        log.warning("could not read what is left for %s: %s", caller, error)
        return {}
    now = datetime.fromtimestamp(app[WallClock].now(), UTC)
    headers: dict[str, str] = {}
    for noun, quota in (("requests", quotas.requests), ("tokens", quotas.tokens)):
        if quota is not None:
            headers |= _as_anthropic(noun, quota, now) if anthropic else _as_openai(noun, quota)
    return headers


def _as_openai(noun: str, quota: Quota) -> Iterator[tuple[str, str]]:
    yield f"x-ratelimit-limit-{noun}", str(quota.limit)
    yield f"x-ratelimit-remaining-{noun}", str(quota.left)
    yield f"x-ratelimit-reset-{noun}", _duration(quota.resets_in_s)


def _as_anthropic(noun: str, quota: Quota, now: datetime) -> Iterator[tuple[str, str]]:
    at = (now + timedelta(seconds=quota.resets_in_s)).strftime("%Y-%m-%dT%H:%M:%SZ")
    yield f"anthropic-ratelimit-{noun}-limit", str(quota.limit)
    yield f"anthropic-ratelimit-{noun}-remaining", str(quota.left)
    yield f"anthropic-ratelimit-{noun}-reset", at


def _duration(seconds: float) -> str:
    """Return a time as OpenAI writes it: “17s”, “6m0s”, “23h59m59s”."""
    whole = max(0, round(seconds))
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    if hours:
        return f"{hours}h{minutes}m{rest}s"
    return f"{minutes}m{rest}s" if minutes else f"{rest}s"
