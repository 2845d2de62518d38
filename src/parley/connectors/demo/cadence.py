"""Cadence: splitting a text into pieces the size of tokens, and when to send each one."""

import random
import re
from collections.abc import Iterator

_PIECE = re.compile(r"[^\S\n]?[^\W_]{1,6}|[^\S\n]?(?:[^\w\s]|_){1,3}|\n+|\s+", re.DOTALL)


def pieces_of(text: str) -> list[str]:
    """Return the pieces of a text; joined they are the text."""
    return _PIECE.findall(text)


def moments(count: int, *, first_s: float, per_second: float, rng: random.Random) -> Iterator[float]:
    """Yield when to send each of `count` pieces, in seconds from the start: uneven, never decreasing."""
    moment = first_s
    for _ in range(count):
        yield moment
        # Servers send in small bursts: some pieces arrive together, after longer pauses.
        moment += rng.choice((0.2, 0.6, 0.9, 1.0, 1.1, 1.3, 1.9)) / per_second
