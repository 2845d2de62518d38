"""Translating the dialect's payloads to the kernel's chunks."""

from collections.abc import Sequence

from parley.connectors.openai.chunks import (
    WireChoice,
    WireDelta,
    WirePart,
    decode_chunk,
    decode_usage,
    decode_word,
)
from parley.connectors.openai.faults import error_from_chunk, not_an_answer
from parley.connectors.openai.surrogates import SurrogateJoiner
from parley.connectors.openai.think_tags import ThinkSplitter
from parley.connectors.openai.tool_calls import ToolCallAssembler
from parley.kernel.connector import Chunk, Delta, Finish, FinishReason, Usage
from parley.kernel.errors import Garbled, UpstreamError
from parley.kernel.messages import Channel

MALFORMED_ALLOWED = 3
"""How many chunks may be unreadable before the answer counts as garbled."""

WORDY = 8
"""How many chunks may fail to decode as plain text before the fast path is given up."""

_REASONS: dict[str, FinishReason] = {
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
    "safety": "content_filter",
    "recitation": "content_filter",
    "refusal": "content_filter",
    "content_filtered": "content_filter",
    "guardrail_intervened": "content_filter",
    "prohibited_content": "content_filter",
    "blocklist": "content_filter",
    "spii": "content_filter",
    "sensitive": "content_filter",
}
# These mean "did not finish": without a Finish the answer counts as incomplete.
_BROKEN_OFF = frozenset(
    {"abort", "aborted", "cancelled", "canceled", "error", "insufficient_system_resource"}
)


