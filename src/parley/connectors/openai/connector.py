"""The connector for every server that speaks the OpenAI dialect, and for models of the Responses API."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import cast
from urllib.parse import urlsplit, urlunsplit

import msgspec

from parley.connectors.openai.answer_reader import AnswerReader
from parley.connectors.openai.drawing import draw_pictures
from parley.connectors.openai.faults import (
    check_key,
    error_from_chunk,
    error_from_response,
    not_an_answer,
    web_page,
)
from parley.connectors.openai.json_lines import EventsOfLines, read_second_line
from parley.connectors.openai.passing import DOCUMENT_BYTES, PassedReader, encode_passed, read_document
from parley.connectors.openai.request import FormatMemory, RequestFormat, encode_request
from parley.connectors.openai.responses import ResponsesReader
from parley.connectors.openai.responses_request import encode_responses_request
from parley.connectors.openai.slots import read_slots
from parley.connectors.pictures import restarted
from parley.kernel.connector import ChatRequest, Chunk, Connector, Piece
from parley.kernel.errors import Garbled, Unreachable, UpstreamError
from parley.kernel.models import Provider
from parley.kernel.passed import Endpoint, Passed
from parley.kernel.pictures import DrawRequest
from parley.wire.http import HttpClient, Response
from parley.wire.sse import BOM, SseDecoder

DEFAULT_BASE_URL = "https://api.openai.com/v1"

AFTER_FINISH_S = 2.0
"""Seconds that usage and [DONE] may take after the finish reason."""

PICTURE_BYTES = 16 << 20
"""The most bytes of a line, or of an answer in one document, if the model makes pictures."""

END_OF_BODY_S = 0.05
"""Seconds that the body's end may take after [DONE]; a body read to its end keeps its connection."""


class _Listed(msgspec.Struct):
    id: str | None = None
    name: str | None = None


class _Models(msgspec.Struct):
    data: list[_Listed] | None = None
    models: list[_Listed] | None = None


_MODELS: msgspec.json.Decoder[_Models | list[_Listed]] = msgspec.json.Decoder(_Models | list[_Listed])


