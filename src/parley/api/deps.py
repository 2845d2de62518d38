"""What handlers ask for: the house, who asks, and the request's idempotency key."""

import hashlib
from typing import Annotated

from fastapi import Depends, Header, Request

from parley.api.callers import caller_of
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid
from parley.text.plain_words import did_you_mean
from parley.wiring import House
from parley.workspace.arena.receipts import IdempotencyKey


async def the_house(request: Request) -> House:
    """Return the house that the app was made for."""
    house = request.app.state.house
    if not isinstance(house, House):
        raise TypeError("the app was made without a house")
    return house


async def idempotency_key(
    request: Request, value: Annotated[str | None, Header(alias="Idempotency-Key")] = None
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
    seen = hashlib.sha256(f"{request.method} {request.url.path}\n".encode() + body)
    return IdempotencyKey(value, seen.hexdigest())


async def known_parameters(request: Request) -> None:
    """Refuse a parameter that the route does not have: a misspelt filter would be no filter. Raises Invalid."""
    known = {field.alias for field in request.scope["route"].dependant.query_params}
    for name in request.query_params:
        if name not in known:
            near = did_you_mean(name, known)
            raise Invalid(name, f"{name}: there is no such parameter here{near}.")


HouseDep = Annotated[House, Depends(the_house)]


async def the_caller(request: Request, house: HouseDep) -> Caller:
    """Return who asks."""
    return caller_of(request, house)


CallerDep = Annotated[Caller, Depends(the_caller)]
Key = Annotated[IdempotencyKey | None, Depends(idempotency_key)]
