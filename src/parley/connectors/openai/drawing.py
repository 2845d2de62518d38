"""Pictures by OpenAI's Images API: one document, or a stream with the picture as it is so far."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

import msgspec

from parley.connectors.pictures import PICTURE_BYTES, interrupted, picture_of, progress_until, unreadable
from parley.kernel.connector import Chunk, Finish, Progress, Usage
from parley.kernel.errors import BrokenOff, Garbled, Rejected
from parley.kernel.pictures import DrawRequest
from parley.wire.http import Response
from parley.wire.sse import SseDecoder

HEARTBEAT_S = 20.0
"""Seconds after which a request counts as taken: from then on nobody else is asked for the same picture."""

PARTIAL = 2
"""The previews of a streamed picture."""


class _Usage(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int = 0


class _Picture(msgspec.Struct):
    b64_json: str | None = None
    url: str | None = None


class _Document(msgspec.Struct):
    data: list[_Picture]
    usage: _Usage | None = None


class _Event(msgspec.Struct):
    type: str = ""
    b64_json: str | None = None
    usage: _Usage | None = None
    error: object = None


def drawing_fields(request: DrawRequest, *, streams: bool) -> dict[str, object]:
    """Return the fields of a request. GPT Image can stream; others send base64 only if they are asked to."""
    settings = request.settings
    fields: dict[str, object] = {"model": request.model, "prompt": request.prompt, "n": request.count}
    if settings.width and settings.height:
        fields["size"] = f"{settings.width}x{settings.height}"
    if streams:
        fields |= {"stream": True, "partial_images": PARTIAL}
    elif "gpt-image" not in request.model:
        fields["response_format"] = "b64_json"
    return fields


async def draw_pictures(
    request: DrawRequest, post: Callable[[bytes], Awaitable[Response]]
) -> AsyncGenerator[Chunk]:
    """Yield previews and pictures. `post` returns an accepted response, or raises UpstreamError.

    Once the request may have been taken, a failure is final: a picture is not paid for twice.
    """
    body = msgspec.json.encode(drawing_fields(request, streams=_streams(request)))
    answer = asyncio.ensure_future(post(body))
    try:
        async with aclosing(progress_until(answer, HEARTBEAT_S)) as waiting:
            async for each in waiting:
                yield each
        response = answer.result()
    except BrokenOff:
        yield Progress()
        raise interrupted() from None
    try:
        read = _read_stream if response.media_type == "text/event-stream" else _read_document
        async with aclosing(read(response, request)) as chunks:
            async for chunk in chunks:
                yield chunk
    except BrokenOff:
        yield Progress()
        raise interrupted() from None
    finally:
        response.close()


async def _read_document(response: Response, request: DrawRequest) -> AsyncGenerator[Chunk]:
    for chunk in pictures_in(await response.read_body(PICTURE_BYTES), request):
        yield chunk


def pictures_in(body: bytes, request: DrawRequest) -> list[Chunk]:
    """Return the pictures of a whole answer, then its end and its usage. Raises Garbled."""
    try:
        document = msgspec.json.decode(body, type=_Document)
    except (msgspec.DecodeError, RecursionError):
        raise Garbled("The server's answer has no picture.", "Choose a model that draws.") from None
    pictures = document.data[: request.count]
    if any(picture.b64_json is None for picture in pictures):
        raise unreadable("It came as a link, and Parley opens no links.")
    return [*(picture_of(picture.b64_json) for picture in pictures), Finish("stop"), _used(document.usage)]


async def _read_stream(response: Response, _request: DrawRequest) -> AsyncGenerator[Chunk]:
    sse, usage, finished = SseDecoder(PICTURE_BYTES), None, False
    while not finished and (packet := await response.read()):
        for payload in sse.feed(packet):
            event = _decoded(payload)
            if event.error:
                raise Rejected("The provider refused to draw this picture.", _words(event.error))
            if event.type.endswith(".partial_image"):
                yield Progress(preview=picture_of(event.b64_json).data)
            elif event.type.endswith(".completed"):
                yield picture_of(event.b64_json)
                usage, finished = event.usage, True
        if sse.error is not None:
            refusal = _decoded(sse.error)
            raise Rejected("The provider refused to draw this picture.", _words(refusal.error or {}))
    if finished:
        yield Finish("stop")
    yield _used(usage)


def _decoded(payload: bytes) -> _Event:
    try:
        return msgspec.json.decode(payload, type=_Event)
    except (msgspec.DecodeError, RecursionError):
        return _Event()


def _words(error: object) -> str:
    message = error.get("message") if isinstance(error, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    return message[:300] if isinstance(message, str) else "It gave no reason."


def _used(usage: _Usage | None) -> Usage:
    return Usage(usage.input_tokens, usage.output_tokens) if usage else Usage(0, 0)


def _streams(request: DrawRequest) -> bool:
    return "gpt-image" in request.model and request.count == 1
