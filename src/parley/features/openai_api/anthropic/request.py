"""Reads a request of Anthropic's Messages API as a chat completion's."""

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, cast

import msgspec
from pydantic import Field

from parley.features.openai_api.chat_schemas import MOST_MESSAGES, Lenient, ModelName, OwnFields, an_object
from parley.kernel.errors import Invalid

Fields = dict[str, Any]

_CHOICES = {"auto": "auto", "none": "none", "any": "required"}


class AnthropicMessage(Lenient):
    """A message: text, or blocks of text, pictures, calls of tools and their results."""

    role: Literal["user", "assistant"]
    content: str | list[dict[str, Any]]


class AnthropicTool(Lenient):
    """A function that the model may call; `input_schema` is a JSON Schema."""

    name: str
    type: str | None = None
    description: str | None = None
    input_schema: dict[str, Any] | None = None


class MessagesBody(Lenient):
    """A conversation, and how its answer should be, in Anthropic's fields; `parley` is for Parley's own."""

    model: ModelName
    max_tokens: Annotated[int, Field(ge=1)]
    messages: Annotated[list[AnthropicMessage], Field(min_length=1, max_length=MOST_MESSAGES)]
    system: str | list[dict[str, Any]] | None = None
    stream: bool | None = None
    temperature: Annotated[float, Field(ge=0, le=1)] | None = None
    tools: list[AnthropicTool] | None = None
    tool_choice: dict[str, Any] | None = None
    stop_sequences: list[str] | None = None
    top_p: float | None = None
    top_k: int | None = None
    parley: OwnFields | None = None


def as_chat(body: MessagesBody) -> bytes:
    """Return the request of a chat completion that asks for the same. Raises Invalid for what there is not in one."""
    if body.top_k is not None:
        raise _unsupported("top_k")
    fields: Fields = {
        "model": body.model,
        "messages": list(_messages(body)),
        "max_completion_tokens": body.max_tokens,
        "temperature": body.temperature,
        "top_p": body.top_p,
        "stop": body.stop_sequences or None,
        "tools": [_tool(number, tool) for number, tool in enumerate(body.tools or ())] or None,
        "tool_choice": _choice(body.tool_choice),
    }
    return msgspec.json.encode({name: value for name, value in fields.items() if value is not None})


def _messages(body: MessagesBody) -> Iterator[Fields]:
    if body.system:
        yield {"role": "system", "content": _text("system", body.system)}
    for place, message in enumerate(body.messages):
        field = f"messages.{place}.content"
        if isinstance(message.content, str):
            yield {"role": message.role, "content": message.content}
        elif message.role == "user":
            yield from _asked(field, message.content)
        else:
            yield _answered(field, message.content)


def _asked(field: str, blocks: Sequence[Fields]) -> Iterator[Fields]:
    """Yield a person's blocks: results of tools are messages of their own, and come first."""
    parts: list[Fields] = []
    for number, block in enumerate(blocks):
        at = f"{field}.{number}"
        match block.get("type"):
            case "text":
                parts.append({"type": "text", "text": _string(at, block, "text")})
            case "image":
                parts.append({"type": "image_url", "image_url": {"url": _picture(at, block)}})
            case "tool_result":
                content = block.get("content") or ""
                text = _text(f"{at}.content", content)
                yield {"role": "tool", "tool_call_id": _string(at, block, "tool_use_id"), "content": text}
            case _:
                raise _unsupported(f"{at}.type")
    if parts:
        yield {"role": "user", "content": parts}


def _answered(field: str, blocks: Sequence[Fields]) -> Fields:
    texts: list[str] = []
    calls: list[Fields] = []
    for number, block in enumerate(blocks):
        at = f"{field}.{number}"
        match block.get("type"):
            case "text":
                texts.append(_string(at, block, "text"))
            case "tool_use":
                arguments = msgspec.json.encode(block.get("input") or {}).decode()
                function = {"name": _string(at, block, "name"), "arguments": arguments}
                calls.append({"id": _string(at, block, "id"), "type": "function", "function": function})
            case "thinking" | "redacted_thinking":
                pass  # models of other makers can't use it
            case _:
                raise _unsupported(f"{at}.type")
    return {"role": "assistant", "content": "\n\n".join(texts), **({"tool_calls": calls} if calls else {})}


def _text(field: str, content: object) -> str:
    """Return the text of a content that may have only that."""
    if isinstance(content, str):
        return content
    items = cast("list[object]", content) if isinstance(content, list) else []
    blocks = [an_object(f"{field}.{number}", item) for number, item in enumerate(items)]
    for number, block in enumerate(blocks):
        if block.get("type") != "text":
            raise _unsupported(f"{field}.{number}.type", "Send text there.")
    return "\n\n".join(_string(f"{field}.{number}", block, "text") for number, block in enumerate(blocks))


def _picture(field: str, block: Fields) -> str:
    source: object = block.get("source")
    fields: Mapping[str, object] = cast("Mapping[str, object]", source) if isinstance(source, dict) else {}
    data, media_type = fields.get("data"), fields.get("media_type")
    if fields.get("type") != "base64" or not isinstance(data, str) or not isinstance(media_type, str):
        raise Invalid(
            f"{field}.source",
            f"{field}.source: must have the picture itself, in Base64.",
            "Parley loads nothing from other servers.",
        )
    try:
        base64.b64decode(data, validate=True)
    except binascii.Error:
        raise Invalid(f"{field}.source.data", f"{field}.source.data: is not valid Base64.") from None
    return f"data:{media_type};base64,{data}"


def _tool(number: int, tool: AnthropicTool) -> Fields:
    if tool.type not in (None, "custom"):
        raise _unsupported(f"tools.{number}.type")
    parameters = tool.input_schema or {"type": "object", "properties": {}}
    function = {"name": tool.name, "description": tool.description or "", "parameters": parameters}
    return {"type": "function", "function": function}


def _choice(wanted: Fields | None) -> object:
    if wanted is None:
        return None
    kind = wanted.get("type")
    if kind == "tool":
        return {"type": "function", "function": {"name": str(wanted.get("name"))}}
    if not isinstance(kind, str) or kind not in _CHOICES:
        raise Invalid("tool_choice.type", f"tool_choice.type: must be one of {', '.join(_CHOICES)}, tool.")
    return _CHOICES[kind]


def _string(field: str, block: Fields, name: str) -> str:
    value = block.get(name)
    if not isinstance(value, str):
        raise Invalid(f"{field}.{name}", f"{field}.{name}: must be text.")
    return value


def _unsupported(field: str, advice: str = "Send the request without it.") -> Invalid:
    return Invalid(field, f"{field}: Parley can't pass this on.", advice, code="unsupported_parameter")
