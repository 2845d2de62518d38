"""Retries: whether a call that failed is made again at the same provider, and when."""

import random
from typing import NamedTuple

from parley.kernel.errors import BrokenOff, Rejected, Unreachable, UpstreamError
from parley.kernel.models import Route

MAX_WAIT_S = 60.0
"""The longest Retry-After that is honoured."""

SHORT_WAIT_S = 10.0
"""The longest Retry-After that is honoured while another provider has the model."""

LOADING = "upstream_loading"


class Retries(NamedTuple):
    """At most so many retries, with pauses that double from `backoff_s`, or that the server names."""

    most: int
    backoff_s: float
    chance: random.Random

    def pause(self, error: UpstreamError, attempt: int, left_s: float) -> float | None:
        """Return the seconds to wait before the next attempt, with `left_s` left; None if there should be none."""
        if not error.retry or attempt >= self.most:
            return None
        pause = error.retry_after_s
        if pause is None:
            pause = self.backoff_s * 2**attempt * self.chance.uniform(0.5, 1.5)
        elif pause > MAX_WAIT_S:
            return None
        return pause if pause < left_s else None


def is_attempt(error: UpstreamError) -> bool:
    """Return whether a failure uses up a retry: one of a server that loads its model does not, within the time."""
    return error.leaf_code != LOADING


def is_better_elsewhere(error: UpstreamError, pause: float) -> bool:
    """Return whether another provider answers sooner than a retry: nothing listens, or the wait is long."""
    off = isinstance(error, Unreachable) and not isinstance(error, BrokenOff)
    return off or not is_attempt(error) or pause > SHORT_WAIT_S


def name_missing(error: UpstreamError, route: Route) -> UpstreamError:
    """Return an error for the health of a provider; one about a missing or forbidden model names it."""
    if error.leaf_code == "upstream_model_not_found":
        title = f"{route.provider} does not have the model {route.model}."
    elif error.leaf_code == "upstream_model_forbidden":
        title = f"{route.provider} refuses the model {route.model}."
    else:
        return error
    return Rejected(title, error.detail, code=error.leaf_code)
