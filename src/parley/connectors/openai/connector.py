"""The connector for every server that speaks the OpenAI dialect, and for models of the Responses API."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from urllib.parse import urlsplit, urlunsplit

import msgspec

from parley.connectors.openai.answer_reader import AnswerReader
from parley.connectors.openai.faults import check_key, error_from_response, not_an_answer, web_page
from parley.connectors.openai.request import FormatMemory, RequestFormat, encode_request
from parley.connectors.openai.responses import ResponsesReader
from parley.connectors.openai.responses_request import encode_responses_request
from parley.kernel.connector import ChatRequest, Chunk, Connector
from parley.kernel.errors import Unreachable, UpstreamError
from parley.kernel.models import Provider
from parley.wire.http import HttpClient, Response
from parley.wire.sse import BOM, SseDecoder

DEFAULT_BASE_URL = "https://api.openai.com/v1"

AFTER_FINISH_S = 2.0
"""How long usage and [DONE] may take after the finish reason."""

END_OF_BODY_S = 0.05
"""How long the body's end may take after [DONE]; a body read to its end keeps its connection."""


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
        """Yield deltas, complete tool calls, one Finish and the last Usage.

        An answer that breaks off after its first chunk ends without a Finish. Raises UpstreamError.
        """
        response, read_answer = await self._request(request)
        started = False
        try:
            reader = read_answer(self._client.options.max_answer_bytes, self._secrets)
            sse = SseDecoder(self._client.options.max_line_bytes)
            packet = await _first_packet(response)
            if _is_document(packet):
                await self._read_document(response, packet, reader)
                packet = b""
            deadline: float | None = None
            while packet:
                reader.feed_all(sse.feed(packet))
                if sse.error is not None and not reader.finished:
                    reader.fail(sse.error)
                for chunk in reader.drain():
                    started = True
                    yield chunk
                if reader.finished and deadline is None:
                    deadline = asyncio.get_running_loop().time() + AFTER_FINISH_S
                    response.hurry()
                if reader.done or reader.error is not None or sse.error is not None:
                    break
                if deadline is not None:
                    packet = await _read_until(response, deadline)
                else:
                    packet = await _read_next(response, started)
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
            url = self._responses_url if written.responses else self._chat_url
            response = await self._client.post_json(url, body, headers)
            if 200 <= response.status < 300:
                return response, ResponsesReader if written.responses else AnswerReader
            try:
                refusal = await response.read_start()
            finally:
                response.close()
            # Not a retry: the server has named the field that it does not know, or the API that it wants.
            if not self._formats.learn(request.model, written, response.status, refusal):
                raise self._error(response, refusal)

    async def _read_document(self, response: Response, start: bytes, reader: AnswerReader) -> None:
        """Read an answer that is not a stream but one JSON document. Raises Garbled for a web page."""
        if start.removeprefix(BOM).lstrip().startswith(b"<"):
            raise web_page(start, self._secrets)
        reader.feed_document((start + await response.read_body()).removeprefix(BOM))

    def _error(self, response: Response, body: bytes) -> UpstreamError:
        status = self._status_of(response.status, body)
        return error_from_response(status, body, retry_after_s=response.retry_after_s, secrets=self._secrets)

    def _status_of(self, status: int, refusal: bytes) -> int:  # noqa: ARG002
        """Return the status that a refusal means, for servers that send another one."""
        return status

    def _url(self, path: str) -> str:
        parts = urlsplit(self._base_url)
        return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{path}"))

    def _headers(self) -> dict[str, str]:
        if self._key is None:
            return {}
        check_key(self._key)
        return {"Authorization": f"Bearer {self._key}"}


def _encode(request: ChatRequest, written: RequestFormat) -> bytes:
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
    return packet.removeprefix(BOM).lstrip()[:1] in (b"{", b"[", b"<")


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
