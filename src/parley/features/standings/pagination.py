"""Pagination of a table: filter, sort, and continue after a cursor."""

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from parley.features.standings.schemas import LeaderboardLine, Order, SortKey, TableQuery
from parley.kernel.errors import Invalid
from parley.text.folding import folded

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


class Cursor(msgspec.Struct, frozen=True):
    """The end of a page: its order, and the last line's value, rating and model."""

    sort_by: SortKey
    order: Order
    value: Value
    rating: float
    model: str


class Page(msgspec.Struct, frozen=True):
    """One page, and the cursor of the next."""

    lines: list[LeaderboardLine]
    next_cursor: str | None


def paginate(lines: Sequence[LeaderboardLine], query: TableQuery) -> Page:
    """Return the requested page. Raises Invalid for a cursor of another order."""
    order = query.order or _BEST_FIRST.get(query.sort_by, "asc")
    value = _VALUES[query.sort_by]
    matching = [
        (Cursor(query.sort_by, order, value(line), line.rating, line.model.id), line)
        for line in lines
        if _matches(line, query)
    ]
    if query.cursor is not None:
        last = _sort_key(_decode(query.cursor, query.sort_by, order))
        matching = [(cursor, line) for cursor, line in matching if last < _sort_key(cursor)]
    matching.sort(key=lambda it: _sort_key(it[0]))
    shown = matching[: query.limit]
    more = len(matching) > query.limit
    return Page([line for _, line in shown], _encode(shown[-1][0]) if more and shown else None)


def _matches(line: LeaderboardLine, query: TableQuery) -> bool:
    model = line.model
    exact = ((query.license, model.license), (query.organization, model.organization))
    if any(wanted and folded(wanted) != folded(value) for wanted, value in exact):
        return False
    if query.provider and query.provider != model.provider:
        return False
    if query.local is not None and query.local != model.local:
        return False
    if not query.search:
        return True
    text = folded(f"{model.name}\n{model.organization}\n{model.id}")
    return all(word in text for word in folded(query.search).split())


def _sort_key(cursor: Cursor) -> tuple[bool, object, float, str]:
    """Return the sort key of a line; lines without a value come last in either order."""
    value: object = cursor.value
    if value is None:
        value = 0
    elif cursor.order == "desc":
        value = _negated(cursor.value)
    return (cursor.value is None, value, -cursor.rating, cursor.model)


def _negated(value: Value) -> object:
    """Return a key that sorts in descending order; a text's beginnings come after the text."""
    return (*(-ord(letter) for letter in value), 1) if isinstance(value, str) else -(value or 0)


def _encode(cursor: Cursor) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(cursor)).decode().rstrip("=")


def _decode(text: str, sort_by: SortKey, order: Order) -> Cursor:
    try:
        raw = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        cursor = msgspec.json.decode(raw, type=Cursor)
    except (ValueError, msgspec.MsgspecError):
        cursor = None
    is_text = sort_by in ("name", "organization", "license")
    if (
        cursor is None
        or (cursor.sort_by, cursor.order) != (sort_by, order)
        or (cursor.value is not None and isinstance(cursor.value, str) != is_text)
    ):
        raise Invalid(
            "cursor",
            "cursor: is not a cursor of this table in this order.",
            "Start again without it.",
        )
    return cursor
