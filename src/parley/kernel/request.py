"""Request bodies: strict types, no unknown fields, and only text that can be stored and sent on."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, cast

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

MAX_PROMPT_CHARS = 30_000

MOST = 2**31 - 1
"""The highest place or version: PostgreSQL takes none beyond it, even to search for it."""

_LARGEST = 2**63 - 1

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def _spoken(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    if len(text) > MAX_PROMPT_CHARS:
        raise ValueError(f"has {len(text):,} characters; the limit is {MAX_PROMPT_CHARS:,}")
    return text


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("is not a time in the years 1 to 9999 UTC") from None


Number = Annotated[int, Field(ge=1, le=MOST)]
"""A number that counts from 1."""

Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]
"""A time that says its zone, in UTC."""

Prompt = Annotated[str, AfterValidator(_spoken), Field(json_schema_extra={"maxLength": MAX_PROMPT_CHARS})]


class Request(BaseModel):
    """A request body: strict types, no unknown fields, and only text that can be stored and sent on."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _clean(cls, body: object) -> object:
        try:
            clean = storable(body)
        except RecursionError:
            raise ValueError("is nested too deeply") from None
        if place := _place_of_too_large(cls._known(clean)):
            raise PydanticCustomError("number_too_large", "is too large a number", {"place": place})
        return clean

    @classmethod
    def _known(cls, body: object) -> object:
        """Return the body without the fields that a request only passes on, where it may have such."""
        if cls.model_config.get("extra") == "forbid" or not isinstance(body, dict):
            return body
        fields = cast("dict[str, object]", body)
        return {name: fields[name] for name in fields.keys() & cls.model_fields.keys()}


def storable(value: object) -> object:
    """Return JSON without NUL and lone surrogates: PostgreSQL can't store the one, and UTF-8 can't encode the other."""
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, list):
        return [storable(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in cast("dict[object, object]", value).items()}
    return value


def _place_of_too_large(value: object) -> list[object]:
    """Return the keys and indexes that lead to the first number with more than 64 bits; empty if there is none."""
    items: Iterable[tuple[object, object]] = ()
    if isinstance(value, dict):
        items = cast("dict[object, object]", value).items()
    elif isinstance(value, list):
        items = enumerate(cast("list[object]", value))
    for key, item in items:
        if isinstance(item, int) and not -_LARGEST <= item <= _LARGEST:
            return [key]
        if inner := _place_of_too_large(item):
            return [key, *inner]
    return []