class AnswerReader:
    """Reads one answer: `feed` payloads, `drain` chunks, stop at `error` or `done`.

    `error` is set, not raised, so that the chunks before it can be kept.
    """

    def __init__(self, max_answer_bytes: int, secrets: tuple[str | None, ...] = ()) -> None:
        self.finished = False
        self.done = False
        self.error: UpstreamError | None = None
        self._secrets = secrets
        self._budget = max_answer_bytes
        self._chunks: list[Chunk] = []
        self._channel: Channel = "text"
        self._run: list[str] = []
        self._usage = b""
        self._malformed = 0
        self._answered = False
        self._wordy = WORDY
        self._thinking = ThinkSplitter()
        self._tools = ToolCallAssembler()
        self._joiners: dict[Channel, SurrogateJoiner] = {}

    def feed_all(self, payloads: Sequence[bytes]) -> None:
        """Read payloads of the stream in order, with a fast path for plain text."""
        for payload in payloads:
            plain = self._wordy > 0 and self._is_plain()
            word = decode_word(payload) if plain else None
            if word and word.isascii() and "\x00" not in word:
                if self._spend(len(word)):
                    self._run.append(word)
                continue
            if plain and word is None:
                self._wordy -= 1
            self.feed(payload)

    def _is_plain(self) -> bool:
        """Return whether text needs no processing: no repair, no think tags, no end yet."""
        return (
            self._thinking.plain
            and self._channel == "text"
            and not (self._joiners or self.finished or self.done or self.error is not None)
        )

    def feed(self, payload: bytes) -> None:
        """Read one payload of the stream, or the body of an answer that is not streamed."""
        if self.error is not None or self.done or not payload:
            return
        try:
            chunk = decode_chunk(payload)
        except (ValueError, RecursionError):
            self._take_unreadable(payload)
            return
        choices = chunk.choices or []
        if chunk.error is not None or (chunk.kind == "error" and not choices):
            if not self.finished:
                self.fail(payload)
            return
        if len(chunk.usage) > 4:  # longer than "null"
            self._usage = bytes(chunk.usage)
        for choice in choices:
            if choice is not None and not choice.index and not self.finished:
                self._take_choice(choice)

    def feed_document(self, body: bytes) -> None:
        """Read an answer that is one JSON document instead of a stream."""
        self.feed(body)
        if self.error is None and not (self._answered or self.finished):
            self.error = not_an_answer(body, self._secrets)
        elif self.error is None and not self.finished:
            # A whole document cannot have been cut off.
            self.finish("stop")

    def fail(self, payload: bytes) -> None:
        """Set the error that the server sent in place of a chunk."""
        self.error = self.error or error_from_chunk(payload, self._secrets)

    def drain(self) -> list[Chunk]:
        """Return the chunks since the last call; neighbouring text of one channel is one Delta."""
        self._end_run()
        chunks, self._chunks = self._chunks, []
        return chunks

    def end(self) -> list[Chunk]:
        """Return what was held back; call once the stream is over, whether or not it finished."""
        if not self.finished and self.error is None:
            self._release_held()
        return self.drain()

    def usage(self) -> Usage | None:
        """Return the last usage that was sent."""
        return decode_usage(self._usage)

    def finish(self, reason: str) -> None:
        """Apply a finish reason; only the first one counts."""
        if self.finished or reason.lower() in _BROKEN_OFF:
            return
        self._release_held()
        self._end_run()
        kind = _REASONS.get(reason.lower(), "stop")
        calls = self._tools.calls() if kind in ("stop", "tool_calls") else []
        self._chunks += calls
        self._chunks.append(Finish("tool_calls" if calls else kind))
        self.finished = True

    def _take_choice(self, choice: WireChoice) -> None:
        self._answered = True
        delta = choice.delta or choice.message
        if delta is not None:
            self._take_delta(delta)
        if choice.finish_reason:
            self.finish(choice.finish_reason)

    def _take_delta(self, delta: WireDelta) -> None:
        reasoning = delta.reasoning_content or delta.reasoning
        if reasoning:
            self._emit("reasoning", reasoning)
        content = delta.content
        if isinstance(content, list):
            self._take_parts(content)
        elif content:
            self._take_text(content)
        if delta.refusal:
            self._take_text(delta.refusal)
        for piece in delta.tool_calls or ():
            if piece is not None:
                self._spend(self._tools.take(piece))

    def _take_parts(self, parts: list[WirePart]) -> None:
        for part in parts:
            thinking = part.thinking
            if isinstance(thinking, list):
                thinking = "".join(inner.text or "" for inner in thinking)
            if thinking:
                self._emit("reasoning", thinking)
            if part.text:
                self._take_text(part.text)

    def _take_text(self, text: str) -> None:
        if self._thinking.plain:
            self._emit("text", text)
            return
        for channel, piece in self._thinking.feed(text):
            self._emit(channel, piece)

    def _emit(self, channel: Channel, text: str) -> None:
        size = len(text)
        if self._joiners or not text.isascii():
            text, size = self._mended(channel, text)
        if "\x00" in text:
            # Valid in Unicode, refused by databases.
            text = text.replace("\x00", "\ufffd")
        if text and self._spend(size):
            self._append(channel, text)

    def _mended(self, channel: Channel, text: str) -> tuple[str, int]:
        if channel not in self._joiners:
            try:
                return text, len(text.encode())
            except UnicodeEncodeError:
                self._joiners[channel] = SurrogateJoiner()
        text = self._joiners[channel].feed(text)
        return text, len(text.encode())

    def _append(self, channel: Channel, text: str) -> None:
        if channel != self._channel:
            self._end_run()
            self._channel = channel
        self._run.append(text)

    def _spend(self, size: int) -> bool:
        self._budget -= size
        if self._budget < 0 and self.error is None:
            self.error = Garbled(
                "The answer is too long.",
                "The part so far is saved. Ask for a shorter answer.",
                code="upstream_too_long",
            )
        return self._budget >= 0

    def _end_run(self) -> None:
        if self._run:
            self._chunks.append(Delta(self._channel, "".join(self._run)))
            self._run.clear()

    def _release_held(self) -> None:
        for channel, piece in self._thinking.end():
            self._emit(channel, piece)
        for channel, joiner in self._joiners.items():
            if rest := joiner.end():
                self._append(channel, rest)

    def _take_unreadable(self, payload: bytes) -> None:
        if payload.strip() == b"[DONE]":
            self.done = True
            return
        self._malformed += 1
        if self._malformed > MALFORMED_ALLOWED and not self.finished:
            self.error = Garbled(
                "The model's server sent unreadable data.",
                "Too many parts of the answer were not valid JSON. Ask again, or choose another model.",
            )
