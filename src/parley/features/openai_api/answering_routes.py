"""Answers of the door's routes: in one piece, or as a stream that ends with an error where the answer does."""

import logging
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from typing import Any, NamedTuple, TypeVar

import msgspec
from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError

from parley.api.contract import as_response
from parley.api.disconnects import unless_gone
from parley.api.openai_errors import REQUEST_ID, error_of
from parley.api.streams import Frames, FramesResponse
from parley.features.openai_api.open_call import OpenCall
from parley.features.openai_api.passing import UNREADABLE
from parley.kernel.errors import ParleyError

log = logging.getLogger(__name__)

ALIVE_S = 15.0
"""After so many seconds without a chunk, a comment keeps the connection open."""

MODEL, COST, RECEIPT = "x-parley-model", "x-parley-cost", "x-parley-auto"

Body = TypeVar("Body", bound=BaseModel)


class Ending(NamedTuple):
    """The end of a stream in one API: the events after a complete answer, and the one for an error."""

    complete: bytes
    failed: Callable[[ParleyError], bytes]


def event(data: object) -> bytes:
    """Return an event without a name."""
    return b"data: %b\n\n" % msgspec.json.encode(data)


def _failed(error: ParleyError) -> bytes:
    return event(error_of(error))


OPENAI = Ending(b"data: [DONE]\n\n", _failed)


def parse(kind: type[Body], raw: bytes) -> Body:
    """Return a body that is checked only now. Raises RequestValidationError, and Invalid for unreadable JSON."""
    try:
        return kind.model_validate_json(raw)
    except ValidationError as error:
        items = [{**item, "loc": ("body", *item["loc"])} for item in error.errors(include_url=False)]
        raise RequestValidationError(items, body=_decoded(raw)) from None


def _decoded(raw: bytes) -> object:
    try:
        return msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        raise UNREADABLE from None


async def in_one_piece(request: Request, call: OpenCall, work: Coroutine[Any, Any, object]) -> Response:
    """Return the answer of a call with its headers, once it is complete."""
    answer = await unless_gone(request, work)
    response = (
        Response(answer, media_type="application/json") if isinstance(answer, bytes) else as_response(answer)
    )
    response.headers.update(_headers(call))
    if call.cost is not None:
        response.headers[COST] = call.cost
    return response


async def streamed(
    request: Request, call: OpenCall, events: AsyncGenerator[bytes], ending: Ending
) -> Response:
    """Return the stream, once it has begun: what is refused before has a status of its own."""
    begun = False
    frames = Frames(_frames(call, events, ending, lambda: frames.has_begun))
    try:
        await unless_gone(request, frames.begin(ALIVE_S))
        begun = True
    finally:
        if not begun:
            await frames.close()
    return FramesResponse(frames, _headers(call), ALIVE_S)


def _headers(call: OpenCall) -> dict[str, str]:
    """Return the headers that name the call, its model, and why Auto chose that."""
    headers = {REQUEST_ID: call.request_id, MODEL: call.model_id}
    return headers if call.receipt is None else {**headers, RECEIPT: call.receipt}


async def _frames(
    call: OpenCall, events: AsyncGenerator[bytes], ending: Ending, has_begun: Callable[[], bool]
) -> AsyncGenerator[bytes]:
    """Yield a stream's events; a failure once it has begun is the last one, and nothing says that it was done.

    It begins with the first event, or without one after `ALIVE_S`: `has_begun` tells.

    The cost is known only at the end, so it stands in a comment there and not in a header.
    """
    has_event = False
    try:
        async with aclosing(events):
            async for each in events:
                has_event = True
                yield each
        if call.cost is not None:
            yield f": {COST}: {call.cost}\n\n".encode()
        if ending.complete:
            yield ending.complete
    except ParleyError as error:
        if not (has_event or has_begun()):
            raise
        yield ending.failed(error)
    except Exception:
        if not (has_event or has_begun()):
            raise
        log.exception("a streamed answer of the door failed")
        yield ending.failed(ParleyError("Parley ran into an internal error."))
