"""Dependencies of handlers: the parts of Parley, the caller, and the request's idempotency key."""

import hashlib
import ipaddress
from collections.abc import Collection
from functools import lru_cache
from typing import Annotated, cast

import msgspec
from fastapi import Depends, Header, Request

from parley.api.guard import is_from_page
from parley.api.openai_errors import is_door
from parley.engine.open_streams import OpenStreams
from parley.kernel.caller import Caller, Callers, Credentials
from parley.kernel.errors import Invalid
from parley.kernel.idempotency import IdempotencyKey
from parley.kernel.parts import Parts
from parley.kernel.sealing import read_key
from parley.text.plain_words import did_you_mean

LOGIN_COOKIE = "parley_login"
"""The cookie with the secret of a browser's login."""

SEAL_HEADER = "parley-seal"
"""The header with the key of the sealed session that a request is about: never in an address, which logs have."""

SPACE_COOKIE = "parley_space"
SPACE_HEADER = "parley-space"
"""The cookie and the header that name the workspace to act in; programs send the header."""


async def get_parts(request: Request) -> Parts:
    """Return the parts of the Parley that this server serves."""
    return cast("Parts", request.app.state.parts)


App = Annotated[Parts, Depends(get_parts)]


async def get_caller(request: Request, app: App) -> Caller:
    """Return the caller of a request."""
    return await caller_of(request, app)


async def caller_of(request: Request, app: Parts) -> Caller:
    """Return the caller, as the accounts know them."""
    way = "page" if is_from_page(request.headers) else "program"
    caller = await app[Callers].caller_of(way, _credentials(request))
    if SEAL_HEADER in request.headers:
        caller = msgspec.structs.replace(caller, seal=read_key(request.headers[SEAL_HEADER]))
    if caller.login_id:
        request.scope["parley.login"] = app[OpenStreams], caller.login_id
    return caller


def _credentials(request: Request) -> Credentials:
    headers = request.headers
    cookies = headers.get("cookie", "")
    kind, _, secret = headers.get("authorization", "").partition(" ")
    door = is_door(request.url.path)
    if door and "authorization" not in headers:
        kind, secret = "bearer", headers.get("x-api-key", "")  # as Anthropic's clients send it
    return Credentials(
        is_local=is_local(request),
        login=_cookie(cookies, LOGIN_COOKIE) if LOGIN_COOKIE in cookies else "",
        bearer=secret.strip() if kind.lower() == "bearer" else "",
        space_id=headers.get(SPACE_HEADER)
        or (_cookie(cookies, SPACE_COOKIE) if SPACE_COOKIE in cookies else ""),
        door=door,
    )


def _cookie(cookies: str, wanted: str) -> str:
    """Return a cookie's value; empty if it is missing, or ambiguous because it is repeated."""
    pairs = (pair.strip().partition("=") for pair in cookies.split(";"))
    values = [value for name, _, value in pairs if name == wanted]
    return values[0] if len(values) == 1 else ""


def client_address(request: Request, proxies: Collection[str]) -> str:
    """Return the address of the client: the peer's, or the last in X-Forwarded-For that is no trusted proxy's."""
    peer = request.client.host if request.client else ""
    if not proxies or not _is_within(peer, tuple(proxies)):
        return peer
    for address in reversed(_forwarded_for(request)):
        peer = address
        if not _is_within(address, tuple(proxies)):
            break
    return peer


def _forwarded_for(request: Request) -> list[str]:
    """Return for whom the proxies of a request say that they ask; anybody may say anything."""
    forwarded = ",".join(request.headers.getlist("x-forwarded-for")).split(",")
    return [each.strip() for each in forwarded if each.strip()]


@lru_cache(1024)
def _is_within(address: str, networks: tuple[str, ...]) -> bool:
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(known in ipaddress.ip_network(network, strict=False) for network in networks)


def is_local(request: Request) -> bool:
    """Return whether a request comes from this computer, and not through a proxy here from elsewhere."""
    peer = request.client.host if request.client else ""
    return _is_loopback(peer) and all(map(_is_loopback, _forwarded_for(request)))


@lru_cache(1024)
def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


_REPEATED = "A request repeated with the same key returns the first result instead of acting again."


async def idempotency_key(
    request: Request,
    value: Annotated[str | None, Header(alias="Idempotency-Key", description=_REPEATED)] = None,
) -> IdempotencyKey | None:
    """Return the client's key with the digest of its route and body."""
    return make_key(request, await request.body()) if value is not None else None


def make_key(request: Request, body: bytes) -> IdempotencyKey | None:
    """Return the request's idempotency key, if it has one. Raises Invalid."""
    value = request.headers.get("idempotency-key")
    if value is None:
        return None
    if not 1 <= len(value) <= 255:
        raise Invalid("Idempotency-Key", "Idempotency-Key: must have 1 to 255 characters.")
    # The key of a sealed session comes first, so that its digest says nothing of the text.
    seal = request.headers.get(SEAL_HEADER, "")
    digest = hashlib.sha256(f"{seal}{request.method} {request.url.path}\n".encode() + body)
    return IdempotencyKey(value, digest.hexdigest())


async def known_parameters(request: Request) -> None:
    """Refuse parameters that the route does not have, such as misspelt filters. Raises Invalid."""
    known = {field.alias for field in request.scope["route"].dependant.query_params}
    for name in request.query_params:
        if name not in known:
            raise Invalid(name, f"{name}: is not a parameter of this route{did_you_mean(name, known)}.")


CallerDep = Annotated[Caller, Depends(get_caller)]
Key = Annotated[IdempotencyKey | None, Depends(idempotency_key)]
