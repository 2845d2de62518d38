"""Requests and responses about sessions, validated."""

import unicodedata
from typing import Annotated, Literal

import msgspec
from pydantic import AfterValidator, Field, model_validator

from parley.kernel.names import checked_name
from parley.kernel.request import Request
from parley.kernel.views import SessionCard

TAG_CHARS = 40
TAGS = 20
"""The most tags of a session."""

AT_ONCE = 500
"""The most sessions that one request can change."""


def _title(text: str) -> str:
    title = checked_name(text)
    if len(title) > 200:
        raise ValueError(f"has {len(title)} characters; the limit is 200")
    return title


def as_tag(text: str) -> str:
    """Return a tag as it is stored: in lower case, with single spaces."""
    return unicodedata.normalize("NFC", " ".join(text.lower().split()))


def _tag(text: str) -> str:
    tag = as_tag(checked_name(text))
    if len(tag) > TAG_CHARS:
        raise ValueError(f"has {len(tag)} characters; the limit is {TAG_CHARS}")
    return tag


Tag = Annotated[str, AfterValidator(_tag), Field(json_schema_extra={"maxLength": TAG_CHARS})]
Tags = Annotated[list[Tag], Field(max_length=TAGS)]


class ChangeSession(Request):
    """Changes to a session: its title, archive, pin and tags."""

    title: Annotated[str, AfterValidator(_title)] | None = None
    archived: bool | None = None
    pinned: bool | None = None
    tags: Tags | None = None

    @model_validator(mode="after")
    def _something(self) -> "ChangeSession":
        if all(value is None for value in (self.title, self.archived, self.pinned, self.tags)):
            raise ValueError("must have at least one of title, archived, pinned and tags")
        return self


class ChangeSessions(Request):
    """One change to many sessions: archive, unarchive, delete, restore, add or remove tags."""

    ids: Annotated[list[Annotated[str, Field(max_length=32)]], Field(min_length=1, max_length=AT_ONCE)]
    archived: bool | None = None
    deleted: bool | None = None
    add_tags: Tags = Field(default_factory=list)
    remove_tags: Tags = Field(default_factory=list)

    @model_validator(mode="after")
    def _something(self) -> "ChangeSessions":
        if self.archived is None and self.deleted is None and not (self.add_tags or self.remove_tags):
            raise ValueError("must have at least one of archived, deleted, add_tags and remove_tags")
        return self


class ChangedSessions(msgspec.Struct, frozen=True):
    """The number of changed sessions."""

    changed: int


class TagCard(msgspec.Struct, frozen=True):
    """A tag and its number of sessions. Archived sessions count, deleted ones do not."""

    name: str
    sessions: int


class TagList(msgspec.Struct, frozen=True):
    """A person's tags, by name."""

    tags: tuple[TagCard, ...]


class SessionFilter(msgspec.Struct, frozen=True, kw_only=True):
    """The sessions to list; null means both, or every mode.

    Without `archived`, archived sessions are listed only if a search or a tag matches them.
    """

    search: str = ""
    archived: bool | None = None
    mode: str | None = None
    pinned: bool | None = None
    tag: str | None = None


class SessionPage(msgspec.Struct, frozen=True):
    """A page of sessions, latest activity first. `next_cursor` is null on the last page.

    `unsearched`: how many of the person's ended turns a search does not look into yet; it goes down by itself.
    Without a search it is 0.
    """

    sessions: list[SessionCard]
    next_cursor: str | None
    unsearched: int = 0


class SealWrapView(msgspec.Struct, frozen=True, kw_only=True):
    """The key of a sealed session as a passkey or a passphrase wraps it; all bytes are base64url."""

    kind: Literal["passphrase", "passkey"]
    salt: str
    nonce: str
    key: str
    iterations: int | None = None
    credential_id: str | None = None


class SealView(msgspec.Struct, frozen=True):
    """The seal of a session: each wrap alone is enough to open it, with its secret."""

    wraps: tuple[SealWrapView, ...]


EXPORT_NOTE = (
    "This session is sealed: its texts are here as they are stored, encrypted. They can be read in Parley only, with "
    "the passkey or passphrase that you chose."
)


class SealedExport(msgspec.Struct, frozen=True, kw_only=True):
    """A sealed session in its person's own export: `title` and the texts of `turns` are encrypted, as stored."""

    session: SessionCard
    note: str = EXPORT_NOTE
    wraps: tuple[SealWrapView, ...]
    title: str
    turns: tuple[dict[str, object], ...]
