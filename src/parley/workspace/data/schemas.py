"""What is told of a person's data."""

import msgspec


class DataSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Where the data lies and how large it is. `database` is without its password; `bytes` is of the folders."""

    folder: str
    database: str
    bytes: int
    sessions: int
    presets: int
    votes: int


class Erased(msgspec.Struct, frozen=True, kw_only=True):
    """How much was deleted."""

    sessions: int
    presets: int
