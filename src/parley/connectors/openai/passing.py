"""Passing answers on as they are, and reading of them what the meter needs."""

import re
from collections.abc import Callable

import msgspec

from parley.connectors.openai.chunks import WireDelta, decode_word
from parley.connectors.openai.decoding import decode_chunk
from parley.connectors.openai.faults import error_from_chunk, not_an_answer
from parley.connectors.openai.finish_reasons import is_end
from parley.connectors.openai.request import RequestFormat
from parley.connectors.openai.usage import decode_usage
from parley.kernel.connector import ChatRequest, Chunk, Delta, Finish, Piece
from parley.kernel.errors import Garbled, UpstreamError
from parley.kernel.messages import Channel
from parley.kernel.passed import Endpoint, Passed
from parley.wire.sse import SseDecoder

DOCUMENT_BYTES = 64 << 20
"""The most bytes of an answer in one document: embeddings of many texts, or sound."""

_EVENT = re.compile(rb".*?(?:\r\n\r\n|\n\n|\r\r|\Z)", re.DOTALL)
_LIMITS = ("max_tokens", "max_completion_tokens")


def encode_passed(request: ChatRequest, passed: Passed, written: RequestFormat) -> bytes:
    """Return a program's request with the provider's name of the model, the token limit and the wish for usage."""
    fields = {**passed.fields, "model": _raw(request.model)}
    if passed.endpoint == "chat/completions":
        _set_limit(fields, request.max_output_tokens, written)
        if passed.stream:
            _ask_for_usage(fields, written)
    return msgspec.json.encode(fields)


def _set_limit(fields: dict[str, msgspec.Raw], limit: int | None, written: RequestFormat) -> None:
    named = next((name for name in reversed(_LIMITS) if name in fields), None)
    if limit is None:
        return
    for name in _LIMITS:
        fields.pop(name, None)
    wanted = "max_completion_tokens" if written.max_completion_tokens else named or "max_tokens"
    fields[wanted] = _raw(limit)


def _ask_for_usage(fields: dict[str, msgspec.Raw], written: RequestFormat) -> None:
    sent = fields.pop("stream_options", None)
    if not written.stream_options:
        return
    options: dict[str, msgspec.Raw] = {}
    if sent is not None and bytes(sent) != b"null":
        options = msgspec.json.decode(sent, type=dict[str, msgspec.Raw])
    fields["stream_options"] = _raw({**options, "include_usage": True})


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


class PassedReader:
    """Reads a stream that is passed on: `feed` packets, stop at `done` or `error`, then call `end`.

    Pieces have whole events only. [DONE] is left out, since the answer's end is told by whoever knows that it is
    complete; so are errors, and the usage unless the program wants it.
    """

    def __init__(self, limit: int, secrets: tuple[str | None, ...], *, include_usage: bool) -> None:
        self.done = False
        self.error: UpstreamError | None = None
        self.events = 0
        self._limit = limit
        self._secrets = secrets
        self._include_usage = include_usage
        self._sse = SseDecoder(limit)
        self._rest = b""
        self._begun: set[int] = set()
        self._ended: set[int] = set()
        self._usage = b""
        self._model: object = None
        self._left_out: set[bytes] = set()

    @property
    def finished(self) -> bool:
        """True once every answer has its finish reason."""
        return bool(self._ended) and self._begun <= self._ended

    def feed(self, packet: bytes) -> Piece:
        """Return the events that a packet completes. Raises Garbled for one that is too long."""
        received = self._rest + packet if self._rest else packet
        end = _end_of_events(received)
        whole, self._rest = received[:end], received[end:]
        if len(self._rest) > self._limit:
            raise Garbled("The model's server sent an event longer than Parley accepts.")
        return self._read(whole) if whole else Piece(b"")

    def end(self) -> Piece:
        """Return the rest; with Finish and the usage if the answer is complete."""
        last, self._rest = self._rest.rstrip(b"\r\n"), b""
        piece = self._read(last + b"\n\n") if last and _is_event(last) else Piece(b"")
        closing: list[Chunk] = [Finish("stop")] if self.finished and self.error is None else []
        return Piece(piece.data, (*piece.chunks, *closing, *_usage(self._usage, self._model)))

    def _read(self, whole: bytes) -> Piece:
        words: list[str] = []
        thoughts: list[str] = []
        payloads = self._sse.feed(whole)
        self.events += len(payloads)
        for payload in payloads:
            word = decode_word(payload)
            if word is not None:
                words.append(word)
            else:
                self._take(payload, words, thoughts)
        if words:
            self._begun.add(0)
        if self._sse.error is not None and self.error is None:
            self._fail(self._sse.error)
        chunks = tuple(_deltas(words, thoughts))
        return Piece(self._kept(whole) if self._left_out else whole, chunks)

    def _take(self, payload: bytes, words: list[str], thoughts: list[str]) -> None:
        if payload.strip() == b"[DONE]":
            self.done = True
            self._left_out.add(payload)
            return
        try:
            chunk = decode_chunk(payload)
        except (ValueError, RecursionError):
            return  # the program may know what it is
        choices = [choice for choice in chunk.choices or () if choice is not None]
        if chunk.error is not None or (chunk.kind == "error" and not choices):
            self._fail(payload)
            return
        if len(chunk.usage) > 4:  # longer than "null"
            self._usage, self._model = bytes(chunk.usage), chunk.model
            if not (choices or self._include_usage):
                self._left_out.add(payload)
        for choice in choices:
            self._begun.add(choice.index or 0)
            if delta := choice.delta or choice.message:
                _count(delta, words, thoughts)
            if any(map(is_end, choice.reasons())):
                self._ended.add(choice.index or 0)
        if any(map(is_end, chunk.reasons())):
            self._ended |= self._begun

    def _fail(self, payload: bytes) -> None:
        self._left_out.add(payload)
        if not self.finished:
            self.error = self.error or error_from_chunk(payload, self._secrets)

    def _kept(self, whole: bytes) -> bytes:
        """Return the events without those that are left out."""
        events = [event for event in _EVENT.findall(whole) if event]
        rest = b"".join(event for event in events if not self._left_out.intersection(_payloads(event)))
        self._left_out.clear()
        return rest


