"""Reading the Retry-After header (RFC 9110 §10.2.3)."""

import math
from datetime import UTC
from email.utils import parsedate_to_datetime


def parse_retry_after(value: str | None, *, now: float) -> float | None:
    """Return how many seconds to wait, never negative; None where the header says nothing of use.

    Takes seconds (fractions too) or an HTTP date; `now` is in seconds since the epoch.
    """
    if value is None or not (text := value.strip()):
        return None
    try:
        seconds = float(text)
    except ValueError:
        return _seconds_until(text, now)
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def _seconds_until(text: str, now: float) -> float | None:
    try:
        date = parsedate_to_datetime(text)
        # A date without a zone is UTC: HTTP knows no other.
        moment = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
    return max(moment - now, 0.0)
