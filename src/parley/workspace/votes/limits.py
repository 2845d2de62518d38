"""Limits of vote files: how much of one is read, whatever it holds."""

import msgspec

COLUMNS = 1_000
"""The most columns of a file."""

ROW_BYTES = 16 << 20
"""The longest row, and so the longest cell."""

VALUES = 1_000_000
"""The most values of one row: elements of lists and fields of objects, at any depth."""

ROWS_PER_BYTE, ROWS_FREE = 8, 10_000
"""Parquet: so many rows may be in one byte of the file, once there are more than a few: a vote that says anything takes
more than a bit."""

RATIO, UNPACKED_FREE = 1_000, 64 << 20
"""Parquet: what is read may be so many times the file's size, beside a part that is always allowed."""


class FileLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator may set."""

    rows: int = 20_000_000
    memory_mb: int = 1_024
    """How much memory the process may take that unpacks Parquet."""
