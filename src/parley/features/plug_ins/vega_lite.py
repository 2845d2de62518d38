"""Limits of Vega-Lite specifications: each says a picture of the rows that it is given, and nothing that runs or loads.

The page draws it without `eval`, in a frame without network or origin, and shows the result as a picture. This is the
first of these walls, and the one that says in words what is wrong.
"""

from collections.abc import Iterator
from typing import Any

from parley.text.located_yaml import as_list, as_mapping

MOST_VALUES = 2_000
DEEPEST = 16
SMALLEST, LARGEST = 0.001, 2_000
"""Of a side in pixels, and of what is drawn so often."""

COUNTED = ("width", "height", "size", "step", "maxbins", "minstep", "steps", "columns", "tickcount")

INTERVALS = ("hour", "day", "week", "month", "quarter", "year")
"""Between ticks: seconds of a year would be millions of them."""

TOP = frozenset(
    (
        *("$schema", "title", "description", "mark", "encoding", "transform", "layer", "facet", "columns"),
        *(
            "hconcat",
            "vconcat",
            "concat",
            "repeat",
            "spec",
            "resolve",
            "spacing",
            "align",
            "center",
            "bounds",
        ),
        *("width", "height", "autosize", "padding", "view", "config", "projection"),
    )
)

REFUSED = {
    "url": "must not load anything: the rows of the measure are its data",
    "data": "must not have data of its own: the rows of the measure are its data",
    "datasets": "must not have data of its own: the rows of the measure are its data",
    "from": "must not have data of its own: the rows of the measure are its data",
    "lookup": "must not have data of its own: the rows of the measure are its data",
    "sequence": "must not make data: the rows of the measure are its data",
    "graticule": "must not make data: the rows of the measure are its data",
    "loader": "must not load anything",
    "href": "must not be a link",
    "usermeta": "is for other programs",
    "expr": "must not be an expression",
    "calculate": "must not be an expression",
    "signal": "must not be a signal",
    "signals": "must not have signals",
    "params": "must not have parameters: a view is a still picture",
    "param": "must not have parameters: a view is a still picture",
    "selection": "must not have selections: a view is a still picture",
    "bind": "must not have inputs: a view is a still picture",
    "on": "must not have events: a view is a still picture",
    "events": "must not have events: a view is a still picture",
    "impute": "must not make data: the rows of the measure are its data",
}

TEXT_IS_EXPRESSION = ("filter", "test", "and", "or", "not")
"""Keys whose text is an expression, and whose object is a plain comparison."""

MARKS = frozenset(
    (
        *("arc", "area", "bar", "boxplot", "circle", "errorband", "errorbar", "line", "point", "rect"),
        *("rule", "square", "text", "tick", "trail"),
    )
)


class BadSpec(ValueError):
    """A specification that is refused."""


def check_spec(spec: dict[str, Any]) -> None:
    """Raise BadSpec, naming the place, for what runs, loads, links or is too large."""
    if unknown := next((key for key in spec if key not in TOP and key not in REFUSED), None):
        raise BadSpec(f"{unknown}: isn't known; a view has {', '.join(sorted(TOP - {'$schema'}))}")
    for count, (place, key, value) in enumerate(_walk(spec, "", 0)):
        if count >= MOST_VALUES:
            raise BadSpec(f"has more than {MOST_VALUES:,} values")
        _check(place, key, value)


def _check(place: str, key: str, value: object) -> None:
    lower = key.lower()
    if why := REFUSED.get(lower):
        raise BadSpec(f"{place}: {why}")
    if lower.endswith("expr"):
        raise BadSpec(f"{place}: must not be an expression")
    if lower in TEXT_IS_EXPRESSION and any(isinstance(each, str) for each in as_list(value) or [value]):
        raise BadSpec(f"{place}: must not be an expression; write {{field: …, gt: …}}")
    if lower == "mark":
        fields = as_mapping(value)
        kind = value if fields is None else fields.get("type")
        if kind not in MARKS:
            known = ", ".join(sorted(MARKS))
            raise BadSpec(f"{place}: “{str(kind)[:40]}” isn't a mark of a view; it can be {known}")
    if lower in COUNTED and isinstance(value, int | float) and not _is_drawable(value):
        raise BadSpec(f"{place}: can be from {SMALLEST} to {LARGEST:,}")
    if lower == "interval" and value not in INTERVALS:
        raise BadSpec(f"{place}: can be {', '.join(INTERVALS)}")
    if isinstance(value, str) and key != "$schema" and "://" in value:
        raise BadSpec(f"{place}: must not have an address")


def _is_drawable(value: float) -> bool:
    return value == 0 or SMALLEST <= abs(value) <= LARGEST


def _walk(value: object, place: str, depth: int) -> Iterator[tuple[str, str, object]]:
    """Yield the place, the nearest key and the value of everything within a value."""
    if depth > DEEPEST:
        raise BadSpec(f"{place}: is nested too deeply")
    for key, item in (as_mapping(value) or {}).items():
        within = f"{place}.{key}" if place else key
        yield within, key, item
        yield from _walk(item, within, depth + 1)
    for index, item in enumerate(as_list(value) or []):
        yield f"{place}.{index}", "", item
        yield from _walk(item, f"{place}.{index}", depth + 1)
