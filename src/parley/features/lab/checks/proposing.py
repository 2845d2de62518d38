"""Proposes checks from graded answers: those that fail what a person called bad, and pass what they called good."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, cast

import msgspec

from parley.features.lab.checks import schemas
from parley.features.lab.checks.built_in import last_number, size_of
from parley.features.lab.checks.checking import apply
from parley.features.lab.checks.contract import (
    CallsTool,
    CheckedAnswer,
    CheckSpec,
    Chrf,
    Contains,
    Cost,
    Equals,
    JsonSchema,
    Language,
    Latency,
    Length,
    Number,
    Refusal,
    Regex,
    RougeL,
    StartsWith,
    Unit,
)
from parley.text.categories.language import detect

MOST_PROPOSED = 8
MOST_ALARMS = 0.2
"""The share of good answers that a proposed check may fail."""
MOST_PHRASES = 4
LEAST_LETTERS = 4

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_STYLES = (
    ("introduction", r"^\s*(Sure|Certainly|Of course|Absolutely|Great question|Here('s| is| are))\b"),
    ("list", r"(?m)^\s*([-*•]|\d+[.)])\s"),
    ("heading", r"(?m)^#{1,6} "),
    ("bold text", r"\*\*[^*\n]+\*\*"),
    ("code block", r"```"),
    ("link", r"https?://"),
    ("digit", r"\d"),
    ("question mark", r"\?"),
    ("second paragraph", r"\n\s*\n\s*\S"),
    ("full stop at the end", r"[.!?…][\"'”’)]*\s*$"),
)
"""Looks of an answer, and the patterns that find them."""


class GradedAnswer(NamedTuple):
    """An answer that a person called good or bad."""

    answer: CheckedAnswer
    good: bool


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A check with the number of bad answers that it fails, and of good ones: its false alarms."""

    check: CheckSpec
    caught: int
    alarms: int


async def propose(graded: Sequence[GradedAnswer]) -> list[Proposal]:
    """Return the checks that tell bad answers from good ones, the best first; none without both."""
    good = [it.answer for it in graded if it.good]
    bad = [it.answer for it in graded if not it.good]
    if not good or not bad:
        return []
    proposals: dict[tuple[bool | None, ...], Proposal] = {}
    for check in _candidates(good, bad):
        verdicts = [(await apply(check, it.answer)).passed for it in graded]
        fails = [it.good for it, passed in zip(graded, verdicts, strict=True) if passed is False]
        alarms = sum(fails)
        caught = len(fails) - alarms
        if caught and alarms <= MOST_ALARMS * len(good):
            # Of checks with the same verdicts the first is the plainest.
            proposals.setdefault(tuple(verdicts), Proposal(check=check, caught=caught, alarms=alarms))
    ordered = sorted(proposals.values(), key=lambda it: it.alarms / len(good) - it.caught / len(bad))
    return ordered[:MOST_PROPOSED]


def _candidates(good: Sequence[CheckedAnswer], bad: Sequence[CheckedAnswer]) -> Iterator[CheckSpec]:
    """Yield checks that could tell them apart, the plainest first."""
    yield Refusal(negate=True)
    yield from _by_expected(good, bad)
    yield from _of_json(good)
    yield from _of_languages(good)
    for name in _common([[call.name for call in it.tool_calls] for it in good]):
        yield CallsTool(name=name)
    yield from _by_style(bad)
    yield from _by_length(good)
    yield from _by_phrases(good, bad)
    yield from _by_figures(good)


def _by_expected(good: Sequence[CheckedAnswer], bad: Sequence[CheckedAnswer]) -> Iterator[CheckSpec]:
    expected = [it.expected for it in (*good, *bad)]
    if not all(expected):
        return
    yield Equals(ignore_case=True)
    yield Contains(ignore_case=True)
    yield StartsWith(ignore_case=True)
    if all(last_number(text or "") is not None for text in expected):
        yield Number()
        yield Number(tolerance=0.01, relative=True)
    for least in (0.2, 0.35, 0.5, 0.65, 0.8):
        yield Chrf(least=least)
        yield RougeL(least=least)


