"""Checks of single values in a row; each raises ValueError with what is wrong, to follow the column's name."""

import math
import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from typing import Any, TypeVar, cast

from parley.features.vote_files.columns import FileRow
from parley.kernel.ballot import MAX_REASON_CHARS
from parley.kernel.request import storable
from parley.text.categories.ids import PAGES

T = TypeVar("T")

CATEGORIES_MAX = 40
TEXT_CHARS = 200
EARLIEST, LATEST = 0.0, 4_102_444_800.0
"""Times of votes: 1970 to 2100."""

RECENT = 946_684_800.0
"""The year 2000: a number is taken for a smaller unit than seconds only where that gives a time since then."""

SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_FLAGS = {
    **dict.fromkeys(("true", "1", "1.0", "wahr", "vrai", "verdadero", "vero", "prawda", "истина"), True),
    **dict.fromkeys(("false", "0", "0.0", "falsch", "faux", "falso", "fałsz", "ложь"), False),
}
"""Booleans, also as Excel writes them in other languages."""
_COMMA = re.compile(r"-?\d+,\d+")


class BadRow(ValueError):
    """A row that is not a valid vote; `field` names the column."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field} {why}")
        self.field, self.why = field, why


def read(row: FileRow, column: str, check: Callable[[object], T]) -> T | None:
    """Return a column's checked value; None for an empty one. Raises BadRow."""
    value = row.get(column)
    if value is None or value == "":
        return None
    try:
        return check(value)
    except ValueError as error:
        raise BadRow(column, str(error)) from None


def short_text(value: object) -> str:
    """Return a short printable text, or a whole number as text."""
    if not isinstance(value, str) and (isinstance(value, bool) or not isinstance(value, int)):
        raise ValueError("is not text")
    text = str(value)
    if len(text) > TEXT_CHARS or not text.isprintable():
        raise ValueError(f"is longer than {TEXT_CHARS} characters, or has characters that can't be printed")
    return text


def comment(value: object) -> str:
    """Return a voter's reason."""
    if not isinstance(value, str) or len(value) > MAX_REASON_CHARS:
        raise ValueError(f"is not a text of at most {MAX_REASON_CHARS:,} characters")
    return str(storable(value))


def flag(value: object) -> bool:
    """Return a boolean, also from its text in CSV."""
    parsed = value if isinstance(value, bool) else _FLAGS.get(str(value).lower())
    if parsed is None:
        raise ValueError("is not true or false")
    return parsed


def word(pattern: re.Pattern[str], why: str) -> Callable[[object], str]:
    """Return a check for texts of a pattern."""

    def check(value: object) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError(why)
        return value

    return check


def number(least: float, most: float) -> Callable[[object], float]:
    """Return a check for numbers in a range, also from their text in CSV."""

    def check(value: object) -> float:
        try:
            parsed = float(cast("Any", _with_point(value)))
        except (TypeError, ValueError, OverflowError):
            parsed = math.nan
        if not least <= parsed <= most:
            raise ValueError(f"is not a number from {least:g} to {most:g}")
        return parsed

    return check


def integer(least: float, most: float) -> Callable[[object], int]:
    """Return a check for numbers in a range that drops their fraction."""
    check = number(least, most)
    return lambda value: int(check(value))


def seconds(value: object) -> float:
    """Return the time of a vote in seconds since 1970; pandas also writes thousandths, millionths and billionths."""
    parsed = seconds_of(value)
    smaller = (parsed / unit for unit in (1e3, 1e6, 1e9))
    if parsed >= LATEST:
        parsed = next((it for it in smaller if RECENT <= it < LATEST), parsed)
    if not EARLIEST <= parsed < LATEST:
        raise ValueError("is not a time between 1970 and 2100: seconds, or ISO 8601")
    return parsed


def seconds_of(value: object) -> float:
    """Return a number, ISO 8601, datetime or date in seconds since 1970; NaN for anything else.

    A time without a zone is UTC: the order of votes must not depend on where the file is read.
    """
    if type(value) is float:
        return value if abs(value) < 1e19 else math.nan
    if isinstance(value, float | int) and not isinstance(value, bool):
        return float(value) if abs(value) < 1e19 else math.nan
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC).timestamp()
    if isinstance(value, str):
        try:
            return float(str(_with_point(value)))
        except ValueError:
            try:
                return seconds_of(datetime.fromisoformat(value))
            except ValueError:
                return math.nan
    return math.nan


def _with_point(value: object) -> object:
    """Return a number as Excel writes it in many regions, 1700000000,5, with a decimal point."""
    return value.replace(",", ".") if isinstance(value, str) and _COMMA.fullmatch(value) else value


def category_ids(values: object) -> list[str]:
    """Return ids of categories, sorted and without `overall`; names may be written as LMArena does."""
    if not isinstance(values, list):
        raise ValueError("is not a list of categories")
    ids: set[str] = set()
    for value in cast("Sequence[object]", values):
        word = value.strip().lower().replace(" ", "-").replace("_", "-") if isinstance(value, str) else ""
        if not SLUG.fullmatch(word):
            raise ValueError("is not a list of categories")
        if word in PAGES:
            raise ValueError(f"names “{word}”, which is a leaderboard page, not a category")
        ids.add("maths" if word == "math" else word)
    if len(ids) > CATEGORIES_MAX:
        raise ValueError(f"has more than {CATEGORIES_MAX} categories")
    return sorted(ids - {"overall"})
