"""Callers: who asks for something, what they may ask for, and how they came."""

from enum import StrEnum
from typing import Literal, TypeAlias

import msgspec

Way: TypeAlias = Literal["page", "program", "command", "inside"]
"""A browser's page, a program over HTTP, a command in its own process, or Parley's own background work."""


class Scope(StrEnum):
    """What a caller may ask for; one never holds another."""

    READ = "read"
    """What everybody here shares: models, modes, standings."""
    TALK = "talk"
    """What is one's own: sessions, turns, votes, presets."""
    MANAGE = "manage"
    """What concerns everybody: votes as files, counting them anew."""


class Caller(msgspec.Struct, frozen=True):
    """One who asks. A use case finds only what is the person's own; for anything else there is nothing."""

    person_id: str
    scopes: frozenset[Scope]
    way: Way

    def __str__(self) -> str:
        """Return who asks and how they came, for the log."""
        return f"{self.person_id} ({self.way})"


def inside(person_id: str) -> Caller:
    """Return the caller for background work on what is one person's own."""
    return Caller(person_id, frozenset({Scope.TALK}), "inside")
