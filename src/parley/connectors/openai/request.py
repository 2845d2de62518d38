"""Writing the dialect's request, in the words that a server knows."""

import msgspec

from parley.kernel.connector import ChatRequest
from parley.kernel.messages import Message


class Wording(msgspec.Struct, frozen=True):
    """How a request to a server is worded."""

    stream_options: bool = True
    max_completion_tokens: bool = False


class Dialect:
    """What one server has taught about its words; shared by all streams to it."""

    def __init__(self) -> None:
        self._stream_options = True
        self._new_limit: set[str] = set()

    def wording(self, model: str) -> Wording:
        """Return the words to use with a model."""
        return Wording(self._stream_options, model in self._new_limit)

    def learn(self, model: str, used: Wording, status: int, body: bytes) -> bool:
        """Learn from a refusal; True where the same question in other words may be answered."""
        if status not in (400, 422):
            return False
        if used.stream_options and (b"stream_options" in body or b"include_usage" in body):
            self._stream_options = False
            return True
        if not used.max_completion_tokens and b"max_completion_tokens" in body:
            self._new_limit.add(model)
            return True
        return False


class _StreamOptions(msgspec.Struct):
    include_usage: bool = True


class _Body(msgspec.Struct, omit_defaults=True):
    model: str
    messages: tuple[Message, ...]
    stream: bool | None = None
    stream_options: _StreamOptions | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    temperature: float | None = None


def encode_request(request: ChatRequest, wording: Wording) -> bytes:
    """Return the request's JSON body."""
    body = _Body(
        model=request.model,
        messages=request.messages,
        stream=True,
        stream_options=_StreamOptions() if wording.stream_options else None,
        max_tokens=None if wording.max_completion_tokens else request.max_output_tokens,
        max_completion_tokens=request.max_output_tokens if wording.max_completion_tokens else None,
        temperature=request.temperature,
    )
    try:
        return msgspec.json.encode(body)
    except UnicodeEncodeError:
        body.messages = tuple(Message(message.role, _whole(message.content)) for message in body.messages)
        return msgspec.json.encode(body)


def _whole(text: str) -> str:
    """Return the text with lone surrogates replaced: JSON in UTF-8 cannot carry them."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
