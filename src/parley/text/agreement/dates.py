"""Dates in a text, as precise as they are written: year, month, day."""

import re
from functools import cache
from typing import NamedTuple

from parley.text.agreement.units import unit_pattern

_MONTHS = """
january januar janvier enero|february februar février febrero|march märz mars marzo|april avril abril|may mai mayo
june juni juin junio|july juli juillet julio|august août agosto|september septembre septiembre
october oktober octobre octubre|november novembre noviembre|december dezember décembre diciembre"""
_SHORT = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905

_WHOLE = {
    name: number for number, row in enumerate(re.split(r"[|\n]", _MONTHS.strip()), 1) for name in row.split()
}
_SHORTENED = {name: number for number, name in enumerate(_SHORT, 1)} | {"sept": 9, "okt": 10, "dez": 12}
MONTHS = _WHOLE | _SHORTENED

_M = rf"(?P<m>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"
_Y = r"(?P<y>1\d{3}|20\d\d)(?![\d%])"


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            r"(?<![\w.])(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)",
            r"(?<!\d)(?P<y>\d{4})年(?:(?P<m>\d{1,2})月(?:(?P<d>\d{1,2})日)?)?",
            r"(?<![\w./])(?P<d>\d{1,2})\. ?(?P<m>\d{1,2})\. ?(?P<y>\d{4})(?!\d)",
            r"(?<![\w./])(?P<one>\d{1,2})/(?P<two>\d{1,2})/(?P<y>\d{4})(?!\d)",
            rf"(?<![\w.])(?P<d>\d{{1,2}})(?:\.|st|nd|rd|th|er)? (?:of |de )?{_M}(?:,? (?:de )?{_Y})?",
            rf"\b{_M} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])(?:,? {_Y})?",
            rf"\b{_M},? (?:of |de )?{_Y}",
            rf"(?<![\w.,^/$€£-]){_Y}(?![\w^]|[.,]\d)",
            rf"(?<=\d{{4}}[-–]){_Y}(?![\w^]|[.,]\d)",
        )
    )


class Date(NamedTuple):
    """A date as precise as it is written; None for missing parts."""

    year: int | None
    month: int | None
    day: int | None


class Dated(NamedTuple):
    """What a date in a text can mean, and its place: 4/5/2020 is one of two days."""

    readings: tuple[Date, ...]
    start: int
    end: int


def dates(text: str) -> tuple[list[Dated], str]:
    """Return the dates of a text, and the text with spaces in their places.

    A bare number counts as a year from 1000 to 2099, unless a unit follows it.
    """
    found: list[Dated] = []
    for pattern in _patterns():
        pieces: list[str] = []
        at = 0
        for match in pattern.finditer(text):
            readings = _readings(match)
            if not readings or (match[0].isdigit() and _is_counted(text, match.end())):
                continue
            found.append(Dated(readings, match.start(), match.end()))
            pieces += [text[at : match.start()], " " * len(match[0])]
            at = match.end()
        text = "".join([*pieces, text[at:]])
    return found, text


def _is_counted(text: str, at: int) -> bool:
    """Return whether a unit follows a bare number."""
    return unit_pattern().match(text, at) is not None


def _readings(match: re.Match[str]) -> tuple[Date, ...]:
    parts = match.groupdict()
    year = int(parts["y"]) if parts.get("y") else None
    if parts.get("one"):
        one, two = int(parts["one"]), int(parts["two"])
        both = (Date(year, one, two), Date(year, two, one))
        return tuple(dict.fromkeys(date for date in both if _exists(date)))
    month = parts.get("m")
    number = None if not month else int(month) if month.isdigit() else MONTHS[month.lower()]
    date = Date(year, number, int(parts["d"]) if parts.get("d") else None)
    return (date,) if _exists(date) else ()


def _exists(date: Date) -> bool:
    return (date.month is None or 1 <= date.month <= 12) and (date.day is None or 1 <= date.day <= 31)


def compatible(left: Date, right: Date) -> bool:
    """Return whether two dates can be the same day, month or year; parts that only one of them has do not count."""
    return all(a is None or b is None or a == b for a, b in zip(left, right, strict=True))
