"""Hygiene: which blind votes are kept but not counted. No rule hits a fast, honest reader."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

IDENTITY_LEAK = "identity_leak"
"""An answer says which model it is, or who made it: it was not blind."""

IDENTITY_QUESTION = "identity_question"
"""A prompt asks which model answers: whoever asks does not judge blind, whatever the answers are."""

TOO_FAST = "too_fast"
"""Nobody could have looked at the replies in the time there was."""

DUPLICATE_PROMPT = "duplicate_prompt"
"""The voter has judged this pair by this question before, or the question has been counted often enough."""

GUEST = "guest"
"""The voter has no account, and this installation counts votes of accounts alone."""

PROMPT_CAP = 100
"""Votes by one question that are counted, over all voters."""

SHORT = 1_000
"""Characters of both replies together below which no vote is too fast: one look tells."""

SPEEDS = ((200, 100.0), (1_000, 500.0))
"""(ms, characters a second): a vote so soon after the end is too fast if the replies had come at more than that speed.

People read about 25 characters a second and skim 60. The time of a hand's reaction is about 200 ms.
"""

GLANCE_MS = 5_000
"""Whoever had the replies before them for so long may have seen enough of them."""


class Reading(NamedTuple):
    """The time that a voter had for reading.

    `read_ms` is since the last turn ended, `seen_ms` since words of both replies could be seen.
    `chars` is the length of both replies of that turn.
    """

    read_ms: int
    seen_ms: int
    chars: int


class Earlier(msgspec.Struct, frozen=True):
    """A counted vote by the same question: who voted, and between which models."""

    voter_id: str
    models: frozenset[str | None]


OPEN, UNRATED = "open", "unrated"
"""A vote that no rating comes from: the models were in sight, or the ballot is not rated."""


def unrated(*, rated: bool, blind: bool) -> str | None:
    """Return why no rating comes from a vote on such a ballot; None where one does."""
    if rated:
        return None
    return UNRATED if blind else OPEN


def too_fast(reading: Reading | None) -> bool:
    """Return whether nobody could have read the replies; False where times are not known."""
    if reading is None or reading.chars < SHORT or reading.seen_ms >= GLANCE_MS:
        return False
    speed = reading.chars * 1000 / max(reading.seen_ms, 1)
    return any(reading.read_ms < soon and speed > fastest for soon, fastest in SPEEDS)


def is_duplicate(voter_id: str, models: frozenset[str | None], earlier: Sequence[Earlier]) -> bool:
    """Return whether a vote on a question says nothing new.

    `earlier` are counted votes on it, up to `PROMPT_CAP`.
    """
    return len(earlier) >= PROMPT_CAP or any(
        vote.voter_id == voter_id and vote.models == models for vote in earlier
    )
