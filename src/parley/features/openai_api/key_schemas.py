"""Requests and responses about API keys."""

from typing import Annotated

import msgspec
from pydantic import AfterValidator, Field

from parley.kernel.caller import KeyScope
from parley.kernel.names import checked_name
from parley.kernel.request import Request

MAX_NAME_CHARS = 64
MOST_KEYS = 100
MOST_MODELS = 200
MOST_DAYS = 3_650

AllowedModels = Annotated[
    list[Annotated[str, Field(max_length=200)]], Field(min_length=1, max_length=MOST_MODELS)
]


class NewApiKey(Request):
    """A key to make. `models`: ids of the only models that it may use. `days` until it expires; null for never.

    `scopes`: what it may do: `chat`, `embeddings` and `images` at the door, as is usual; `read` what everyone shares.
    """

    name: Annotated[str, Field(max_length=MAX_NAME_CHARS), AfterValidator(checked_name)]
    models: AllowedModels | None = None
    days: Annotated[int, Field(ge=1, le=MOST_DAYS)] | None = None
    scopes: Annotated[list[KeyScope], Field(min_length=1, max_length=4)] | None = None


class ApiKeyView(msgspec.Struct, frozen=True, kw_only=True):
    """An API key, without its secret. `prefix` is how the secret begins. Times are ISO 8601, UTC."""

    id: str
    name: str
    prefix: str
    models: list[str] | None
    scopes: list[KeyScope]
    created_at: str
    expires_at: str | None
    last_used_at: str | None


class MadeApiKey(msgspec.Struct, frozen=True):
    """A new key with its secret, which nobody can be told again."""

    key: ApiKeyView
    secret: str


class ApiKeyList(msgspec.Struct, frozen=True):
    """One's own keys, the newest first. `required`: without a key, the door is closed."""

    keys: list[ApiKeyView]
    required: bool
