"""Answers in the shape of the Responses API, made from chat completions."""

from typing import Any, Literal

import msgspec

from parley.features.openai_api.completions import ChatCompletion, ToolCalled, UsageView
from parley.features.openai_api.responses.request import ResponseBody
from parley.kernel.connector import FinishReason

_REASONS: dict[FinishReason, str] = {"length": "max_output_tokens", "content_filter": "content_filter"}


class OutputText(msgspec.Struct, frozen=True, kw_only=True):
    """A text of the answer, or a summary of what the model thought."""

    type: str = "output_text"
    text: str = ""
    annotations: list[str] | msgspec.UnsetType = msgspec.UNSET
    logprobs: list[str] | msgspec.UnsetType = msgspec.UNSET


class OutputItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An item of the answer: a message, a thought, or a call of a function."""

    id: str
    type: str
    status: str | None = None
    role: str | None = None
    content: list[OutputText] | msgspec.UnsetType = msgspec.UNSET
    summary: list[OutputText] | msgspec.UnsetType = msgspec.UNSET
    call_id: str | None = None
    name: str | None = None
    arguments: str | None = None


class InputDetails(msgspec.Struct, frozen=True):
    """The tokens of the input that the provider had cached."""

    cached_tokens: int


class ReasoningDetails(msgspec.Struct, frozen=True):
    """The tokens of the output that were reasoning."""

    reasoning_tokens: int


class ResponseUsage(msgspec.Struct, frozen=True):
    """The tokens of a call."""

    input_tokens: int
    input_tokens_details: InputDetails
    output_tokens: int
    output_tokens_details: ReasoningDetails
    total_tokens: int

    @classmethod
    def of(cls, usage: UsageView) -> "ResponseUsage":
        """Return the tokens under the names of this API."""
        return cls(
            usage.prompt_tokens,
            InputDetails(usage.prompt_tokens_details.cached_tokens),
            usage.completion_tokens,
            ReasoningDetails(usage.completion_tokens_details.reasoning_tokens),
            usage.total_tokens,
        )


class ResponseError(msgspec.Struct, frozen=True):
    """The failure of an answer that had begun."""

    code: str
    message: str


class ResponseAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer with the options by which it was made."""

    id: str
    object: Literal["response"] = "response"
    created_at: int
    status: str = "in_progress"
    error: ResponseError | None = None
    incomplete_details: dict[str, str] | None = None
    instructions: str | None
    max_output_tokens: int | None
    model: str
    output: list[OutputItem] = []
    parallel_tool_calls: bool = True
    previous_response_id: str | None
    reasoning: dict[str, str | None]
    store: bool
    temperature: float | None
    text: dict[str, Any]
    tool_choice: Any
    tools: list[dict[str, Any]]
    top_p: float | None
    truncation: str = "disabled"
    usage: ResponseUsage | None = None
    metadata: dict[str, str]
    background: bool = False


def opened(body: ResponseBody, response_id: str, created: int, model_id: str) -> ResponseAnswer:
    """Return an answer that has not begun."""
    return ResponseAnswer(
        id=response_id,
        created_at=created,
        instructions=body.instructions,
        max_output_tokens=body.max_output_tokens,
        model=model_id,
        previous_response_id=body.previous_response_id,
        reasoning={"effort": body.reasoning.effort if body.reasoning else None, "summary": None},
        store=body.store is not False,
        temperature=body.temperature,
        text={"format": (body.text.format if body.text else None) or {"type": "text"}},
        tool_choice=body.tool_choice or "auto",
        tools=body.tools or [],
        top_p=body.top_p,
        metadata=body.metadata or {},
    )


def completed(
    answer: ResponseAnswer, output: list[OutputItem], finish: FinishReason, usage: UsageView | None
) -> ResponseAnswer:
    """Return an answer that has ended."""
    reason = _REASONS.get(finish)
    return msgspec.structs.replace(
        answer,
        status="incomplete" if reason else "completed",
        incomplete_details={"reason": reason} if reason else None,
        output=output,
        usage=ResponseUsage.of(usage) if usage else None,
    )


def answer_of(answer: ResponseAnswer, completion: ChatCompletion) -> ResponseAnswer:
    """Return a whole answer."""
    (choice,) = completion.choices
    message, name = choice.message, answer.id.removeprefix("resp_")
    items: list[OutputItem] = []
    if message.reasoning_content is not msgspec.UNSET:
        items.append(reasoning_item(f"rs_{name}_0", message.reasoning_content))
    if message.content:
        items.append(message_item(f"msg_{name}_{len(items)}", message.content))
    for called in () if message.tool_calls is msgspec.UNSET else message.tool_calls:
        items.append(call_item(f"fc_{name}_{len(items)}", called))
    return completed(answer, items, choice.finish_reason, completion.usage)


def text_part(text: str) -> OutputText:
    """Return a text of the answer."""
    return OutputText(text=text, annotations=[], logprobs=[])


def message_item(item_id: str, text: str | None) -> OutputItem:
    """Return a message; without a text, one that begins."""
    status, content = ("in_progress", []) if text is None else ("completed", [text_part(text)])
    return OutputItem(id=item_id, type="message", status=status, role="assistant", content=content)


def reasoning_item(item_id: str, text: str | None) -> OutputItem:
    """Return a thought; without a text, one that begins."""
    summary = [] if text is None else [OutputText(type="summary_text", text=text)]
    return OutputItem(id=item_id, type="reasoning", summary=summary)


def call_item(item_id: str, called: ToolCalled, *, begins: bool = False) -> OutputItem:
    """Return a call of a function."""
    return OutputItem(
        id=item_id,
        type="function_call",
        status="in_progress" if begins else "completed",
        call_id=called.id,
        name=called.function.name,
        arguments="" if begins else called.function.arguments,
    )
