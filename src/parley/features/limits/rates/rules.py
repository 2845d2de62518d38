"""Rules of rates: questions a minute, and calls at once."""

from typing import Literal, TypeAlias

import msgspec

Who: TypeAlias = Literal["person", "api_key"]


class RateRule(msgspec.Struct, frozen=True):
    """The questions that may be asked in a minute, and the calls of models at once; None is no limit."""

    per_minute: int | None = None
    at_once: int | None = None


NO_RULE = RateRule()


def who_of(has_key: bool) -> Who:
    """Return whose rule a caller falls under."""
    return "api_key" if has_key else "person"
