"""What may be asked of sessions, validated."""

from typing import Annotated

import msgspec
from pydantic import AfterValidator, model_validator

from parley.workspace.arena.schemas import Request


def _title(text: str) -> str:
    title = " ".join(text.split())
    if not title:
        raise ValueError("must not be empty")
    if len(title) > 200:
        raise ValueError(f"has {len(title)} characters; at most 200 are possible")
    return title


class ChangeSession(Request):
    """A new title, in or out of the archive, pinned or not."""

    title: Annotated[str, AfterValidator(_title)] | None = None
    archived: bool | None = None
    pinned: bool | None = None

    @model_validator(mode="after")
    def _something(self) -> "ChangeSession":
        if self.title is None and self.archived is None and self.pinned is None:
            raise ValueError("give a title, archived, pinned, or several of them")
        return self


class SessionFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which sessions to list; null means both, or every mode."""

    search: str = ""
    archived: bool = False
    mode: str | None = None
    pinned: bool | None = None
