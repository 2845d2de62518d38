"""Translating a question to llm's prompt."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

import msgspec

from parley.kernel.connector import ChatRequest
from parley.kernel.errors import Rejected
from parley.kernel.messages import Message, attachments_of, text_of

_OPTIONS: Final = {
    "temperature": ("temperature",),
    "max_output_tokens": ("max_tokens", "max_output_tokens", "max_completion_tokens", "num_predict"),
    "seed": ("seed",),
    "reasoning_effort": ("reasoning_effort", "thinking_effort", "thinking_level"),
}
"""Plugins' names for the options of a question."""


def ask(request: ChatRequest, model: Any) -> Any:
    """Return llm's response, which asks once it is iterated. Raises Rejected for what the model does not take."""
    llm: Any = import_module("llm")
    _check(request, model)
    *before, last = request.messages
    if last.role != "user":
        before, last = list(request.messages), Message("user", "")
    response = model.prompt(
        text_of(last) or None,
        system="\n\n".join(text_of(message) for message in before if message.role == "system") or None,
        attachments=_attachments(last, request.attached),
        messages=[_message(message, request.attached) for message in before],
        options=_options(request, model),
        schema=request.json_schema,
        tools=[
            llm.Tool(name=tool.name, description=tool.description, input_schema=dict(tool.parameters))
            for tool in request.tools or ()
        ],
    )
    response.conversation = _conversation(before, request.attached, model)
    return response


def _conversation(messages: Sequence[Message], attached: dict[str, bytes], model: Any) -> Any:
    """Return the questions and answers before, for plugins from before llm 0.32: these do not read `messages`."""
    models: Any = import_module("llm.models")
    conversation = model.conversation()
    answered = models.AsyncResponse if hasattr(conversation, "to_sync_conversation") else models.Response
    question: Message | None = None
    for message in messages:
        if message.role == "user":
            question = message
        elif message.role == "assistant" and question is not None:
            prompt = models.Prompt(
                text_of(question), model=model, attachments=_attachments(question, attached)
            )
            response = answered(prompt, model, stream=False)
            # As llm's own AsyncResponse.fake does; there is none for the other form.
            response._chunks, response._done = [text_of(message)], True  # noqa: SLF001
            conversation.responses.append(response)
            question = None
    return conversation


def _check(request: ChatRequest, model: Any) -> None:
    """Refuse what the model would ignore or fail at."""
    if request.json_schema is not None and not model.supports_schema:
        raise _lacks(model, "JSON schemas")
    if request.tools and not model.supports_tools:
        raise _lacks(model, "tools")
    kinds = {part.media_type for part in attachments_of(request.messages)}
    if missing := sorted(kinds - set(model.attachment_types)):
        raise _lacks(model, f"files of the type {missing[0]}")
    if not model.supports_conversation and any(m.role in ("assistant", "tool") for m in request.messages):
        raise _lacks(model, "more than one question")


def _options(request: ChatRequest, model: Any) -> dict[str, Any]:
    known = model.Options.model_fields
    options: dict[str, Any] = {}
    for ours, theirs in _OPTIONS.items():
        if (value := getattr(request, ours)) is None:
            continue
        name = next((name for name in theirs if name in known), None)
        if name is None:
            raise _lacks(model, f"the option {ours}")
        options[name] = value
    return options


def _message(message: Message, attached: dict[str, bytes]) -> Any:
    llm: Any = import_module("llm")
    parts: Any = import_module("llm.parts")
    if message.role == "tool":
        return llm.tool_message(
            parts.ToolResultPart(output=text_of(message), tool_call_id=message.tool_call_id)
        )
    text = text_of(message)
    calls = [
        parts.ToolCallPart(name=call.name, arguments=_arguments(call.arguments), tool_call_id=call.id)
        for call in message.tool_calls
    ]
    make = {"system": llm.system, "user": llm.user, "assistant": llm.assistant}[message.role]
    return make(*([text] if text else []), *_attachments(message, attached), *calls)


def _attachments(message: Message, attached: dict[str, bytes]) -> list[Any]:
    llm: Any = import_module("llm")
    return [
        llm.Attachment(type=part.media_type, content=attached[part.sha256])
        for part in attachments_of((message,))
    ]


def _arguments(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except ValueError:
        return {}


def _lacks(model: Any, what: str) -> Rejected:
    return Rejected(
        f"{model.model_id} does not support {what}.",
        "The limit is in its llm plugin. Choose another model for this.",
    )
