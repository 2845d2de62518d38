"""Responses about a person's data."""

import msgspec


class DataSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Where the data is stored and how large it is.

    `database` has no password in it. `bytes` is the size of the folders.
    """

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
