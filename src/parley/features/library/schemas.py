"""Requests and responses about the library."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias

import msgspec
from pydantic import AfterValidator, Field

from parley.features.sessions.schemas import Tag
from parley.kernel.names import checked_name
from parley.kernel.pictures import PictureSettings
from parley.kernel.request import Request
from parley.kernel.views import ModelCard

AssetKind: TypeAlias = Literal["picture", "code", "table", "text", "export", "file"]
AssetOrigin: TypeAlias = Literal["reply", "kept", "trial", "upload", "export", "program"]

MOST_TAGS = 20


class AssetFilter(msgspec.Struct, frozen=True, kw_only=True):
    """The things of the library to list. `search` is in names and prompts."""

    search: str = ""
    kind: AssetKind | None = None
    model: str | None = None
    session: str | None = None
    tag: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    oldest_first: bool = False


class KeepReply(Request):
    """A reply to keep in the library."""

    reply_id: Annotated[str, Field(max_length=32)]


class KeepExport(Request):
    """A session to export into the library."""

    session_id: Annotated[str, Field(max_length=32)]
    format: Literal["markdown", "json"] = "markdown"


class ChangeAsset(Request):
    """The fields to change. `tags` replaces all tags."""

    title: Annotated[str, Field(max_length=200), AfterValidator(checked_name)] | None = None
    tags: Annotated[list[Tag], Field(max_length=MOST_TAGS)] | None = None


class AssetCard(msgspec.Struct, frozen=True, kw_only=True):
    """Something in the library, as it is listed. `model_id` is who made it, null without a model.

    `excerpt`: the beginning of a text. `preferred`: the person voted for it. Times are ISO 8601, UTC.
    """

    id: str
    origin: AssetOrigin
    kind: AssetKind
    title: str
    media_type: str
    size: int
    sha256: str
    width: int | None
    height: int | None
    model_id: str | None
    created_at: str
    excerpt: str | None = None
    preferred: bool = False


class KindCount(msgspec.Struct, frozen=True):
    """The number of things of a kind that match the other filters."""

    kind: AssetKind
    count: int


class AssetPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the library. `total`, `size` (in bytes) and `kinds` are over all pages; only the first one has them."""

    assets: list[AssetCard]
    total: int | None
    size: int | None
    kinds: list[KindCount]
    next_cursor: str | None


class AssetMade(msgspec.Struct, frozen=True, kw_only=True):
    """The making of something by a program. `cost_micros` is its part of the call's cost; null without a price."""

    prompt: str
    model_id: str
    settings: PictureSettings | None
    cost_micros: int | None
    duration_ms: int


class AssetCell(msgspec.Struct, frozen=True, kw_only=True):
    """The cell of a run in the Prompt Lab; `row` is null if the run no longer has it. `run` is its number."""

    prompt_id: str
    prompt_name: str
    run_id: str
    run: int
    row: int | None
    version: int | None


class AssetSource(msgspec.Struct, frozen=True, kw_only=True):
    """The place where something was made, as it is there now: a turn, a trial's `cell`, or for a program neither.

    An export has the session alone. `settings` are those of the seat. `vote`: what the person's vote says of this
    reply, null without one.
    """

    session_id: str | None = None
    session_title: str | None = None
    mode: str | None = None
    turn_id: str | None = None
    turn: int | None = None
    reply_id: str | None = None
    cell: AssetCell | None = None
    prompt: str = ""
    model: ModelCard | None = None
    settings: PictureSettings | None = None
    cost_micros: int | None = None
    duration_ms: int | None = None
    vote: str | None = None


class AssetView(msgspec.Struct, frozen=True, kw_only=True):
    """Something in the library with its tags and its source. `alike` answer the same question."""

    asset: AssetCard
    tags: list[str]
    source: AssetSource | None
    alike: list[AssetCard]


class LibraryChoices(msgspec.Struct, frozen=True, kw_only=True):
    """The choices by which the library can be filtered."""

    models: list[str]
    tags: list[str]
    sessions: list["SessionChoice"]


class SessionChoice(msgspec.Struct, frozen=True):
    """A session with something in the library."""

    id: str
    title: str