class OpenAIConnector(Connector):
    """Streams from `POST {base_url}/chat/completions`; lists models from `GET {base_url}/models`.

    A model that the server refuses there in favour of `POST {base_url}/responses` is asked there from then on.
    """

    def __init__(self, provider: Provider, client: HttpClient) -> None:
        self._base_url = provider.base_url or DEFAULT_BASE_URL
        self._chat_url = self._url("chat/completions")
        self._responses_url = self._url("responses")
        self._key = (provider.api_key or "").strip() or None
        self._client = client
        self._secrets = (self._key,)
        self._formats = FormatMemory()

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Yield deltas, pictures, complete tool calls, one Finish and the last Usage.

        An answer that breaks off after its first chunk ends without a Finish. Raises UpstreamError.
        """
        response, read_answer = await self._request(request)
        started = False
        try:
            reader = read_answer(self._client.options.max_answer_bytes, self._secrets)
            sse = SseDecoder(PICTURE_BYTES if request.pictures else self._client.options.max_line_bytes)
            packet = await self._read_start(response, reader, request)
            deadline: float | None = None
            while packet:
                _feed(reader, sse, packet)
                for chunk in reader.drain():
                    started = True
                    yield chunk
                if not reader.may_end:
                    deadline = None
                elif deadline is None:
                    deadline = asyncio.get_running_loop().time() + AFTER_FINISH_S
                    response.hurry()
                if reader.done or reader.error is not None or sse.error is not None:
                    break
                if deadline is not None:
                    packet = await _read_until(response, deadline)
                else:
                    packet = await _read_next(response, started)
            _feed(reader, sse, None)
            for chunk in reader.end():
                yield chunk
            if usage := reader.usage():
                yield usage
            if reader.error is not None:
                raise reader.error
            if reader.done:
                await _read_until(response, asyncio.get_running_loop().time() + END_OF_BODY_S)
        finally:
            response.close()

    def passes_on(self, model: str, endpoint: Endpoint) -> bool:
        """Return whether requests to a model can be passed on: not if it is known to want the Responses API."""
        return endpoint != "chat/completions" or not self._formats.format_for(model).responses

    async def pass_on(self, request: ChatRequest) -> AsyncIterator[Piece]:
        """Yield the answer to a program's request as the server sends it. Raises UpstreamError."""
        passed = cast("Passed", request.passed)
        response, _ = await self._request(request)
        try:
            if not passed.stream:
                yield read_document(await response.read_body(DOCUMENT_BYTES), passed, self._secrets)
                return
            reader = PassedReader(PICTURE_BYTES, self._secrets, include_usage=passed.include_usage)
            async for piece in _pieces(response, reader, self._secrets):
                yield piece
            if reader.error is not None:
                raise reader.error
            if reader.done:
                await _read_until(response, asyncio.get_running_loop().time() + END_OF_BODY_S)
        finally:
            response.close()

    async def draw(self, request: DrawRequest) -> AsyncIterator[Chunk]:
        """Yield the pictures of a model that draws, from `POST {base_url}/images/generations`. Raises UpstreamError."""
        if request.earlier_job is not None:
            raise restarted()
        async with aclosing(draw_pictures(request, self._post_drawing)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def _post_drawing(self, body: bytes) -> Response:
        headers = {**self._headers(), "Accept": "text/event-stream, application/json"}
        response = await self._client.post_json(self._url("images/generations"), body, headers)
        if 200 <= response.status < 300:
            return response
        try:
            refusal = await response.read_start()
        finally:
            response.close()
        raise self._error(response, refusal)

    async def list_models(self) -> Sequence[str]:
        """Return the names that the server lists, in its order. Raises UpstreamError."""
        response = await self._client.get_json(self._url("models"), self._headers())
        try:
            if not 200 <= response.status < 300:
                raise self._error(response, await response.read_start())
            body = await response.read_body()
        finally:
            response.close()
        try:
            listed = _MODELS.decode(body)
        except ValueError:
            unreadable = web_page if body.lstrip().startswith(b"<") else not_an_answer
            raise unreadable(body, self._secrets) from None
        entries = listed if isinstance(listed, list) else (listed.data or listed.models or [])
        return list(dict.fromkeys(name for entry in entries if (name := entry.id or entry.name)))

    async def slots(self) -> int | None:
        """Return how many calls the server answers at once; None if it does not say. Raises UpstreamError."""
        return await read_slots(self._client, self._base_url, self._headers())

    async def _request(self, request: ChatRequest) -> tuple[Response, type[AnswerReader]]:
        """Post the request; return the accepted response and who reads it. Raises UpstreamError."""
        headers = self._headers()
        headers["Accept"] = "text/event-stream, application/json"
        while True:
            written = self._formats.format_for(request.model)
            body = (
                # Encoding a picture takes longer than other streams may wait for their next chunk.
                await asyncio.to_thread(_encode, request, written)
                if request.attached
                else _encode(request, written)
            )
            url = self._url_of(request, written)
            response = await self._client.post_json(url, body, headers)
            if 200 <= response.status < 300:
                return response, ResponsesReader if written.responses else AnswerReader
            try:
                refusal = await response.read_start()
            finally:
                response.close()
            # Not a retry: the server has named the field that it does not know, or the API that it wants.
            learned = self._formats.learn(request.model, written, response.status, refusal)
            if not learned or (request.passed and not self.passes_on(request.model, request.passed.endpoint)):
                raise self._error(response, refusal)

    async def _read_start(self, response: Response, reader: AnswerReader, request: ChatRequest) -> bytes:
        """Return the start of a stream; empty if the answer was one JSON document. Raises Garbled for a web page."""
        start = await _first_packet(response)
        if not _is_document(start):
            return start
        limit = PICTURE_BYTES if request.pictures else None
        line = limit or self._client.options.max_line_bytes
        start, has_lines = await read_second_line(response, start, line)
        if has_lines:
            return start
        if start.removeprefix(BOM).lstrip().startswith(b"<"):
            raise web_page(start, self._secrets)
        reader.feed_document((start + await response.read_body(limit)).removeprefix(BOM))
        return b""

    def _error(self, response: Response, body: bytes) -> UpstreamError:
        status = self._status_of(response.status, body)
        return error_from_response(status, body, retry_after_s=response.retry_after_s, secrets=self._secrets)

    def _status_of(self, status: int, refusal: bytes) -> int:  # noqa: ARG002
        """Return the status that a refusal means, for servers that send another one."""
        return status

    def _url_of(self, request: ChatRequest, written: RequestFormat) -> str:
        if request.passed is not None:
            return self._url(request.passed.endpoint)
        return self._responses_url if written.responses else self._chat_url

    def _url(self, path: str) -> str:
        parts = urlsplit(self._base_url)
        return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{path}"))

    def _headers(self) -> dict[str, str]:
        if self._key is None:
            return {}
        check_key(self._key)
        return {"Authorization": f"Bearer {self._key}"}


def _feed(reader: AnswerReader, sse: SseDecoder, packet: bytes | None) -> None:
    """Read a packet, or the stream's end; an error is set, so that what the reader holds back is not lost."""
    try:
        payloads = sse.end() if packet is None else sse.feed(packet)
    except Garbled as error:
        reader.error = reader.error or error
        return
    reader.feed_all(payloads)
    if sse.error is not None and not reader.finished:
        reader.fail(sse.error)


async def _pieces(
    response: Response, reader: PassedReader, secrets: tuple[str | None, ...]
) -> AsyncGenerator[Piece]:
    """Yield a stream's pieces; the last has its end, if it has one. A first event alone may be no answer yet."""
    packet = await _first_packet(response)
    lines = None
    if _is_document(packet):
        packet, has_lines = await read_second_line(response, packet, PICTURE_BYTES)
        lines = EventsOfLines() if has_lines else None
    if _is_document(packet) and lines is None:
        body = (packet + await response.read_body()).removeprefix(BOM)
        raise web_page(body, secrets) if body.lstrip().startswith(b"<") else error_from_chunk(body, secrets)
    held, begun = b"", False
    deadline: float | None = None
    while packet:
        piece = reader.feed(lines.feed(packet) if lines is not None else packet)
        begun = begun or bool(piece.chunks) or reader.events > 1
        if begun and (held or piece.data):
            yield Piece(held + piece.data, piece.chunks) if held else piece
            held = b""
        elif not begun:
            held += piece.data
        if reader.done or reader.error is not None:
            break
        if reader.finished and deadline is None:
            deadline = asyncio.get_running_loop().time() + AFTER_FINISH_S
            response.hurry()
        if deadline is not None:
            packet = await _read_until(response, deadline)
        else:
            packet = await _read_next(response, begun)
    if lines is not None:
        last = reader.feed(lines.end())
        held, begun = held + last.data, True
    end = reader.end()
    if reader.error is None and (end.chunks or end.data):
        yield Piece(held + end.data, end.chunks)


def _encode(request: ChatRequest, written: RequestFormat) -> bytes:
    if request.passed is not None:
        return encode_passed(request, request.passed, written)
    if written.responses:
        return encode_responses_request(request, summarised=written.summarised)
    return encode_request(request, written)


async def _first_packet(response: Response) -> bytes:
    """Return the start of the body, at least up to its first byte that is not white space."""
    packet = await response.read()
    while packet and len(packet) < 4096 and not packet.removeprefix(BOM).strip():
        more = await response.read()
        packet += more
        if not more:
            break
    return packet


def _is_document(packet: bytes) -> bool:
    # By its first byte, not by its media type: servers label both wrongly, and no SSE field starts like this.
    return packet.removeprefix(BOM).lstrip()[:1] in (b"{", b"[", b"<", b"\x1e")


async def _read_next(response: Response, started: bool) -> bytes:
    try:
        return await response.read()
    except Unreachable:
        if started:
            return b""
        raise


async def _read_until(response: Response, deadline: float) -> bytes:
    """Return the next packet; empty at the deadline, since all that matters has arrived."""
    try:
        async with asyncio.timeout_at(deadline):
            return await response.read()
    except (TimeoutError, Unreachable):
        return b""
