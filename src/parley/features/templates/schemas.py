"""Requests and responses about templates."""

from typing import Annotated

import msgspec
from pydantic import AfterValidator, Field

from parley.kernel.request import Prompt, Request

MAX_NAME_CHARS = 80
MOST_TEMPLATES = 500


def _named(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return " ".join(text.split())


class SaveTemplate(Request):
    """A prompt under a name. `{{words}}` in it are placeholders that a person fills in."""

    name: Annotated[str, Field(max_length=MAX_NAME_CHARS), AfterValidator(_named)]
    text: Prompt


class TemplateView(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt template. Times are ISO 8601, UTC."""

    id: str
    name: str
    text: str
    created_at: str
    updated_at: str


class TemplateList(msgspec.Struct, frozen=True):
    """Every template of the owner, by name."""

    templates: list[TemplateView]
