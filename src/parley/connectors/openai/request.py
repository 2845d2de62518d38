"""Encoding requests in the OpenAI dialect, in the variant that a server accepts."""

from base64 import b64encode
from typing import TypeAlias

import msgspec

from parley.kernel.connector import ChatRequest
from parley.kernel.messages import FilePart, ImagePart, Message, TextPart, with_texts
from parley.kernel.options import Tool


class RequestFormat(msgspec.Struct, frozen=True):
    """The API that a request goes to, and the optional fields that it uses.

    `responses`: the Responses API; `summarised`: its reasoning is asked for in short.
    """

    stream_options: bool = True
    max_completion_tokens: bool = False
    responses: bool = False
    summarised: bool = True


class FormatMemory:
    """The fields that one server has refused; shared by all streams to it."""

    def __init__(self) -> None:
        self._stream_options = True
        self._completion_limit: set[str] = set()
        self._responses: set[str] = set()
        self._unsummarised: set[str] = set()

    def format_for(self, model: str) -> RequestFormat:
        """Return the format to use with a model."""
        return RequestFormat(
            self._stream_options,
            model in self._completion_limit,
            model in self._responses,
            model not in self._unsummarised,
        )

    def learn(self, model: str, used: RequestFormat, status: int, body: bytes) -> bool:
        """Learn from a refusal; return whether the same question in another format may be answered."""
        if status not in (400, 404, 422):
            return False
        if used.responses:
            if used.summarised and (b"reasoning" in body or b"summary" in body):
                self._unsummarised.add(model)
                return True
            return False
        if b"v1/responses" in body:
            # "This model is only supported in v1/responses and not in v1/chat/completions."
            self._responses.add(model)
            return True
        if used.stream_options and (b"stream_options" in body or b"include_usage" in body):
            self._stream_options = False
            return True
        if not used.max_completion_tokens and b"max_completion_tokens" in body:
            self._completion_limit.add(model)
            return True
        return False


class _Text(msgspec.Struct):
    text: str
    type: str = "text"


class _Url(msgspec.Struct):
    url: str


class _Image(msgspec.Struct):
    image_url: _Url
    type: str = "image_url"


class _Data(msgspec.Struct):
    filename: str
    file_data: str


class _File(msgspec.Struct):
    file: _Data
    type: str = "file"


_Part: TypeAlias = _Text | _Image | _File


class _Called(msgspec.Struct):
    name: str
    arguments: str


class _Call(msgspec.Struct):
    id: str
    function: _Called
    type: str = "function"


class _Message(msgspec.Struct, omit_defaults=True):
    role: str
    content: str | list[_Part]
    tool_calls: tuple[_Call, ...] = ()
    tool_call_id: str | None = None


class _Tool(msgspec.Struct):
    function: Tool
    type: str = "function"


class _StreamOptions(msgspec.Struct):
    include_usage: bool = True


class _Schema(msgspec.Struct):
    schema: dict[str, object]
    name: str = "answer"
    strict: bool = True


class _Format(msgspec.Struct):
    json_schema: _Schema
    type: str = "json_schema"


class _Body(msgspec.Struct, omit_defaults=True):
    model: str
    messages: list[_Message]
    stream: bool | None = None
    stream_options: _StreamOptions | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    temperature: float | None = None
    reasoning_effort: str | None = None
    seed: int | None = None
    response_format: _Format | None = None
    tools: tuple[_Tool, ...] = ()
    modalities: tuple[str, ...] = ()


def encode_request(request: ChatRequest, written: RequestFormat) -> bytes:
    """Return the request's JSON body."""
    body = _Body(
        model=request.model,
        messages=[_encode_message(message, request.attached) for message in request.messages],
        stream=True,
        stream_options=_StreamOptions() if written.stream_options else None,
        max_tokens=None if written.max_completion_tokens else request.max_output_tokens,
        max_completion_tokens=request.max_output_tokens if written.max_completion_tokens else None,
        temperature=request.temperature,
        reasoning_effort=request.reasoning_effort,
        seed=request.seed,
        response_format=_Format(_Schema(request.json_schema)) if request.json_schema is not None else None,
        tools=tuple(_Tool(tool) for tool in request.tools or ()),
        modalities=("image", "text") if request.pictures else (),
    )
    try:
        return msgspec.json.encode(body)
    except UnicodeEncodeError:
        valid = (with_texts(message, replace_surrogates) for message in request.messages)
        body.messages = [_encode_message(message, request.attached) for message in valid]
        return msgspec.json.encode(body)


def _encode_message(message: Message, attached: dict[str, bytes]) -> _Message:
    content = message.content
    return _Message(
        message.role,
        content if isinstance(content, str) else [_encode_part(part, attached) for part in content],
        tuple(_Call(call.id, _Called(call.name, call.arguments)) for call in message.tool_calls),
        message.tool_call_id,
    )


def _encode_part(part: TextPart | ImagePart | FilePart, attached: dict[str, bytes]) -> _Part:
    if isinstance(part, TextPart):
        return _Text(part.text)
    url = f"data:{part.media_type};base64,{b64encode(attached[part.sha256]).decode()}"
    if isinstance(part, ImagePart):
        return _Image(_Url(url))
    return _File(_Data(replace_surrogates(part.name), url))


def replace_surrogates(text: str) -> str:
    """Return the text with lone surrogates replaced: JSON in UTF-8 cannot carry them."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
