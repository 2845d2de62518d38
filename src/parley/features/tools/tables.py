"""Tables of tools: what a person chose, what a session allows, what has begun to run, and who has signed in where."""

from typing import Annotated

from sqlalchemy import Boolean, Integer, LargeBinary, String

from parley.storage.tables.rows import Id, Row, Time, column, stored_in

TOOL_NAME_CHARS = 64


@stored_in("tool_choices")
class ToolChoiceRow(Row):
    """A tool that a person has switched on or off; `asks`: whether it asks first, null for the tool's own way."""

    owner_id: Annotated[Id, column(references="users.id", primary_key=True)]
    name: Annotated[str, String(TOOL_NAME_CHARS), column(primary_key=True)]
    enabled: bool
    asks: Annotated[bool | None, Boolean]


@stored_in("tool_grants")
class ToolGrantRow(Row):
    """A person's answer, for one session, to a tool that asks first."""

    session_id: Annotated[Id, column(references="sessions.id", ondelete="CASCADE", primary_key=True)]
    name: Annotated[str, String(TOOL_NAME_CHARS), column(primary_key=True)]
    owner_id: Id
    allowed: bool
    created_at: Time


@stored_in("tool_runs")
class ToolRunRow(Row):
    """A call of a tool that does more than read, stored before it begins: it never begins again."""

    turn_id: Annotated[Id, column(references="turns.id", ondelete="CASCADE", primary_key=True)]
    reply_id: Annotated[Id, column(primary_key=True)]
    attempt: Annotated[int, Integer, column(primary_key=True)]
    call_id: Annotated[str, String(200), column(primary_key=True)]
    begun_at: Time


@stored_in("tool_sign_ins")
class ToolSignInRow(Row):
    """A person's sign-in at a server of tools: their tokens, encrypted for them and for the server's origin.

    `renewing_until`: one process renews the tokens until then, and the others wait for it.
    """

    person_id: Annotated[Id, column(references="users.id", primary_key=True)]
    server: Annotated[str, String(24), column(primary_key=True)]
    id: Id
    issuer: Annotated[str, String(300)]
    sealed: Annotated[bytes, LargeBinary]
    created_at: Time
    renewing_until: Time | None
