"""Dates: days between two of them, a date so many days on, and the day of the week."""

import random
import re
from datetime import date, timedelta

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.numbers import plural

_MONTHS = (
    "january february march april may june july august september october november december".split()  # noqa: SIM905
)
_NAME = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_FORMS = (
    re.compile(r"\b(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})\b"),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_NAME},? (?P<y>\d{{4}})\b", re.IGNORECASE),
    re.compile(rf"\b{_NAME} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})\b", re.IGNORECASE),
    re.compile(r"\b(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})\b"),
)
_SHIFT = re.compile(
    r"\b(?P<count>\d{1,6}|an?|one) (?P<unit>day|week|month|year)s?\s+(?P<way>after|from|before|since|later|earlier)|"
    r"(?P<sign>plus|minus|\+|-)\s*(?P<count2>\d{1,6}) (?P<unit2>day|week|month|year)s?",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(r"\b(day of the week|weekday|what day|which day)\b", re.IGNORECASE)
_TODAY = re.compile(
    r"\b(today|tomorrow|yesterday|right now|current (date|time|year)|what time is it)\b", re.IGNORECASE
)


def dates(question: Question, rng: random.Random) -> Finding | None:
    """Answer a question about dates that are written out in it."""
    del rng
    text = question.subject
    found = dates_in(text)
    if len(found) >= 2:
        return _between(found[0], found[1])
    if found and (shift := _SHIFT.search(text)):
        return _shifted(found[0], shift)
    if found and (_WEEKDAY.search(text) or len(text) < 60):
        return _weekday(found[0])
    if _TODAY.search(text) and len(text) < 80:
        return _no_clock()
    return None


def dates_in(text: str) -> list[date]:
    """Return the dates that a text names, in its order."""
    found: list[tuple[int, date]] = []
    for form in _FORMS:
        for match in form.finditer(text):
            parts = match.groupdict()
            month = parts.get("month")
            number = _month_number(month) if month else int(parts["m"])
            try:
                found.append((match.start(), date(int(parts["y"]), number, int(parts["d"]))))
            except ValueError:
                continue
    return [day for _, day in sorted(dict(found).items())]


def _between(first: date, second: date) -> Finding:
    early, late = sorted((first, second))
    days = (late - early).days
    weeks, rest = divmod(days, 7)
    working = sum((early + timedelta(n)).weekday() < 5 for n in range(1, days + 1)) if days < 40_000 else None
    return Finding(
        topic=f"the days between {_shown(early)} and {_shown(late)}",
        answer=f"From {_shown(early)} to {_shown(late)} it is **{plural(days, 'day')}**.",
        rough=f"About {plural(round(days / 30.44), 'month')}." if days > 120 else f"{plural(days, 'day')}.",
        steps=_month_steps(early, late),
        points=(
            f"That is {plural(weeks, 'week')} and {plural(rest, 'day')}.",
            *([f"{plural(working, 'of them is', 'of them are')} from Monday to Friday."] if working else []),
            f"It begins on a {early:%A} and ends on a {late:%A}.",
        ),
        caveat="The first day is not counted and the last one is; with both counted it is one more.",
        check="Would you count the first day, the last day, or both?",
        value=float(days),
        method="I counted days in the Gregorian calendar, leap years included.",
        facts=(
            ("days", f"{days:,}"),
            ("weeks", f"{weeks:,} + {rest} d"),
            ("from", f"{early:%A}"),
            ("to", f"{late:%A}"),
        ),
    )


def _month_steps(early: date, late: date) -> tuple[str, ...]:
    years = late.year - early.year
    if years == 0:
        return (
            f"{_shown(early)} is day {early.timetuple().tm_yday} of its year",
            f"{_shown(late)} is day {late.timetuple().tm_yday}",
            f"{late.timetuple().tm_yday} − {early.timetuple().tm_yday} = {(late - early).days}",
        )
    leaps = sum(_is_leap(year) for year in range(early.year, late.year))
    return (
        (
            f"From 1 January {early.year} to 1 January {late.year} it is {years} × 365 + {plural(leaps, 'leap day')}"
            f" = {years * 365 + leaps:,}"
        ),
        f"{_shown(early)} lies {early.timetuple().tm_yday - 1} days after the first of these",
        f"{_shown(late)} lies {late.timetuple().tm_yday - 1} days after the second",
    )


def _shifted(start: date, shift: re.Match[str]) -> Finding | None:
    stated = shift["count"] or shift["count2"]
    count = int(stated) if stated.isdigit() else 1
    unit = (shift["unit"] or shift["unit2"]).lower()
    back = (shift["way"] or "").lower() in ("before", "earlier") or (shift["sign"] or "").lower() in (
        "minus",
        "-",
    )
    signed = -count if back else count
    try:
        end = _moved(start, signed, unit)
    except (ValueError, OverflowError):
        return None
    way = "before" if back else "after"
    return Finding(
        topic=f"the date {plural(count, unit)} {way} {_shown(start)}",
        answer=f"{plural(count, unit)} {way} {_shown(start)} is **{end:%A}, {_shown(end)}**.",
        rough=f"{_shown(end)}.",
        steps=(f"{_shown(start)} is a {start:%A}", f"Go {plural(count, unit)} {'back' if back else 'on'}", f"That is a {end:%A}"),
        points=(f"Between the two lie {plural(abs((end - start).days), 'day')}.",),
        caveat="A month that is too short for the day ends on its last day." if unit in ("month", "year")
        else "This follows the Gregorian calendar.",
        check="Which month ends on the way?",
        method="I moved along the Gregorian calendar.",
        facts=(("start", f"{start:%A}, {_shown(start)}"), ("end", f"{end:%A}, {_shown(end)}")),
    )  # fmt: skip


def _moved(start: date, count: int, unit: str) -> date:
    if unit in ("day", "week"):
        return start + timedelta(days=count * (7 if unit == "week" else 1))
    months = start.year * 12 + start.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    last = [31, 29 if _is_leap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]
    return date(year, month + 1, min(start.day, last))


def _weekday(day: date) -> Finding:
    return Finding(
        topic=f"the weekday of {_shown(day)}",
        answer=f"{_shown(day)} is a **{day:%A}**.",
        rough=f"{day:%A}.",
        steps=(
            "Count the days since Monday, 1 January 1 in the Gregorian calendar",
            f"That is {day.toordinal() - 1:,} days",
            f"The rest after dividing by 7 is {(day.toordinal() - 1) % 7}, and that is a {day:%A}",
        ),
        points=(
            f"It is day {day.timetuple().tm_yday} of {day.year}, in ISO week {day.isocalendar().week}.",
            f"{day.year} is {'a leap year' if _is_leap(day.year) else 'not a leap year'}.",
        ),
        caveat="Before 1582 this extends the Gregorian calendar backwards.",
        check="Which weekday falls on the same date a year later?",
        method="I counted days in the Gregorian calendar.",
    )


def _no_clock() -> Finding:
    return Finding(
        topic="the present date",
        answer="I have no clock, so I cannot say what day it is now. Write the dates out and I count.",
        rough="No clock here.",
        points=("With two dates I count the days between them.", "With one I name its day of the week."),
        related=(
            "dates (“How many days between 2024-02-10 and 2024-12-24?”)",
            "weekdays (“What day was 20 July 1969?”)",
        ),
        confident=False,
        method="Nothing I can compute depends on the present.",
    )


def _shown(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1].capitalize()} {day.year}"


def _month_number(name: str) -> int:
    return next(number for number, month in enumerate(_MONTHS, 1) if month.startswith(name.lower()[:3]))


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
