"""Reads a request of the Responses API as a chat completion's."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, cast

import msgspec
from pydantic import Field

from parley.features.openai_api.chat_schemas import MOST_MESSAGES, Lenient, ModelName, OwnFields, an_object
from parley.kernel.errors import Invalid

Fields = dict[str, Any]

_TEXTS = ("input_text", "output_text", "text")
_NEUTRAL: dict[str, tuple[object, ...]] = {
    "background": (False,),
    "conversation": (),
    "prompt": (),
    "max_tool_calls": (),
    "top_logprobs": (0,),
}
"""Fields for things that Parley can't do, with the values by which nothing is asked for."""


class Reasoning(Lenient):
    """The extent to which the model reasons."""

    effort: str | None = None


class TextOptions(Lenient):
    """The form of the answer's text."""

    format: dict[str, Any] | None = None


class ResponseBody(Lenient):
    """Items of a conversation, and how its answer should be; `parley` is for Parley's own.

    `previous_response_id`: a stored answer that this follows. `store`: keep this one for thirty days, as is usual.
    """

    model: ModelName
    input: str | Annotated[list[dict[str, Any]], Field(min_length=1, max_length=MOST_MESSAGES)]
    instructions: str | None = None
    previous_response_id: Annotated[str, Field(max_length=100)] | None = None
    store: bool | None = None
    stream: bool | None = None
    max_output_tokens: Annotated[int, Field(ge=1)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: float | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: Any = None
    text: TextOptions | None = None
    reasoning: Reasoning | None = None
    metadata: dict[str, str] | None = None
    background: bool | None = None
    conversation: Any = None
    prompt: Any = None
    max_tool_calls: int | None = None
    top_logprobs: int | None = None
    parley: OwnFields | None = None

    @property
    def items(self) -> list[Fields]:
        """The input as items."""
        if isinstance(self.input, str):
            return [{"type": "message", "role": "user", "content": self.input}]
        return self.input


def as_chat(body: ResponseBody, earlier: Sequence[Fields]) -> bytes:
    """Return the request of a chat completion that asks for the same, after `earlier` items. Raises Invalid."""
    for field, neutral in _NEUTRAL.items():
        if (value := getattr(body, field)) is not None and value not in neutral:
            raise _unsupported(field)
    system = [{"role": "system", "content": body.instructions}] if body.instructions else []
    fields: Fields = {
        "model": body.model,
        "messages": [*system, *_joined([*_messages(earlier), *_messages(body.items)])],
        "max_completion_tokens": body.max_output_tokens,
        "temperature": body.temperature,
        "top_p": body.top_p,
        "tools": [_tool(number, tool) for number, tool in enumerate(body.tools or ())] or None,
        "tool_choice": body.tool_choice,
        "response_format": _form(body.text.format if body.text else None),
    }
    return msgspec.json.encode({name: value for name, value in fields.items() if value is not None})


def _messages(items: Sequence[Fields]) -> Iterator[Fields]:
    for place, item in enumerate(items):
        field = f"input.{place}"
        match item.get("type") or "message":
            case "message":
                yield {"role": item.get("role"), "content": _content(f"{field}.content", item.get("content"))}
            case "function_call":
                function = {"name": item.get("name"), "arguments": item.get("arguments")}
                call = {"id": item.get("call_id"), "type": "function", "function": function}
                yield {"role": "assistant", "content": "", "tool_calls": [call]}
            case "function_call_output":
                output = _content(f"{field}.output", item.get("output"))
                yield {"role": "tool", "tool_call_id": item.get("call_id"), "content": output}
            case "reasoning":
                pass  # models of other makers can't use it
            case _:
                raise _unsupported(f"{field}.type")


def _joined(messages: Iterable[Fields]) -> list[Fields]:
    """Return the messages with calls of tools in the assistant's message before them, as chats have them."""
    joined: list[Fields] = []
    for message in messages:
        last = joined[-1] if joined else {}
        if message.get("tool_calls") and last.get("role") == "assistant":
            joined[-1] = {**last, "tool_calls": [*last.get("tool_calls", []), *message["tool_calls"]]}
        else:
            joined.append(message)
    return joined


def _content(field: str, content: object) -> object:
    if not isinstance(content, list):
        return content
    parts = cast("list[object]", content)
    return [_part(f"{field}.{number}", part) for number, part in enumerate(parts)]


def _part(field: str, content: object) -> Fields:
    part = an_object(field, content)
    kind = part.get("type")
    if kind in _TEXTS:
        return {"type": "text", "text": part.get("text")}
    if kind == "refusal":
        return {"type": "refusal", "refusal": part.get("refusal")}
    if kind == "input_image" and isinstance(part.get("image_url"), str):
        return {"type": "image_url", "image_url": {"url": part["image_url"]}}
    raise _unsupported(f"{field}.type")


def _tool(number: int, tool: Fields) -> Fields:
    if tool.get("type") != "function":
        raise _unsupported(f"tools.{number}.type", "Send functions, or leave it out.")
    function = {name: tool[name] for name in ("name", "description", "parameters") if name in tool}
    return {"type": "function", "function": function}


def _form(wanted: Fields | None) -> Fields | None:
    if wanted is None or wanted.get("type") == "text":
        return None
    if wanted.get("type") != "json_schema":
        return {"type": wanted.get("type")}
    schema = {name: wanted[name] for name in ("name", "schema", "strict") if name in wanted}
    return {"type": "json_schema", "json_schema": schema}


def _unsupported(field: str, advice: str = "Send the request without it.") -> Invalid:
    return Invalid(field, f"{field}: Parley can't pass this on.", advice, code="unsupported_parameter")
