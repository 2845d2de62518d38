"""Lists: sorting, removing doubles, and the figures of a list of numbers."""

import random
import re
import statistics
from fractions import Fraction

from parley.connectors.demo.finding import Finding, Table
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.numbers import plural, roughly, show

_ASKS = re.compile(
    r"\b(?P<what>sort|order|alphabeti[sz]e|rank|arrange|dedup\w*|unique|remove (?:the )?duplicates|reverse|shuffle|count|"
    r"mean|average|median|mode|sum|total|add up|standard deviation|variance|range|max\w*|min\w*|largest|smallest|statistics)\b",
    re.IGNORECASE)  # fmt: skip
_DOWN = re.compile(
    r"\b(descending|decreasing|high(est)? (to low|first)|larg(est|e) (to small|first)|z to a|backwards)\b",
    re.IGNORECASE,
)
_FIGURES = ("mean", "average", "median", "mode", "sum", "total", "add up", "standard", "variance", "range", "max",
            "min", "largest", "smallest", "statistics")  # fmt: skip


def lists(question: Question, rng: random.Random) -> Finding | None:
    """Sort, thin out or describe the list that a question brings."""
    asked = _ASKS.search(question.subject)
    items = items_of(question.subject)
    if asked is None or len(items) < 2:
        return None
    what = asked["what"].lower()
    numbers = [_number(item) for item in items]
    values = [value for value in numbers if value is not None]
    if what.startswith(_FIGURES):
        return _figures(what, values) if len(values) == len(items) else None
    if what == "count":
        return _counted(items)
    if what.startswith(("dedup", "unique", "remove")):
        return _changed("without doubles", items, list(dict.fromkeys(items)), "I kept the first of each.")
    if what == "reverse":
        return _changed("reversed", items, items[::-1], "I read the list from its end.")
    if what == "shuffle":
        return _changed("shuffled", items, rng.sample(items, len(items)), "I drew them one by one.")
    down = _DOWN.search(question.subject) is not None
    if len(values) == len(items):
        ordered = [
            item
            for _, item in sorted(zip(values, items, strict=True), key=lambda pair: pair[0], reverse=down)
        ]
    else:
        ordered = sorted(items, key=str.casefold, reverse=down)
    by = "by value" if len(values) == len(items) else "by the alphabet"
    return _changed(
        f"sorted {by}{', largest first' if down else ''}", items, ordered, f"I compared the entries {by}."
    )


def items_of(text: str) -> list[str]:
    """Return the entries of the list in a text: after a colon, on lines, or the numbers in it."""
    _, colon, rest = text.partition(":")
    source = rest if colon else ""
    lines = [
        re.sub(r"^\s*(?:[-*•]|\d+[.)])\s+", "", line).strip() for line in source.splitlines() if line.strip()
    ]
    if len(lines) > 1:
        return lines[:200]
    if source:
        parts = re.split(r"\s*[,;]\s*|\s+and\s+", source.strip().rstrip(".?!"))
        parts = parts if len(parts) > 1 else source.strip().rstrip(".?!").split()
        return [part.strip() for part in parts if part.strip()][:200]
    if span := re.search(r"\b(\d{1,3}) (?:to|through|up to) (\d{1,3})\b", text):
        return [str(number) for number in range(int(span[1]), int(span[2]) + 1)]
    return re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w])", text)


def _number(item: str) -> Fraction | None:
    if len(item) > 18:
        return None
    try:
        return Fraction(item.replace(",", "").replace("−", "-"))
    except (ValueError, ZeroDivisionError):
        return None


def _changed(how: str, before: list[str], after: list[str], method: str) -> Finding:
    shown = ", ".join(after)
    return Finding(
        topic=f"a list of {plural(len(before), 'entry', 'entries')}, {how}",
        answer=f"The list {how}: **{shown}**.",
        rough=f"{shown}",
        points=(
            f"First comes {after[0]}, last comes {after[-1]}.",
            f"It holds {plural(len(after), 'entry', 'entries')}.",
        ),
        table=Table(("place", "entry"), tuple((str(n), item) for n, item in enumerate(after[:30], 1))),
        caveat="Capitals and small letters count as the same."
        if "alphabet" in how
        else "Equal entries keep their order.",
        check="Which entry moved the furthest?",
        method=method,
    )


def _counted(items: list[str]) -> Finding:
    different = len(set(items))
    return Finding(
        topic="the length of a list",
        answer=f"There are **{plural(len(items), 'entry', 'entries')}**, {different:,} of them different.",
        rough=f"{len(items):,}.",
        points=(f"The longest is “{max(items, key=len)}”.",),
        check="Would you count a double once or twice?",
        value=float(len(items)),
        method="I counted.",
    )


def _figures(what: str, values: list[Fraction]) -> Finding:
    ordered = sorted(values)
    mean, median = statistics.mean(values), statistics.median(values)
    spread = statistics.stdev([float(value) for value in values])
    figures = {
        "mean": mean, "median": median, "sum": sum(values, Fraction(0)), "smallest": ordered[0], "largest": ordered[-1],
        "range": ordered[-1] - ordered[0], "standard deviation": Fraction(spread),
        "variance": Fraction(spread) ** 2, "mode": statistics.mode(values),
    }  # fmt: skip
    synonyms = {"average": "mean", "total": "sum", "add up": "sum", "max": "largest", "min": "smallest",
                "standard deviation": "standard deviation", "statistics": "mean"}  # fmt: skip
    name = next((full for start, full in synonyms.items() if what.startswith(start)), what)
    value = Fraction(figures.get(name, mean))
    total, count = figures["sum"], len(values)
    steps = {
        "mean": (f"The sum is {show(Fraction(total))}", f"There are {count} numbers", f"{show(Fraction(total))} ÷ {count} = {show(value, 6)}"),
        "median": (f"In order: {', '.join(show(v) for v in ordered[:15])}", f"The middle of {count} is {show(value, 6)}"),
        "sum": (f"{' + '.join(show(v) for v in values[:15])} = {show(value)}",),
    }.get(name, (f"In order: {', '.join(show(v) for v in ordered[:15])}",))  # fmt: skip
    return Finding(
        topic=f"the {name} of {count} numbers",
        answer=f"The {name} is **{show(value, 6)}**.",
        rough=roughly(value),
        steps=steps,
        points=(f"Mean {show(Fraction(mean), 4)}, median {show(Fraction(median), 4)}.",
                f"They reach from {show(ordered[0])} to {show(ordered[-1])}."),
        table=Table(("figure", "value"), tuple((key, show(Fraction(figures[key]), 5)) for key in figures if key != "mode")),
        caveat="One extreme number moves the mean a lot and the median hardly at all." if name in ("mean", "median")
        else "Standard deviation and variance divide by n − 1, as for a sample.",
        check="What happens to it if the largest number doubles?",
        value=float(value),
        method="I computed it exactly from the numbers you gave.",
    )  # fmt: skip
