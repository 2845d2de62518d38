"""Reads a chat completion's request as messages and options of the kernel, and refuses by name what it can't do."""

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from typing import Any

from parley.features.openai_api.chat_schemas import (
    ChatCompletionRequest,
    ChatMessage,
    ChatToolCall,
    ImageContent,
    TextContent,
)
from parley.kernel.errors import Invalid
from parley.kernel.messages import Author, ImagePart, Message, Part, TextPart, ToolCall
from parley.kernel.options import AskOptions, Tool
from parley.kernel.ports import Blobs

_NEUTRAL: Mapping[str, tuple[Any, ...]] = {
    "n": (1,),
    "top_p": (1.0,),
    "stop": ([],),
    "presence_penalty": (0.0,),
    "frequency_penalty": (0.0,),
    "logit_bias": ({},),
    "logprobs": (False,),
    "top_logprobs": (0,),
    "audio": (),
    "modalities": (["text"],),
    "functions": ([],),
    "function_call": ("none", "auto"),
    "tool_choice": ("auto",),
    "web_search_options": (),
}
"""The values with which a field that Parley can't pass on asks for nothing."""

_DATA = re.compile(r"data:[a-z0-9.+/-]*;base64,", re.IGNORECASE)


def options_of(body: ChatCompletionRequest) -> AskOptions:
    """Return the options that a request sets. Raises Invalid for those that can't be passed on."""
    for field, neutral in _NEUTRAL.items():
        value = getattr(body, field)
        if value is not None and value not in neutral and not (field == "tool_choice" and value == "none"):
            raise _unsupported(field)
    tools = [] if body.tool_choice == "none" else body.tools or []
    return AskOptions(
        temperature=body.temperature,
        max_output_tokens=body.max_completion_tokens or body.max_tokens,
        json_schema=_schema(body),
        seed=body.seed,
        tools=tuple(
            Tool(
                name=tool.function.name,
                description=tool.function.description or "",
                parameters=tool.function.parameters or {"type": "object", "properties": {}},
            )
            for tool in tools
        )
        or None,
    )


def _schema(body: ChatCompletionRequest) -> dict[str, object] | None:
    wanted = body.response_format
    if wanted is None or wanted.type == "text":
        return None
    if wanted.type == "json_object":
        raise _unsupported("response_format", "Ask with “json_schema” and a schema.")
    if wanted.json_schema is None:
        raise Invalid("response_format.json_schema", "response_format.json_schema: is missing.")
    return wanted.json_schema.schema_


async def messages_of(
    blobs: Blobs | None, owner_id: str, messages: Sequence[ChatMessage]
) -> tuple[Message, ...]:
    """Return a request's messages; their pictures are stored. Raises Invalid, and Unavailable without disk space."""
    return tuple([await _message(blobs, owner_id, message, place) for place, message in enumerate(messages)])


async def _message(blobs: Blobs | None, owner_id: str, message: ChatMessage, place: int) -> Message:
    role: Author = "system" if message.role == "developer" else message.role
    content: str | tuple[Part, ...]
    if isinstance(message.content, list):
        parts: list[Part] = []
        for number, part in enumerate(message.content):
            field = f"messages.{place}.content.{number}.image_url.url"
            if isinstance(part, ImageContent):
                parts.append(await _picture(blobs, owner_id, part, field))
            else:
                parts.append(TextPart(part.text if isinstance(part, TextContent) else part.refusal))
        only_text = [part.text for part in parts if isinstance(part, TextPart)]
        content = "\n\n".join(only_text) if len(only_text) == len(parts) else tuple(parts)
    else:
        content = message.content or ""
    _check(message, content, place)
    calls = tuple(_call(number, call) for number, call in enumerate(message.tool_calls or ()))
    return Message(role, content, calls, message.tool_call_id)


def _check(message: ChatMessage, content: str | tuple[Part, ...], place: int) -> None:
    """Raise Invalid for a message that no model's server takes."""
    if message.role == "tool" and not message.tool_call_id:
        field = f"messages.{place}.tool_call_id"
        raise Invalid(field, f"{field}: is missing.", "Name the call that the message answers.")
    if message.role == "user" and (not content or (isinstance(content, str) and not content.strip())):
        field = f"messages.{place}.content"
        raise Invalid(field, f"{field}: must not be empty.")


async def _picture(blobs: Blobs | None, owner_id: str, part: ImageContent, field: str) -> ImagePart:
    start = _DATA.match(part.image_url.url)
    if start is None:
        raise Invalid(
            field,
            f"{field}: must be a data URI, such as “data:image/png;base64,…”.",
            "Parley loads nothing from other servers. Send the picture itself.",
        )
    try:
        data = base64.b64decode(part.image_url.url[start.end() :], validate=True)
    except binascii.Error:
        raise Invalid(field, f"{field}: is not valid Base64.") from None
    if blobs is None:
        raise Invalid(field, f"{field}: this installation doesn't store pictures.", "Send text only.")
    try:
        stored = await blobs.store(owner_id, data, "")
    except Invalid as error:
        raise Invalid(field, f"{field}: {error.title}", error.detail) from None
    if not isinstance(stored.part, ImagePart):
        raise Invalid(
            field, f"{field}: is not a picture that models can read.", "Send PNG, JPEG, GIF or WebP."
        )
    return stored.part


def _call(number: int, call: ChatToolCall) -> ToolCall:
    return ToolCall(number, call.id, call.function.name, call.function.arguments)


def _unsupported(field: str, advice: str = "Send the request without it.") -> Invalid:
    return Invalid(field, f"{field}: Parley can't pass this on.", advice, code="unsupported_parameter")
