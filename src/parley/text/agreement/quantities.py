"""Quantities of a sentence: numbers with what they measure."""

import re
from collections.abc import Iterator
from functools import cache

from parley.text.agreement.dates import dates
from parley.text.agreement.numerals import IN_DIGITS, IN_WORDS, SCALE, SCALES, WORDS, values
from parley.text.agreement.quantity import Quantity
from parley.text.agreement.stop_words import EVERY_STOP_WORD
from parley.text.agreement.units import UNITS, unit_of, unit_pattern
from parley.text.agreement.words import stem, words

MOST = 40
"""How many quantities of one sentence are read."""

_HIDDEN = re.compile(
    r"`[^`\n]{0,200}`|\bhttps?://\S+|\b(?!\d{1,3}(?:\.\d{3})+(?![\d.]))\d+(?:\.\d+){2,}\b"
    r"|\b(?:step|option|fig(?:ure|\.)?|chapter|section|phase|tip|part|no\.|nr\.|page|question|answer|member|model|"
    r"table|rule|method|point|schritt|kapitel|abschnitt|étape|chapitre|paso|member|seat)[ \u00a0]#?\d+(?:\.\d+)?\b"
    r"|\b\d{1,4}s\b|\b\d+/7\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?<![\w.:])(?P<h>[01]?\d|2[0-3])(?:[:h](?P<min>[0-5]\d)(?::[0-5]\d)?(?![\d:])(?: ?(?P<half>[ap]\.?m\b\.?|uhr\b))?"
    r"|(?: ?(?P<mark>[ap]\.?m\b\.?|uhr\b))(?: (?P<after>[0-5]\d)\b)?)",
    re.IGNORECASE,
)
_FRACTION = re.compile(
    r"\b(?:(?P<n>one|a|two|three|four|ein|zwei|drei|un|une|deux|trois|un|una|dos|tres)[ -])?"
    r"(?P<d>hal(?:f|ves)|thirds?|quarters?|fifths?|tenths?|hälfte|drittel|viertel|fünftel|moitié|tiers|quarts?|mitad|"
    r"tercios?|cuartos?)\b(?= (?:of|the|der|des|aller|von|de|du|d')\b|d)"
    r"|(?<![\w/.])(?P<over>\d{1,2})/(?P<under>\d{1,2})(?![\w/])",
    re.IGNORECASE,
)
_TOP = {"two": 2, "zwei": 2, "deux": 2, "dos": 2, "three": 3, "drei": 3, "trois": 3, "tres": 3, "four": 4}
_NUMERAL = rf"(?:{IN_DIGITS}|\b{IN_WORDS}\b)"
_CHOICE = re.compile(
    r"(?:^|\b(?i:is|answer|option|choice|ist|antwort|est|réponse|es|respuesta)\b)[\s:*_(]*(?P<letter>[A-H])[)*_]*\W*$"
)
_ABOUT = re.compile(
    r"(?:about|around|roughly|approximately|approx\.?|nearly|almost|over|under|more than|less than|at least|at most|"
    r"up to|circa|ca\.?|some|etwa|rund|ungefähr|fast|über|knapp|mindestens|bis zu|environ|presque|plus de|près de|"
    r"casi|unos|más de|cerca de|~|≈|约|約)[ ]?$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:between|from|zwischen|von|entre|de|desde)[ ]$", re.IGNORECASE)
_ONE = re.compile(r"\b(?:one|ein|eine|einen|un|une|una)[ ](?=\w)", re.IGNORECASE)
_LETTERS_ONLY = re.compile(r"[^\W\d_]+")
_COUNTING = frozenset(WORDS) | frozenset(
    """one ein eine einen un une una half halves third thirds quarter quarters fifth fifths tenth tenths hälfte drittel
    viertel fünftel moitié tiers quart quarts mitad tercio tercios cuarto cuartos""".split()  # noqa: SIM905
)


