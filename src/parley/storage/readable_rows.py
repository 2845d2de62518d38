"""Lists in which a value that no version writes costs its own row alone."""

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from parley.storage.tables.rows import Row

T = TypeVar("T")
RowT = TypeVar("RowT", bound=Row)

log = logging.getLogger(__name__)


def each_readable(rows: Iterable[RowT], view: Callable[[RowT], T]) -> Iterator[T]:
    """Yield what each row becomes; one that can't be read is logged by its primary key and left out."""
    for row in rows:
        try:
            yield view(row)
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            key = "/".join(str(getattr(row, column.key)) for column in row.table.primary_key)
            log.warning("Leaving out %s of %s, which has a mistake: %r", key, row.table.name, error)
