"""Routing: a seat may be left to Auto, which replaces it by a model before the turn begins."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from parley.features.arena.new_turns import Started
from parley.features.arena.schemas import StartSession
from parley.features.arena.sealed import no_auto
from parley.kernel.caller import Caller

AUTO = "auto"
"""Stands for a model in a seat that Auto fills."""

RequestT = TypeVar("RequestT", bound=StartSession)
Routed = Callable[[Started], Awaitable[None]]


class SeatRouter(Protocol):
    """Fills the seats that are left to Auto."""

    async def route(
        self, caller: Caller, session_id: str | None, request: RequestT
    ) -> tuple[RequestT, Routed | None]:
        """Return a request with models in all seats, and what to do once its turn has started. Raises Invalid."""
        ...


class NoRouter:
    """Implements `SeatRouter` where there is no Auto."""

    async def route(
        self,
        caller: Caller,  # noqa: ARG002 - as the port has it
        session_id: str | None,  # noqa: ARG002 - as the port has it
        request: RequestT,
    ) -> tuple[RequestT, Routed | None]:
        """Return the request as it is."""
        return request, None


async def route(
    router: SeatRouter, caller: Caller, session_id: str | None, request: RequestT
) -> tuple[RequestT, Routed | None]:
    """Let Auto fill seats: it keeps its reasons, so not those of a sealed session. Raises Invalid."""
    if caller.seal is None:
        return await router.route(caller, session_id, request)
    if AUTO in (request.seats or {}).values():
        raise no_auto()
    return request, None
