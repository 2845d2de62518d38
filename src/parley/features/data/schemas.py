"""Responses about a person's data."""

import msgspec


class DataSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The place and size of the data, for who may manage it, and how many things of one's own there are.

    `database` has no password in it. `bytes` is the size of the folders.
    """

    folder: str | None
    database: str | None
    bytes: int | None
    sessions: int
    presets: int
    votes: int


class Erased(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of deleted things."""

    sessions: int
    presets: int
