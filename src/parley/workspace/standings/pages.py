"""Pages of a table: filtered, sorted, and cut where a cursor says."""

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from parley.kernel.errors import Invalid
from parley.text.folding import folded
from parley.workspace.standings.schemas import LeaderboardLine, Order, SortKey, TableQuery

Value: TypeAlias = float | str | None

_VALUES: Mapping[SortKey, Callable[[LeaderboardLine], Value]] = {
    "rank": lambda line: line.rank_ub,
    "name": lambda line: folded(line.model.name),
    "rating": lambda line: line.rating,
    "votes": lambda line: line.votes,
    "win_rate": lambda line: line.win_rate,
    "organization": lambda line: folded(line.model.organization),
    "license": lambda line: folded(line.model.license),
    "price": lambda line: line.price,
    "latency": lambda line: line.ttft_p50_ms,
}
_BEST_FIRST: Mapping[SortKey, Order] = {"rating": "desc", "votes": "desc", "win_rate": "desc"}


class Place(msgspec.Struct, frozen=True):
    """Where a page ended: the order it is in, and the last line's value, rating and model."""

    sort_by: SortKey
    order: Order
    value: Value
    rating: float
    model: str


class Part(msgspec.Struct, frozen=True):
    """One page, and the cursor of the next."""

    lines: list[LeaderboardLine]
    next_cursor: str | None


def cut(lines: Sequence[LeaderboardLine], asked: TableQuery) -> Part:
    """Return the page that is asked for. Raises Invalid for a cursor that is not of this order."""
    order = asked.order or _BEST_FIRST.get(asked.sort_by, "asc")
    value = _VALUES[asked.sort_by]
    places = [
        (Place(asked.sort_by, order, value(line), line.rating, line.model.id), line)
        for line in lines
        if _wanted(line, asked)
    ]
    if asked.cursor is not None:
        last = _after(_decode(asked.cursor, asked.sort_by, order))
        places = [(place, line) for place, line in places if last < _after(place)]
    places.sort(key=lambda found: _after(found[0]))
    shown = places[: asked.limit]
    more = len(places) > asked.limit
    return Part([line for _, line in shown], _encode(shown[-1][0]) if more and shown else None)


def _wanted(line: LeaderboardLine, asked: TableQuery) -> bool:
    model = line.model
    exact = ((asked.license, model.license), (asked.organization, model.organization))
    if any(wanted and folded(wanted) != folded(value) for wanted, value in exact):
        return False
    if asked.provider and asked.provider != model.provider:
        return False
    if asked.local is not None and asked.local != model.local:
        return False
    if not asked.search:
        return True
    text = folded(f"{model.name}\n{model.organization}\n{model.id}")
    return all(word in text for word in folded(asked.search).split())


class _Descending:
    """A value that sorts the other way round."""

    __slots__ = ("value",)

    def __init__(self, value: float | str) -> None:
        self.value = value

    def __lt__(self, other: "_Descending") -> bool:
        return other.value < self.value  # type: ignore[operator]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Descending) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)


def _after(place: Place) -> tuple[bool, object, float, str]:
    """Return what lines are sorted by; what has no value comes last, whatever the order."""
    value: object = place.value
    if value is None:
        value = 0
    elif place.order == "desc":
        value = _Descending(place.value)  # type: ignore[arg-type]
    return (place.value is None, value, -place.rating, place.model)


def _encode(place: Place) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).decode().rstrip("=")


def _decode(cursor: str, sort_by: SortKey, order: Order) -> Place:
    try:
        raw = base64.urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        place = msgspec.json.decode(raw, type=Place)
    except (ValueError, msgspec.MsgspecError):
        place = None
    text = sort_by in ("name", "organization", "license")
    if place is None or (place.sort_by, place.order) != (sort_by, order):
        fits = False
    else:
        fits = place.value is None or isinstance(place.value, str) == text
    if place is None or not fits:
        raise Invalid(
            "cursor",
            "cursor: not one that this table has given in this order.",
            "Begin again without it.",
        )
    return place
