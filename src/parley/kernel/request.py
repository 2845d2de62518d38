"""Request bodies: strict types, no unknown fields, and only text that can be stored and sent on."""

import re
from typing import Annotated, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

MAX_PROMPT_CHARS = 30_000

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def _spoken(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    if len(text) > MAX_PROMPT_CHARS:
        raise ValueError(f"has {len(text):,} characters; the limit is {MAX_PROMPT_CHARS:,}")
    return text


Prompt = Annotated[str, AfterValidator(_spoken), Field(json_schema_extra={"maxLength": MAX_PROMPT_CHARS})]


class Request(BaseModel):
    """A request body: strict types, no unknown fields, and only text that can be stored and sent on."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @model_validator(mode="before")
    @classmethod
    def _clean(cls, body: object) -> object:
        try:
            return storable(body)
        except RecursionError:
            raise ValueError("is nested too deeply") from None


def storable(value: object) -> object:
    """Return JSON without NUL and lone surrogates: PostgreSQL can't store the one, and UTF-8 can't encode the other."""
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, list):
        return [storable(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in cast("dict[object, object]", value).items()}
    return value
