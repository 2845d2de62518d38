"""Tables of the processes that share a database, and of what they ask of each other."""

from typing import Annotated

from sqlalchemy import Float, Index, Text

from parley.storage.tables.rows import Id, Key, Name, Row, column, stored_in


@stored_in("replicas")
class ReplicaRow(Row):
    """A process that plays turns. `seen_at`: seconds since the epoch, by the database's clock."""

    id: Key
    seen_at: Annotated[float, Float]


@stored_in("turn_orders", Index("ix_turn_orders_turn_id", "turn_id"))
class TurnOrderRow(Row):
    """An order to the replica that plays a turn, and its result. `data` and `result` are JSON."""

    id: Key
    turn_id: Annotated[Id, column(references="turns.id", ondelete="CASCADE")]
    kind: Name
    data: Annotated[str, Text]
    created_at: Annotated[float, Float]
    result: Annotated[str | None, Text] = None
