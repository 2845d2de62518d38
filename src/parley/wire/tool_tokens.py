"""A person's tokens at a server of tools, and a sign-in that is under way."""

from typing import NamedTuple

import msgspec


class Grantor(msgspec.Struct, frozen=True, kw_only=True):
    """An authorization server, and Parley's registration there: all that getting and renewing a token takes."""

    issuer: str
    token_endpoint: str
    revocation_endpoint: str | None
    resource: str
    client_id: str
    client_secret: str | None
    method: str


class Tokens(msgspec.Struct, frozen=True, kw_only=True):
    """A person's tokens at a server. `expires_at` is null where nothing was said of it."""

    grantor: Grantor
    access: str
    refresh: str | None = None
    expires_at: float | None = None


class Journey(msgspec.Struct, frozen=True, kw_only=True):
    """A sign-in that has begun: what the browser must bring back, and the secret that proves who began it."""

    grantor: Grantor
    state: str
    verifier: str
    redirect_uri: str
    names_issuer: bool
    until: float


class Arrival(NamedTuple):
    """The parameters with which an authorization server sends the browser back."""

    code: str
    state: str
    issuer: str
    error: str
