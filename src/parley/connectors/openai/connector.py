"""The connector for every server that speaks the OpenAI dialect."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from urllib.parse import urlsplit, urlunsplit

import msgspec

from parley.connectors.openai.answer_reader import AnswerReader
from parley.connectors.openai.faults import fault_of, not_an_answer, web_page
from parley.connectors.openai.request import Dialect, encode_request
from parley.kernel.connector import ChatRequest, Chunk, Connector
from parley.kernel.errors import Rejected, Unreachable
from parley.kernel.models import Provider
from parley.wire.http import Answer, HttpClient
from parley.wire.sse import BOM, SseDecoder

DEFAULT_BASE_URL = "https://api.openai.com/v1"

AFTER_FINISH_S = 2.0
"""How long usage and [DONE] may take after the finish reason."""

END_OF_BODY_S = 0.05
"""How long the body's end may take after [DONE]; a body read to its end keeps its connection."""


class OpenAIConnector(Connector):
    """Streams from `POST {base_url}/chat/completions`; lists models from `GET {base_url}/models`."""

    def __init__(self, provider: Provider, client: HttpClient) -> None:
        self._base_url = provider.base_url or DEFAULT_BASE_URL
        self._chat_url = self._url("chat/completions")
        self._key = (provider.api_key or "").strip() or None
        self._client = client
        self._secrets = (self._key,)
        self._dialect = Dialect()

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Yield the answer's chunks: deltas, tool calls when whole, one Finish, the last Usage.

        An answer that breaks off after its first chunk ends without a Finish.
        """
        answer = await self._ask(request)
        started = False
        try:
            reader = AnswerReader(self._client.options.max_answer_bytes, self._secrets)
            sse = SseDecoder(self._client.options.max_line_bytes)
            packet = await _first_packet(answer)
            if _is_document(packet):
                await self._read_document(answer, packet, reader)
                packet = b""
            deadline: float | None = None
            while packet:
                reader.take_all(sse.feed(packet))
                if sse.error is not None and not reader.finished:
                    reader.fail(sse.error)
                for chunk in reader.drain():
                    started = True
                    yield chunk
                if reader.done or reader.error is not None or sse.error is not None:
                    break
                if reader.finished:
                    deadline = deadline or asyncio.get_running_loop().time() + AFTER_FINISH_S
                    packet = await _read_until(answer, deadline)
                else:
                    packet = await _read_on(answer, started)
            for chunk in reader.end():
                yield chunk
            if usage := reader.usage():
                yield usage
            if reader.error is not None:
                raise reader.error
            if reader.done:
                await _read_until(answer, asyncio.get_running_loop().time() + END_OF_BODY_S)
        finally:
            answer.close()

    async def list_models(self) -> Sequence[str]:
        """Return the names that the server lists, in its order. Raises UpstreamError."""
        answer = await self._client.get_json(self._url("models"), self._headers())
        try:
            if not 200 <= answer.status < 300:
                raise await self._fault(answer)
            body = await answer.read_whole()
        finally:
            answer.close()
        try:
            listed = _MODELS.decode(body)
        except ValueError:
            raise (web_page if body.lstrip().startswith(b"<") else not_an_answer)(
                body, self._secrets
            ) from None
        entries = listed if isinstance(listed, list) else (listed.data or listed.models or [])
        return list(dict.fromkeys(name for entry in entries if (name := entry.id or entry.name)))

    async def _ask(self, request: ChatRequest) -> Answer:
        url, headers = self._chat_url, self._headers()
        headers["Accept"] = "text/event-stream, application/json"
        while True:
            wording = self._dialect.wording(request.model)
            body = (
                # A picture takes longer to be written than other streams may wait for their next piece.
                await asyncio.to_thread(encode_request, request, wording)
                if request.attached
                else encode_request(request, wording)
            )
            answer = await self._client.post_json(url, body, headers)
            if 200 <= answer.status < 300:
                return answer
            retry_after_s = answer.retry_after_s
            try:
                refusal = await answer.read_start()
            finally:
                answer.close()
            # Not a retry: the server has said which word of the request it does not know.
            if not self._dialect.learn(request.model, wording, answer.status, refusal):
                raise fault_of(answer.status, refusal, retry_after_s=retry_after_s, secrets=self._secrets)

    async def _read_document(self, answer: Answer, start: bytes, reader: AnswerReader) -> None:
        """Read an answer that is no stream: one JSON document, or a web page."""
        if start.removeprefix(BOM).lstrip().startswith(b"<"):
            raise web_page(start, self._secrets)
        body = (start + await answer.read_whole()).removeprefix(BOM)
        reader.take_document(body)

    async def _fault(self, answer: Answer) -> Exception:
        body = await answer.read_start()
        return fault_of(answer.status, body, retry_after_s=answer.retry_after_s, secrets=self._secrets)

    def _url(self, path: str) -> str:
        parts = urlsplit(self._base_url)
        return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{path}"))

    def _headers(self) -> dict[str, str]:
        if self._key is None:
            return {}
        if not (self._key.isascii() and self._key.isprintable()):
            raise Rejected(
                "The key cannot be sent.",
                "It holds characters that no key has.",
                code="upstream_key_rejected",
            )
        return {"Authorization": f"Bearer {self._key}"}


class _Listed(msgspec.Struct):
    id: str | None = None
    name: str | None = None


class _Models(msgspec.Struct):
    data: list[_Listed] | None = None
    models: list[_Listed] | None = None


_MODELS: msgspec.json.Decoder[_Models | list[_Listed]] = msgspec.json.Decoder(_Models | list[_Listed])


async def _first_packet(answer: Answer) -> bytes:
    """Return the start of the body, at least up to its first byte that is not white space."""
    packet = await answer.read()
    while packet and len(packet) < 4096 and not packet.removeprefix(BOM).strip():
        more = await answer.read()
        packet += more
        if not more:
            break
    return packet


def _is_document(packet: bytes) -> bool:
    # By its first byte, not by its type: servers label both kinds wrongly, and no SSE field starts so.
    return packet.removeprefix(BOM).lstrip()[:1] in (b"{", b"[", b"<")


async def _read_on(answer: Answer, started: bool) -> bytes:
    try:
        return await answer.read()
    except Unreachable:
        if started:
            return b""
        raise


async def _read_until(answer: Answer, deadline: float) -> bytes:
    """Read, but give up at the deadline: all that matters has been said."""
    try:
        async with asyncio.timeout_at(deadline):
            return await answer.read()
    except (TimeoutError, Unreachable):
        return b""
