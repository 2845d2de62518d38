"""Translating the dialect's payloads to the kernel's chunks."""

import re
from collections.abc import Sequence

import msgspec

from parley.connectors.openai.chunks import (
    Thought,
    WireChoice,
    WireDelta,
    WireImage,
    WirePart,
    decode_word,
)
from parley.connectors.openai.decoding import decode_chunk
from parley.connectors.openai.faults import error_from_chunk, not_an_answer
from parley.connectors.openai.finish_reasons import is_broken_off, read_reason
from parley.connectors.openai.made_pictures import made_of
from parley.connectors.openai.surrogates import SurrogateJoiner
from parley.connectors.openai.think_tags import ThinkSplitter
from parley.connectors.openai.tool_calls import ToolCallAssembler
from parley.connectors.openai.usage import decode_usage
from parley.kernel.connector import Chunk, Delta, Finish, FinishReason, Rethought, Usage
from parley.kernel.errors import Garbled, UpstreamError
from parley.kernel.messages import Channel

MALFORMED_ALLOWED = 3
"""The chunks that may be unreadable before the answer counts as garbled."""

WORDY = 8
"""The chunks that may fail to decode as plain text before the fast path is given up."""

_WATCHED = re.compile(r"[<\[`\x00]").search
"""A word with none of these may pass: no tag, no code, nothing to mend."""
_THOUGHT_PARTS = frozenset({"thinking", "reasoning", "thought", "reasoning_text", "reasoning.text"})


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
        self._model: object = None
        self._malformed = 0
        self._answered = False
        self._resumed = False
        self._has_content = False
        self._is_chunked = False
        self._empty_finish = False
        self._reason: FinishReason = "stop"
        self._wordy = WORDY
        self._thinking = ThinkSplitter()
        self._tools = ToolCallAssembler()
        self._joiners: dict[Channel, SurrogateJoiner] = {}

    def feed_all(self, payloads: Sequence[bytes]) -> None:
        """Read payloads of the stream in order, with a fast path for plain text."""
        for payload in payloads:
            plain = self._wordy > 0 and self._is_plain()
            word = decode_word(payload) if plain else None
            if word and word.isascii() and not _WATCHED(word):
                if self._spend(len(word)):
                    self._run.append(word)
                    self._thinking.pass_by(word)
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
        choices, reasons = chunk.choices or (), chunk.reasons()
        if chunk.error is not None or (chunk.kind == "error" and not choices):
            if not self.finished or self._resumed:
                self.fail(payload)
            return
        if len(chunk.usage) > 4:  # longer than "null"
            self._usage, self._model = bytes(chunk.usage), chunk.model
        for choice in choices:
            if choice is not None and not choice.index:
                self._take_choice(choice)
        for reason in reasons:
            self.finish(reason)

    def feed_document(self, body: bytes) -> None:
        """Read an answer that is one JSON document instead of a stream."""
        for part in _documents(body):
            self.feed(part)
        if self.error is None and not (self._answered or self.finished):
            self.error = not_an_answer(body, self._secrets)
        elif self.error is None and not (self.finished or self._is_chunked):
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
        self._release_held()
        if self.finished and self.error is None:
            self._take_finish()
        return self.drain()

    def usage(self) -> Usage | None:
        """Return the last usage that was sent."""
        return decode_usage(self._usage, self._model)

    def finish(self, reason: object) -> None:
        """Note a finish reason. It counts if nothing follows it; of several in a row, the first."""
        meaning = read_reason(reason)
        if self.finished or meaning is None:
            return
        self.finished = not is_broken_off(reason)
        self._reason = meaning
        self._empty_finish = not self._has_content

    def _take_finish(self) -> None:
        self._end_run()
        kind = self._reason
        calls = self._tools.calls() if kind in ("stop", "tool_calls") else []
        self._chunks += calls
        self._chunks.append(Finish("tool_calls" if calls else kind))

    @property
    def may_end(self) -> bool:
        """True once only usage and [DONE] are expected: a server that wrote on after a finish may do so again."""
        return self.finished and not (self._resumed or self._empty_finish)

    def _resume(self) -> None:
        """Content follows: an earlier finish reason was none."""
        self._has_content = True
        if self.finished:
            self.finished, self._resumed = False, True

    def _take_choice(self, choice: WireChoice) -> None:
        self._answered = True
        self._is_chunked = choice.delta is not None
        delta = choice.delta or choice.message
        if delta is not None:
            self._take_delta(delta)
        elif isinstance(choice.text, str) and choice.text:
            self._resume()
            self._take_text(choice.text)
        for reason in choice.reasons():
            self.finish(reason)

    def _take_delta(self, delta: WireDelta) -> None:
        for thought in delta.thoughts_of():
            # Servers repeat one thought in several fields.
            if not isinstance(thought, bool) and (reasoning := _thought_text(thought)):
                self._resume()
                self._emit("reasoning", reasoning)
                break
        content = delta.content
        if content or delta.refusal or delta.tool_calls or delta.images:
            self._resume()
        if isinstance(content, list):
            self._take_parts(content)
        elif content:
            self._take_text(content)
        if delta.refusal:
            self._take_text(delta.refusal)
        for piece in delta.tool_calls or ():
            if piece is not None:
                self._spend(self._tools.take(piece))
        for image in delta.images or ():
            if image is not None and self.error is None:
                self._take_image(image)

    def _take_parts(self, parts: list[WirePart]) -> None:
        for part in parts:
            is_thought = part.type in _THOUGHT_PARTS
            if thinking := _thought_text(part if is_thought else part.thinking):
                self._emit("reasoning", thinking)
            if part.text and not is_thought:
                self._take_text(part.text)

    def _take_image(self, image: WireImage) -> None:
        try:
            made = made_of(image)
        except Garbled as error:
            self.error = error
            return
        self._end_run()
        self._chunks.append(made)

    def _take_text(self, text: str) -> None:
        for channel, piece in self._thinking.feed(text):
            self._emit(channel, piece)
        if self._thinking.closes_unopened:
            self._thinking.closes_unopened = False
            self._end_run()
            self._chunks.append(Rethought())
            for channel, piece in self._thinking.feed(""):
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


def _documents(body: bytes) -> Sequence[bytes]:
    """Return the chunks of a body that is a list of them, or the body."""
    if body.lstrip().startswith(b"["):
        try:
            return [bytes(part) for part in msgspec.json.decode(body, type=list[msgspec.Raw])]
        except (ValueError, RecursionError):
            pass
    return [body]


def _thought_text(thought: Thought) -> str:
    """Return the text of a thought, whatever its shape."""
    if isinstance(thought, WirePart):
        own = (thought.text, thought.thinking, thought.content, thought.summary)
        return next((text for each in own if (text := _thought_text(each))), "")
    return "".join(map(_thought_text, thought)) if isinstance(thought, list) else thought or ""
