"""Requests and responses about shared sessions, validated."""

from typing import Annotated

import msgspec
from pydantic import Field

from parley.kernel.request import Request


class ShareSession(Request):
    """A link to a session. `live`: the page changes with it; otherwise it stays as it is now.

    `days`: until the link expires; null without an end.
    """

    live: bool = True
    days: Annotated[int, Field(ge=1, le=3650)] | None = 7


class CopyShared(Request):
    """The secret of a link to a session: the last part of its address."""

    token: Annotated[str, Field(min_length=1, max_length=100)]


class CopiedSession(msgspec.Struct, frozen=True):
    """The copy of a shared session, a chat of one's own."""

    session_id: str


class ShareView(msgspec.Struct, frozen=True, kw_only=True):
    """A link to a session. `url` is null unless it has just been made: only its hash is stored."""

    id: str
    live: bool
    created_at: str
    expires_at: str | None
    opened: int
    url: str | None


class ShareList(msgspec.Struct, frozen=True):
    """Every link to a session that can be opened, the newest first."""

    shares: list[ShareView]
