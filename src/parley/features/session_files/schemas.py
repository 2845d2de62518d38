"""Requests and responses about files of sessions."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from pydantic import Field

from parley.features.sessions.schemas import AT_ONCE
from parley.kernel.request import Request

SessionFormat: TypeAlias = Literal["markdown", "json", "html"]
Source: TypeAlias = Literal["parley", "messages", "chatgpt", "open-webui", "claude", "librechat"]


class ExportSessions(Request):
    """The sessions to export, and the format. They are written in this order, in one file.

    `texts` is for a web page: Markdown rendered, or as it was written, in elements with `data-markdown`, for a renderer
    that also draws formulas and diagrams.
    """

    ids: Annotated[list[Annotated[str, Field(max_length=32)]], Field(min_length=1, max_length=AT_ONCE)]
    format: SessionFormat = "markdown"
    texts: Literal["rendered", "source"] = "rendered"


class SkippedConversation(msgspec.Struct, frozen=True):
    """A conversation of the file that was not imported, and why. `place` counts from 1."""

    place: int
    title: str
    reason: str


class ImportNote(msgspec.Struct, frozen=True):
    """A loss of an imported conversation, such as a tag. `place` is that in the file, from 1."""

    place: int
    title: str
    text: str


class ImportedSessions(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an import: how many conversations were imported, already present, or unreadable.

    `skipped` has the first hundred of the unreadable ones, `notes` the first hundred about the others.
    """

    imported: int
    already_here: int
    unreadable: int
    skipped: tuple[SkippedConversation, ...]
    notes: tuple[ImportNote, ...] = ()