def read_document(body: bytes, passed: Passed, secrets: tuple[str | None, ...]) -> Piece:
    """Return an answer in one document. Raises UpstreamError for an error, or for what is no answer."""
    read = _READERS[passed.endpoint]
    try:
        chunks = read(body)
    except (ValueError, RecursionError):
        raise not_an_answer(body, secrets) from None
    if chunks is None:
        raise error_from_chunk(body, secrets)
    return Piece(body, (*chunks, Finish("stop")))


def _read_completion(body: bytes) -> list[Chunk] | None:
    """Return what the meter reads; None for an error. Raises ValueError for what is no answer."""
    document = decode_chunk(body)
    choices = [choice for choice in document.choices or () if choice is not None]
    if document.error is not None:
        return None
    if not choices:
        raise ValueError("no choices")
    words: list[str] = []
    thoughts: list[str] = []
    for choice in choices:
        if delta := choice.message or choice.delta:
            _count(delta, words, thoughts)
    return [*_deltas(words, thoughts), *_usage(document.usage, document.model)]


def _read_embeddings(body: bytes) -> list[Chunk] | None:
    document = _EMBEDDINGS.decode(body)
    if document.error is not None:
        return None
    if not document.data:
        raise ValueError("no data")
    return list(_usage(document.usage, document.model))


def _read_moderations(body: bytes) -> list[Chunk] | None:
    document = _MODERATIONS.decode(body)
    if document.error is not None:
        return None
    if not document.results:
        raise ValueError("no results")
    return []


_READERS: dict[Endpoint, Callable[[bytes], list[Chunk] | None]] = {
    "chat/completions": _read_completion,
    "embeddings": _read_embeddings,
    "moderations": _read_moderations,
}


def _usage(raw: bytes | msgspec.Raw, model: object) -> tuple[Chunk, ...]:
    usage = decode_usage(bytes(raw), model)
    return (usage,) if usage else ()


def _deltas(words: list[str], thoughts: list[str]) -> list[Chunk]:
    texts: tuple[tuple[Channel, str], ...] = (("reasoning", "".join(thoughts)), ("text", "".join(words)))
    return [Delta(channel, text) for channel, text in texts if text]


class _Embeddings(msgspec.Struct, gc=False):
    data: msgspec.Raw = msgspec.Raw(b"")
    usage: msgspec.Raw = msgspec.Raw(b"")
    error: object = None
    model: object = None


_EMBEDDINGS = msgspec.json.Decoder(_Embeddings)


class _Moderations(msgspec.Struct, gc=False):
    results: list[msgspec.Raw] = []
    error: object = None


_MODERATIONS = msgspec.json.Decoder(_Moderations)


def _count(delta: WireDelta, words: list[str], thoughts: list[str]) -> None:
    if isinstance(delta.content, str):
        words.append(delta.content)
    for thought in (delta.reasoning_content, delta.reasoning, delta.thinking):
        if isinstance(thought, str):
            thoughts.append(thought)
            break
    for piece in delta.tool_calls or ():
        called = piece.function if piece is not None else None
        if called is not None:
            words += [text for text in (called.name, called.arguments) if isinstance(text, str)]


def _end_of_events(received: bytes) -> int:
    """Return the place after the last whole event."""
    if received.endswith(b"\n\n"):
        return len(received)
    places = ((received.rfind(mark), len(mark)) for mark in (b"\n\n", b"\r\n\r\n", b"\r\r"))
    return max((place + length for place, length in places if place >= 0), default=0)


def _is_event(last: bytes) -> bool:
    """Return whether bytes without a blank line after them are an event as a whole."""
    payloads = _payloads(last)
    if payloads and payloads[-1].strip() == b"[DONE]":
        return True
    try:
        return bool(payloads) and msgspec.json.decode(payloads[-1]) is not None
    except ValueError:
        return False


def _payloads(event: bytes) -> list[bytes]:
    decoder = SseDecoder(len(event) + 1)
    payloads = [*decoder.feed(event), *decoder.end()]
    return payloads if decoder.error is None else [decoder.error]
