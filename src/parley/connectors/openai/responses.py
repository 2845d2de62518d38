"""Reading answers of OpenAI's Responses API (`POST /responses`): its events as the kernel's chunks."""

from typing import TypeAlias, cast

import msgspec

from parley.connectors.openai.answer_reader import AnswerReader
from parley.connectors.openai.chunks import WireFunction, WireToolCall
from parley.connectors.openai.faults import not_an_answer
from parley.connectors.openai.surrogates import decode_leniently
from parley.connectors.openai.usage import decode_usage
from parley.kernel.connector import Usage


class _Content(msgspec.Struct):
    text: str | None = None
    refusal: str | None = None


class _Item(msgspec.Struct):
    """A part of the answer: a message, reasoning or a function call."""

    type: str | None = None
    call_id: str | None = None
    name: str | None = None
    arguments: str | None = None
    content: list[_Content] | None = None
    summary: list[_Content] | None = None


class _Incomplete(msgspec.Struct):
    reason: str | None = None


class _Response(msgspec.Struct):
    status: str | None = None
    output: list[_Item] | None = None
    usage: msgspec.Raw = msgspec.Raw(b"")
    error: object = None
    incomplete_details: _Incomplete | None = None


class _Event(msgspec.Struct):
    """An event of a stream; a whole answer has `status` and `output` in its place."""

    type: str | None = None
    delta: str | None = None
    output_index: int = 0
    item: _Item | None = None
    response: _Response | None = None


Fields: TypeAlias = dict[str, object]

_EVENT: msgspec.json.Decoder[_Event] = msgspec.json.Decoder(_Event)
_DOCUMENT: msgspec.json.Decoder[_Response] = msgspec.json.Decoder(_Response)
_REASONING = frozenset({"response.reasoning_summary_text.delta", "response.reasoning_text.delta"})
_TEXT = frozenset({"response.output_text.delta", "response.refusal.delta"})
_ENDS = frozenset({"response.completed", "response.incomplete"})


class ResponsesReader(AnswerReader):
    """Reads one answer of the Responses API; see `AnswerReader`."""

    _counted: bytes = b""

    def feed(self, payload: bytes) -> None:
        """Read one event of the stream."""
        if self.error is not None or self.done or not payload:
            return
        try:
            event = _decode_event(payload)
        except (ValueError, RecursionError):
            self._take_unreadable(payload)
            return
        kind = event.type or ""
        if kind in _TEXT:
            self._take_text(event.delta or "")
        elif kind in _REASONING:
            self._emit("reasoning", event.delta or "")
        elif kind == "response.function_call_arguments.delta":
            self._take_call(event.output_index, _Item(arguments=event.delta))
        elif kind == "response.output_item.added" and event.item and event.item.type == "function_call":
            self._take_call(event.output_index, event.item)
        elif kind in _ENDS and event.response:
            self._end_with(event.response)
        elif kind == "response.failed" and event.response:
            self.fail(msgspec.json.encode({"error": event.response.error}))
        elif kind == "error":
            self.fail(payload)

    def feed_document(self, body: bytes) -> None:
        """Read an answer that is one JSON document instead of a stream."""
        try:
            response = _DOCUMENT.decode(body)
        except (ValueError, RecursionError):
            response = _Response()
        if response.error is not None:
            self.fail(body)
            return
        if response.output is None:
            self.error = not_an_answer(body, self._secrets)
            return
        self._take_items(response.output)
        self._end_with(response)

    def usage(self) -> Usage | None:
        """Return the usage, which comes with the end."""
        return decode_usage(self._counted)

    def _take_items(self, items: list[_Item]) -> None:
        for index, item in enumerate(items):
            if item.type == "function_call":
                self._take_call(index, item)
            for part in item.summary or ():
                self._emit("reasoning", part.text or "")
            for part in (item.content or ()) if item.type == "message" else ():
                self._take_text(part.text or part.refusal or "")

    def _take_call(self, index: int, item: _Item) -> None:
        function = WireFunction(name=item.name, arguments=item.arguments)
        self._spend(self._tools.take(WireToolCall(index=index, id=item.call_id, function=function)))

    def _end_with(self, response: _Response) -> None:
        self._counted = bytes(response.usage)
        details = response.incomplete_details
        reason = (details.reason or "") if details else ""
        self.finish("length" if reason == "max_output_tokens" else reason or "stop")
        self.done = True


def _decode_event(payload: bytes) -> _Event:
    """Decode an event. Raises ValueError: not JSON, or not the shape of an event."""
    try:
        return _EVENT.decode(payload)
    except msgspec.ValidationError:
        raise
    except ValueError:
        return _convert(decode_leniently(payload))


def _convert(document: object) -> _Event:
    """Return an event of plain data. Raises ValueError."""
    fields = cast("Fields", document) if isinstance(document, dict) else {}
    response = fields.get("response")
    usage = cast("Fields", response).pop("usage", None) if isinstance(response, dict) else None
    event = msgspec.convert(document, _Event)
    if event.response is not None:
        event.response.usage = msgspec.Raw(msgspec.json.encode(usage))
    return event
