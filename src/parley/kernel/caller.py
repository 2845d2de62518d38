"""Callers: who makes a request, what they may do, and how they connected."""

from abc import ABC, abstractmethod
from enum import StrEnum
from typing import Literal, TypeAlias

import msgspec

Way: TypeAlias = Literal["page", "program", "command", "inside"]
"""A page in a browser, a program over HTTP, a command in its own process, or background work."""


class Scope(StrEnum):
    """What a caller may do; no scope includes another."""

    READ = "read"
    """Read what everyone shares: models, modes, standings."""
    TALK = "talk"
    """Use one's own sessions, turns, votes and presets."""
    MANAGE = "manage"
    """Change what everyone shares: import votes, recount them."""


class Caller(msgspec.Struct, frozen=True):
    """Who makes a request. Use cases find only what belongs to this person."""

    person_id: str
    scopes: frozenset[Scope]
    way: Way

    def __str__(self) -> str:
        """Return the person and how they connected, for the log."""
        return f"{self.person_id} ({self.way})"


class Callers(ABC):
    """The port that knows who makes a request."""

    @abstractmethod
    async def caller_of(self, way: Way, *, is_local: bool) -> Caller:
        """Return the caller; `is_local`: the request comes from this computer."""


def inside(person_id: str) -> Caller:
    """Return the caller for background work on what is one person's own."""
    return Caller(person_id, frozenset({Scope.TALK}), "inside")
