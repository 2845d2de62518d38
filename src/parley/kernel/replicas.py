"""Replicas: several processes on one database; each turn is played by the one that owns it."""

from collections.abc import Collection
from typing import Literal, Protocol

import msgspec


class TurnOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order to the owner of a turn: what a person asks of a turn that another replica plays. `data` is JSON."""

    id: str
    turn_id: str
    kind: Literal["stop", "interject"]
    data: str = "{}"


class Renewal(msgspec.Struct, frozen=True, kw_only=True):
    """The news for a replica when it says that it lives.

    `lost` are turns that it plays and no longer owns, `taken` those of a dead replica that it owns from now on,
    `orders` those for its turns that it has not answered.
    """

    lost: Collection[str] = ()
    taken: Collection[str] = ()
    orders: Collection[TurnOrder] = ()


class ReplicaStore(Protocol):
    """The replicas, who owns which turn, and orders, in the database that they share."""

    @property
    def leads(self) -> bool:
        """True for one replica at a time: it runs what must run once."""
        ...

    async def renew(self, playing: Collection[str], *, takes: int) -> Renewal:
        """Say that this replica lives and plays these turns; take up to so many turns of dead replicas.

        Raises Unavailable.
        """
        ...

    async def order(self, order: TurnOrder) -> None:
        """Store an order for the replica that owns its turn. Raises Unavailable."""
        ...

    async def answer(self, order_id: str, result: str) -> None:
        """Store the result of an order. Raises Unavailable."""
        ...

    async def result(self, order_id: str) -> str | None:
        """Return the result of an order; None if there is none yet. Raises Unavailable."""
        ...

    async def forget(self, order_id: str) -> None:
        """Delete an order. Raises Unavailable."""
        ...

    async def others(self) -> int:
        """Return how many other replicas there are, dead ones that nobody has noticed too. Raises Unavailable."""
        ...

    async def leave(self) -> None:
        """Say that this replica ends: the others take its turns. Raises Unavailable."""
        ...


class TurnsLost(Exception):
    """Entries were left out, since another replica plays their turns by now. All others are stored."""

    def __init__(self, turn_ids: Collection[str]) -> None:
        super().__init__(f"another replica plays {', '.join(sorted(turn_ids))}")
        self.turn_ids = frozenset(turn_ids)
