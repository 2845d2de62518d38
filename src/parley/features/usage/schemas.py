"""Responses about usage."""

from typing import Literal, TypeAlias

import msgspec

from parley.features.usage.measure import Cell

Scale: TypeAlias = Literal["me", "workspace", "installation"]
"""A person's own usage, that of the workspace they act in, or everybody's."""

CardKind: TypeAlias = Literal["figure", "line", "bars", "stacked", "ranges", "table"]


class ValueView(msgspec.Struct, frozen=True):
    """A column of figures. `unit`: count, tokens, micros (of a dollar), ms, share (0 to 1), per (a ratio)."""

    name: str
    title: str
    unit: str


class UsageTable(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a question about usage.

    A row has the keys of its group, in the order of `by`, and then its values. Hours, days and weeks are ISO 8601, UTC.
    `total` has the values over everything; null where there is nothing. `names` are those of people, workspaces,
    keys and payers. `start` and `end` are the range that was counted, `updated_at` when calls were last counted.
    """

    measure: str
    title: str
    needs: str
    by: list[str]
    values: list[ValueView]
    rows: list[list[Cell]]
    total: list[Cell] | None
    names: dict[str, str]
    start: str
    end: str
    updated_at: str | None


class MeasureView(msgspec.Struct, frozen=True, kw_only=True):
    """A measure: its columns, and the dimensions that it can be grouped and filtered by."""

    name: str
    title: str
    needs: str
    values: list[ValueView]
    by: list[str]
    where: list[str]


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A chart: one question to `/api/usage`, and how its answer is drawn. `value` is the column of a `figure`."""

    title: str
    measure: str
    kind: CardKind
    by: list[str] = []
    value: str = ""


class Dashboard(msgspec.Struct, frozen=True, kw_only=True):
    """A list of cards about one's own usage, the workspace, or the installation."""

    of: Scale
    title: str
    cards: list[Card]


class Analytics(msgspec.Struct, frozen=True, kw_only=True):
    """The dashboards that the caller may see, and every measure."""

    dashboards: list[Dashboard]
    measures: list[MeasureView]
