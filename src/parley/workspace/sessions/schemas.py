"""What may be asked of sessions, validated."""

from typing import Annotated

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
    """A new title, or a place in or out of the archive."""

    title: Annotated[str, AfterValidator(_title)] | None = None
    archived: bool | None = None

    @model_validator(mode="after")
    def _something(self) -> "ChangeSession":
        if self.title is None and self.archived is None:
            raise ValueError("give a title, archived, or both")
        return self