def quantities(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of a sentence, dates first; versions, names with digits and labels are left out."""
    if choice := _CHOICE.search(text):
        value = float(ord(choice["letter"]))
        return (
            Quantity("choice", ((value, value),), start=choice.start("letter"), end=choice.end("letter")),
        )
    if not _may_count(text):
        return ()
    text = _HIDDEN.sub(lambda match: " " * len(match[0]), text)
    dated, text = dates(text)
    found = [Quantity("date", dates=date.readings, start=date.start, end=date.end) for date in dated]
    for pattern, read in ((_CLOCK, _clock), (_FRACTION, _fraction)):
        for match in pattern.finditer(text):
            if quantity := read(match):
                found.append(quantity)
                text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    for match in _number().finditer(text):
        found.extend(_numbers(text, match))
        if len(found) >= MOST:
            break
    found.extend(
        Quantity("count", ((1.0, 1.0),), weak=True, nouns=_nouns(text, match.end()))
        for match in _ONE.finditer(text)
    )
    return tuple(found[:MOST])


def _may_count(text: str) -> bool:
    """Return whether a text may have a quantity; much faster than searching for one."""
    return any(map(str.isdigit, text)) or not _COUNTING.isdisjoint(_LETTERS_ONLY.findall(text.lower()))


@cache
def _number() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![A-Za-z0-9_À-ɏ.,^])(?P<money>(?:US)?[$€£¥] ?)?(?P<low>{_NUMERAL})(?P<scale>{SCALE})?"
        rf"(?:(?P<to>[ ]?[-–—][ ]?|(?: to | bis | à | a | and | und | et | y ))(?:[$€£¥] ?)?"
        rf"(?P<high>{_NUMERAL})(?P<scale2>{SCALE})?)?",
        re.IGNORECASE,
    )


def _clock(match: re.Match[str]) -> Quantity:
    hour, minute = int(match["h"]), int(match["min"] or match["after"] or 0)
    mark = (match["half"] or match["mark"] or "").lower()
    hours = (hour,)
    if mark[:1] in ("a", "p") and hour <= 12:
        hours = (hour % 12 + (12 if mark[0] == "p" else 0),)
    elif mark in ("", "uhr") and 1 <= hour <= 12:
        hours = (hour, (hour + 12) % 24)
    readings = tuple((60.0 * h + minute, 60.0 * h + minute) for h in hours)
    return Quantity("clock", readings, start=match.start(), end=match.end())


def _fraction(match: re.Match[str]) -> Quantity | None:
    if match["over"]:
        top, under = int(match["over"]), int(match["under"])
        if not 0 < top < under:
            return None
        return Quantity(
            "share", ((top / under, top / under),), step=0.001, start=match.start(), end=match.end()
        )
    word = match["d"].lower()
    if word.startswith("quarter") and not match["n"]:
        return None
    bottom = next(
        (
            value
            for start, value in (("t", 3), ("q", 4), ("v", 4), ("c", 4), ("f", 5), ("d", 3))
            if word.startswith(start)
        ),
        2,
    )
    bottom = 10 if word.startswith("tenth") else bottom
    value = _TOP.get((match["n"] or "").lower(), 1) / bottom
    return Quantity("share", ((value, value),), step=0.01, start=match.start(), end=match.end())


def _numbers(text: str, match: re.Match[str]) -> Iterator[Quantity]:
    """Yield the quantities of a number, or of two numbers that form a range."""
    low, high, end = match["low"], match["high"], match.end()
    if high and not _joins(text, match):
        low_end = match.end("scale") if match["scale"] else match.end("low")
        yield from _quantity(text, match, (low,), match["scale"], low_end)
        yield from _quantity(text, match, (high,), match["scale2"], end)
        return
    scale = (match["scale2"] or match["scale"]) if high else match["scale"]
    yield from _quantity(text, match, (low, high) if high else (low,), scale, end)


def _joins(text: str, match: re.Match[str]) -> bool:
    """Return whether two numbers are a range: “5–10”, “5 to 10”, “between 5 and 10”."""
    to = match["to"].strip()
    return (
        to not in ("and", "und", "et", "y", "a")
        or _BETWEEN.search(text[max(0, match.start() - 9) : match.start()]) is not None
    )


def _quantity(
    text: str, match: re.Match[str], numerals: tuple[str, ...], scale: str | None, end: int
) -> Iterator[Quantity]:
    before = text[max(0, match.start() - 16) : match.start()]
    unit = unit_pattern().match(text, end)
    if (before[-1:] in "-–" and before[-2:-1].isalpha()) or (unit is None and _is_name(text, end)):
        return
    dimension, size = unit_of(unit) if unit else ("count", 1.0)
    if match["money"]:
        dimension, size = UNITS[match["money"].strip().lower().removeprefix("us")]
    factors = SCALES.get(
        (scale or "").strip().strip(".").lower(), (_LETTERS.get((scale or "").strip(), 1.0),)
    )
    sign = -1.0 if before[-1:] in "-−" and not before[-2:-1].strip(" (") and before else 1.0
    read = [values(numeral.lower()) for numeral in numerals]
    readings = [
        tuple(_base(sign * value * factor, dimension, size) for value in some)
        for factor in factors
        for some in ((low, high) for low in read[0][0] for high in (read[-1][0] if len(read) > 1 else (low,)))
    ]
    yield Quantity(
        "celsius" if dimension == "fahrenheit" else dimension,
        tuple((pair[0], pair[1]) for pair in readings),
        step=min(step for _, step in read) * factors[0] * size,
        size=size,
        about=_ABOUT.search(before) is not None,
        nouns=_nouns(text, unit.end() if unit else end),
        start=match.start(),
        end=unit.end() if unit else end,
    )


_LETTERS = {"k": 1e3, "K": 1e3, "M": 1e6}


def _base(value: float, dimension: str, size: float) -> float:
    return (value - 32) / 1.8 if dimension == "fahrenheit" else value * size


def _is_name(text: str, end: int) -> bool:
    """Return whether letters directly follow a number: 3D, 5G, 2nd."""
    after = text[end : end + 1]
    return after == "^" or (after.isalpha() and after < "\u0e00")


def _nouns(text: str, at: int) -> frozenset[str]:
    found: list[str] = []
    for word in words(text, at, at + 40):
        if len(word.text) > 2 and not word.text[0].isdigit() and word.text not in EVERY_STOP_WORD:
            found.append(stem(word.text))
        if len(found) == 2:
            break
    return frozenset(found)
