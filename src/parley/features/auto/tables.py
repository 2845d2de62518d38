"""Tables of Auto: its decisions, and what people want of it."""

from typing import Annotated

from sqlalchemy import Double, Index, String

from parley.storage.tables.rows import Document, Id, Name, Row, Time, column, stored_in


@stored_in("auto_decisions", Index("ix_auto_decisions_session_id", "session_id"))
class AutoDecisionRow(Row):
    """Who answers a turn, and why; see `Decision`."""

    turn_id: Annotated[Id, column(references="turns.id", ondelete="CASCADE", primary_key=True)]
    session_id: Id
    owner_id: Annotated[Id, column(references="users.id")]
    kind: Name
    target: Annotated[str | None, String(64)]
    probability: Annotated[float, Double]
    decision: Document
    created_at: Time


@stored_in("auto_policies")
class AutoPolicyRow(Row):
    """The weights that a person has set, the place of questions without tools, and the kinds of presets by id."""

    owner_id: Annotated[Id, column(references="users.id", primary_key=True)]
    rest: Name
    quality: Annotated[float, Double]
    price: Annotated[float, Double]
    wait: Annotated[float, Double]
    local_only: bool
    presets: Document


@stored_in("auto_lessons", Index("ix_auto_lessons_owner_id", "owner_id"))
class AutoLessonRow(Row):
    """The model that a person used instead of the one that Auto chose for a turn."""

    turn_id: Annotated[Id, column(references="auto_decisions.turn_id", ondelete="CASCADE", primary_key=True)]
    owner_id: Annotated[Id, column(references="users.id")]
    used: Annotated[str, String(64)]
    created_at: Time
