"""Drafts: rows of new sessions and turns as plain values, since SQLAlchemy's objects cost five times as much."""

from datetime import datetime
from typing import Any, TypeAlias

import msgspec

from parley.storage.tables.conversations import Match, SearchText, Seat, Session, Turn
from parley.storage.tables.declared import Table


class SessionDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A new session; see `Session`."""

    id: str
    owner_id: str
    title: str
    mode: str
    archived: bool
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None


class MatchDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A new match; see `Match`."""

    id: str
    session_id: str
    owner_id: str
    index: int
    mode: str
    brief: dict[str, Any]
    brief_version: int
    blind: bool
    paced: bool
    ballot: dict[str, Any] | None
    status: str
    void: dict[str, Any] | None
    propensity: float | None
    created_at: datetime


class SeatDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A new seat; see `Seat`."""

    id: str
    match_id: str
    index: int
    name: str
    role: str
    model_id: str
    settings: dict[str, Any] | None
    from_turn: int
    until_turn: int | None
    parent_turn_id: str | None
    parent_seat: str | None


class TurnDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A new turn; see `Turn`."""

    id: str
    match_id: str
    session_id: str
    owner_id: str
    index: int
    input: dict[str, Any]
    input_sha256: str
    status: str
    play: int
    error: dict[str, Any] | None
    created_at: datetime


class SearchTextDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A new text to be found by; see `SearchText`."""

    session_id: str
    owner_id: str
    is_title: bool
    text: str


Draft: TypeAlias = SessionDraft | MatchDraft | SeatDraft | TurnDraft | SearchTextDraft

TABLES: dict[type[Draft], type[Table]] = {
    SessionDraft: Session,
    MatchDraft: Match,
    SeatDraft: Seat,
    TurnDraft: Turn,
    SearchTextDraft: SearchText,
}
"""Where each kind of draft is kept."""
