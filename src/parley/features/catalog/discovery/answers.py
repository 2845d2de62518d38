"""Responses of untrusted servers: fetched within limits, read defensively."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import msgspec

from parley.wire.http import HttpClient, Response

Fields: TypeAlias = Mapping[str, object]
"""A JSON object whose values may be anything."""

LOCAL_BYTES = 2 << 20
"""The size limit of a response from a server found on this computer."""

MAX_MODELS = 5000
"""The models of one list that are read."""

TEXT_LIMIT = 200
"""The longest name, in characters: what the model list allows."""

NUMBER_LIMIT = 40
EXCERPT_BYTES = 2048
_LARGEST = 10**15
_NOTHING: Fields = {}


@dataclass(frozen=True)
class ServerAnswer:
    """A complete response."""

    status: int
    media_type: str
    body: bytes

    @cached_property
    def document(self) -> object:
        """The body as JSON; None if it is none, or too long to be anything but a list of models."""
        if len(self.body) > LOCAL_BYTES:
            return None
        try:
            return msgspec.json.decode(self.body)
        except (ValueError, RecursionError):
            return None

    @property
    def ok(self) -> bool:
        """True if the status is a success."""
        return 200 <= self.status < 300

    @property
    def is_page(self) -> bool:
        """True if it is a web page for a browser."""
        return self.document is None and (
            self.media_type in ("text/html", "application/xhtml+xml") or self.body.lstrip()[:1] == b"<"
        )

    @property
    def fields(self) -> Fields:
        """The document if it is an object, else an empty one."""
        return fields_of(self.document)


async def fetch(
    client: HttpClient,
    url: str,
    headers: Mapping[str, str] | None = None,
    *,
    limit: int = LOCAL_BYTES,
    post: Fields | None = None,
) -> ServerAnswer:
    """Request a URL and read its whole answer. Raises UpstreamError, also if it is longer than the limit.

    Bounds no time: callers have a deadline for everything they ask. The start of a failure's body is enough.
    """
    if post is None:
        response = await client.get_json(url, headers or {})
    else:
        response = await client.post_json(url, msgspec.json.encode(post), headers or {})
    try:
        body = await _body_of(response, limit)
    finally:
        response.close()
    return ServerAnswer(response.status, response.media_type, body)


async def _body_of(response: Response, limit: int) -> bytes:
    if 200 <= response.status < 300:
        return await response.read_body(limit)
    return await response.read_start(EXCERPT_BYTES)


class _Data(msgspec.Struct):
    data: list[msgspec.Raw] | msgspec.UnsetType | None = msgspec.UNSET
    models: list[msgspec.Raw] | msgspec.UnsetType | None = msgspec.UNSET


def entries_of(body: bytes) -> list[Fields] | None:
    """Return the entries of a list of models, at most MAX_MODELS; None if the body is no such list.

    Takes an array, or an object with an array in `data` or `models`, null without any: a fresh Ollama has
    `"data": null`. Entries that are no objects are left out.
    """
    try:
        if body.lstrip()[:1] == b"[":
            raw = msgspec.json.decode(body, type=list[msgspec.Raw])
        else:
            lists = msgspec.json.decode(body, type=_Data)
            lists_there = [each for each in (lists.data, lists.models) if each is not msgspec.UNSET]
            if not lists_there:
                return None
            raw = lists.data or lists.models or []
        entries = [msgspec.json.decode(entry) for entry in raw[:MAX_MODELS]]
    except (ValueError, RecursionError):
        return None
    return [fields for entry in entries if (fields := fields_of(entry))]


def fields_of(value: object) -> Fields:
    """Return a value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else _NOTHING  # pyright: ignore[reportUnknownVariableType]


def items_of(value: object) -> Iterator[object]:
    """Yield the items of a value if it is a JSON array, at most MAX_MODELS."""
    if isinstance(value, list):
        yield from value[:MAX_MODELS]


def text_of(value: object) -> str | None:
    """Return a value if it is a text that can be a name: one line, not empty, not too long."""
    if not isinstance(value, str) or len(value) > TEXT_LIMIT:
        return None
    text = value.strip()
    return text if text and text.isprintable() else None


def texts_of(value: object) -> frozenset[str]:
    """Return the texts in a JSON array, in lower case."""
    return frozenset(text.lower() for item in items_of(value) if (text := text_of(item)))


def count_of(value: object) -> int | None:
    """Return a value if it is a positive whole number of a size that occurs."""
    number = number_of(value)
    return int(number) if number is not None and 1 <= number <= _LARGEST else None


def number_of(value: object) -> float | None:
    """Return a value if it is a finite number that is not negative, also one written as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and len(value) > NUMBER_LIMIT:
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and number >= 0 else None
