"""Requests and responses about files of sessions."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from pydantic import Field

from parley.features.sessions.schemas import AT_ONCE
from parley.kernel.request import Request

SessionFormat: TypeAlias = Literal["markdown", "json", "html"]
Source: TypeAlias = Literal["parley", "messages", "chatgpt", "open-webui"]


class ExportSessions(Request):
    """Which sessions to export, and in which format. They are written in this order, in one file."""

    ids: Annotated[list[Annotated[str, Field(max_length=32)]], Field(min_length=1, max_length=AT_ONCE)]
    format: SessionFormat = "markdown"


class SkippedConversation(msgspec.Struct, frozen=True):
    """A conversation of the file that was not imported, and why. `place` counts from 1."""

    place: int
    title: str
    reason: str


class ImportedSessions(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an import: how many conversations were imported, already present, or unreadable.

    `skipped` has the first hundred of the unreadable ones.
    """

    imported: int
    already_here: int
    unreadable: int
    skipped: tuple[SkippedConversation, ...]
