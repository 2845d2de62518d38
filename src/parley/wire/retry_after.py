"""Reading the Retry-After header (RFC 9110 §10.2.3)."""

import math
from datetime import UTC
from email.utils import parsedate_to_datetime


def parse_retry_after(value: str | None, *, now: float, served: str | None = None) -> float | None:
    """Return how many seconds to wait, never negative; None if the header cannot be used.

    Reads seconds (fractions too) or an HTTP date. A date is compared with `served`, the response's own Date, so that
    the two clocks need not agree; without one, with `now`, in seconds since the epoch.
    """
    if value is None or not (text := value.strip()):
        return None
    try:
        seconds = float(text)
    except ValueError:
        until, since = _moment(text), _moment(served or "")
        return None if until is None else max(until - (now if since is None else since), 0.0)
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def _moment(text: str) -> float | None:
    """Return an HTTP date in seconds since the epoch; None if it is not one."""
    try:
        date = parsedate_to_datetime(text)
        # A date without a zone is UTC: HTTP knows no other.
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
