"""Dependencies of handlers: the application, the caller, and the request's idempotency key."""

import hashlib
import ipaddress
from functools import lru_cache
from typing import Annotated, cast

from fastapi import Depends, Header, Request

from parley.api.guard import is_from_page
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid
from parley.text.plain_words import did_you_mean
from parley.wiring import Application
from parley.workspace.arena.receipts import IdempotencyKey


async def get_application(request: Request) -> Application:
    """Return the application that this server serves."""
    return cast("Application", request.app.state.application)


App = Annotated[Application, Depends(get_application)]


async def get_caller(request: Request, app: App) -> Caller:
    """Return the caller of a request."""
    return caller_of(request, app)


def caller_of(request: Request, app: Application) -> Caller:
    """Return the caller: in personal mode the owner on this computer, a stranger anywhere else."""
    way = "page" if is_from_page(request.headers) else "program"
    return app.accounts.owner(way) if is_owner(request) else app.accounts.stranger(way)


def is_owner(request: Request) -> bool:
    """Return whether a request comes from this computer."""
    return request.client is not None and _is_loopback(request.client.host)


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
    digest = hashlib.sha256(f"{request.method} {request.url.path}\n".encode() + body)
    return IdempotencyKey(value, digest.hexdigest())


async def known_parameters(request: Request) -> None:
    """Refuse parameters that the route does not have, such as misspelt filters. Raises Invalid."""
    known = {field.alias for field in request.scope["route"].dependant.query_params}
    for name in request.query_params:
        if name not in known:
            raise Invalid(name, f"{name}: is not a parameter of this route{did_you_mean(name, known)}.")


CallerDep = Annotated[Caller, Depends(get_caller)]
Key = Annotated[IdempotencyKey | None, Depends(idempotency_key)]
