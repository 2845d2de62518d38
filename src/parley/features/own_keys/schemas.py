"""Requests and responses about provider keys of one's own."""

import msgspec
from pydantic import SecretStr

from parley.features.catalog.requests import ApiKey
from parley.kernel.request import Request


class PutOwnKey(Request):
    """A provider key, which no answer contains again."""

    key: ApiKey

    @property
    def plain(self) -> str:
        """The key itself."""
        secret: SecretStr = self.key
        return secret.get_secret_value()


class OwnKeyView(msgspec.Struct, frozen=True, kw_only=True):
    """A provider, and the key for it of a person or workspace, if they have one.

    `origin` is where the key is sent. `shared_key`: without an own key the installation's is used. `last_four` ends the
    key; null without one. `is_used`: false for a key that was given for another origin, or can't be decrypted.
    """

    provider_id: str
    name: str
    origin: str | None
    shared_key: bool
    last_four: str | None
    created_at: str | None
    is_used: bool


class OwnKeyList(msgspec.Struct, frozen=True):
    """The providers that a key can be added for, with the keys of one person or workspace."""

    providers: list[OwnKeyView]


class ExportedOwnKey(msgspec.Struct, frozen=True, kw_only=True):
    """A provider key as an export has it: that it was there, and never the key."""

    provider_id: str
    origin: str
    last_four: str
    created_at: str