def _of_json(good: Sequence[CheckedAnswer]) -> Iterator[CheckSpec]:
    for within in (False, True):
        try:
            values = [schemas.read_json(it.text, within=within) for it in good]
        except ValueError:
            continue
        yield JsonSchema(within_text=within)
        keys = [cast("dict[str, object]", value) if isinstance(value, dict) else () for value in values]
        if common := _common(keys):
            yield JsonSchema(schema={"type": "object", "required": common}, within_text=within)


def _of_languages(good: Sequence[CheckedAnswer]) -> Iterator[CheckSpec]:
    codes = Counter(code for it in good if (code := detect(it.text)) is not None)
    for code, _ in codes.most_common(1):
        yield Language(code=code)


def _by_style(bad: Sequence[CheckedAnswer]) -> Iterator[CheckSpec]:
    """Yield only what some bad answer fails: each pattern is searched for in a process of its own."""
    for name, pattern in _STYLES:
        matches = [re.search(pattern, it.text) is not None for it in bad]
        if any(matches):
            yield Regex(pattern=pattern, negate=True, label=f"No {name}")
        if not all(matches):
            yield Regex(pattern=pattern, label=f"With {name}")


def _by_length(good: Sequence[CheckedAnswer]) -> Iterator[CheckSpec]:
    """Yield limits around the good answers, rounded away from them."""
    units: tuple[Unit, ...] = ("lines", "words", "characters")
    for unit in units:
        sizes = [size_of(it.text, unit) for it in good]
        yield Length(most=_rounded_up(max(sizes)), unit=unit)
        if least := _rounded_down(min(sizes)):
            yield Length(least=least, unit=unit)


def _by_phrases(good: Sequence[CheckedAnswer], bad: Sequence[CheckedAnswer]) -> Iterator[CheckSpec]:
    """Yield words that only bad answers have, at least two of them; and words that all good answers have."""
    in_good, in_bad = (Counter(phrase for it in side for phrase in _phrases(it.text)) for side in (good, bad))
    only_bad = ((phrase, count) for phrase, count in in_bad.items() if count > 1 and phrase not in in_good)
    for phrase in _most(only_bad):
        yield Contains(values=(phrase,), ignore_case=True, negate=True, label=f"Does not say “{phrase}”")
    if len(good) > 1:
        always = ((it, len(bad) - in_bad[it]) for it, count in in_good.items() if count == len(good))
        for phrase in _most((phrase, missing) for phrase, missing in always if missing):
            yield Contains(values=(phrase,), ignore_case=True, label=f"Says “{phrase}”")


def _by_figures(good: Sequence[CheckedAnswer]) -> Iterator[CheckSpec]:
    times = [it.latency_ms for it in good if it.latency_ms is not None]
    if len(times) == len(good):
        yield Latency(most_ms=_rounded_up(max(times)))
    costs = [it.cost_micros for it in good if it.cost_micros is not None]
    if len(costs) == len(good) and max(costs):
        yield Cost(most_micros=_rounded_up(max(costs)))


def _phrases(text: str) -> set[str]:
    """Return the words of a text and their neighbours, up to three, each once; single ones only if they are long."""
    words = _WORD.findall(text.casefold())
    phrases = {word for word in words if len(word) >= LEAST_LETTERS}
    for size in (2, 3):
        phrases |= {" ".join(words[at : at + size]) for at in range(len(words) - size + 1)}
    return {phrase for phrase in phrases if len(phrase) <= 60}


def _most(counted: Iterable[tuple[str, int]]) -> list[str]:
    """Return the phrases of most answers, the shortest of equals, none within another."""
    chosen: list[str] = []
    for phrase, _ in sorted(counted, key=lambda it: (-it[1], len(it[0]), it[0])):
        if not any(other in phrase for other in chosen):
            chosen.append(phrase)
        if len(chosen) == MOST_PHRASES:
            break
    return chosen


def _common(names: Sequence[Iterable[str]]) -> list[str]:
    """Return the names that all have, in order."""
    counts = Counter(name for each in names for name in set(each))
    return sorted(name for name, count in counts.items() if count == len(names))


def _step(value: int) -> int:
    return max(1, 5 * 10 ** (int(math.log10(max(1, value))) - 1))


def _rounded_up(value: int) -> int:
    return math.ceil(value / _step(value)) * _step(value)


def _rounded_down(value: int) -> int:
    return value // _step(value) * _step(value)
