"""Tables of usage by the hour."""

from collections.abc import Iterator
from typing import Annotated

from sqlalchemy import BigInteger, Column, Index, Integer, String

from parley.features.usage.histogram import BUCKETS
from parley.storage.tables.rows import Id, Name, Row, column, stored_in

HOUR, DAY, WHO, MON = "hour", "day", "who", "mon"

TIMES = {"first_token_ms": "first", "duration_ms": "took"}
"""The times of calls that have histograms, and the beginning of their columns' names."""


def _histograms() -> Iterator[Column[int]]:
    for name in TIMES.values():
        for number in range(BUCKETS):
            yield Column(f"{name}_{number}", BigInteger, nullable=False, default=0)


@stored_in(
    "usage_hours",
    *_histograms(),
    Index("ix_usage_hours_owner_id_start", "owner_id", "start"),
    Index("ix_usage_hours_space_id_start", "space_id", "start"),
)
class UsageRow(Row):
    """The sums over the calls that began in one hour and have the same model, provider, mode and so on.

    `grain`: `hour`, or `day` for the sums over a day and everybody: then `owner_id`, `space_id` and `key_id` are empty.
    Or `who` for those over a day by person, space, key and status alone: the other names are empty. `mon` are the sums
    of these over a month that is over.
    `start` is in seconds since the epoch. Empty texts stand for what a call does not have. `owner_id` is the author of
    the turn, or whose own key paid. `payer`: whose key it was, `installation`, `person` or `workspace`. The calls of a
    blind match have no model, provider, owner and payer before its vote, and are counted a day late. `calls` are
    requests to providers; `unpriced` those without a known price.
    """

    grain: Annotated[str, String(4), column(primary_key=True)]
    start: Annotated[int, BigInteger, column(primary_key=True, autoincrement=False)]
    seq: Annotated[int, Integer, column(primary_key=True, autoincrement=False)]
    model: Name
    provider: Annotated[str, String(200)]
    mode: Name
    purpose: Name
    owner_id: Id
    space_id: Id
    key_id: Id
    status: Annotated[str, String(16)]
    payer: Annotated[str, String(16)]
    calls: int
    from_cache: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    reasoning_tokens: int
    cost_micros: int
    unpriced: int


@stored_in("usage_cursor")
class UsageCursorRow(Row):
    """The latest call that is folded, in one row, which whoever folds an hour locks first."""

    id: Annotated[int, Integer, column(primary_key=True, autoincrement=False)]
    call_id: Id


@stored_in("usage_stale")
class UsageStaleRow(Row):
    """An hour that is folded again: at once, or once its blind match was voted on.

    `match_id` is empty for an hour to be folded at once. `veiled`: the match's calls are counted, without their models.
    """

    start: Annotated[int, BigInteger, column(primary_key=True, autoincrement=False)]
    match_id: Annotated[Id, column(primary_key=True)]
    veiled: bool
