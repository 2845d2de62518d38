"""Limits on what a vote file may hold, so that any file is read in bounded time and memory."""

from typing import TYPE_CHECKING, Self

import msgspec

if TYPE_CHECKING:
    from parley.settings import Settings

COLUMNS = 1_000
ROW_BYTES = 16 << 20
"""The longest row, and so the longest cell."""

VALUES = 1_000_000
"""Values in one row: elements of lists and fields of objects, at any depth."""

ROWS_PER_BYTE, ROWS_FREE = 8, 10_000
"""Parquet: rows per byte of the file, beyond a few that are always allowed. A real vote takes more than a bit."""

RATIO, UNPACKED_FREE = 1_000, 64 << 20
"""Parquet: unpacked bytes per byte of the file, beyond an amount that is always allowed."""


class FileLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits that an operator may set."""

    rows: int = 20_000_000
    memory_mb: int = 1_024
    """Memory of the process that unpacks Parquet."""

    @classmethod
    def of(cls, settings: "Settings") -> Self:
        """Return the limits that the settings give."""
        return cls(rows=settings.import_max_rows, memory_mb=settings.import_memory_mb)
