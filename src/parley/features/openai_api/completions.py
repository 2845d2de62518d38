"""Chat completions as OpenAI's clients read them: the whole answer, and the chunks of a streamed one."""

from typing import Literal

import msgspec

from parley.kernel.connector import FinishReason, Usage
from parley.kernel.views import Metrics


class FunctionCalled(msgspec.Struct, frozen=True):
    """The function that a model calls; `arguments` is JSON text as the model wrote it."""

    name: str
    arguments: str


class ToolCalled(msgspec.Struct, frozen=True):
    """One complete call of a tool."""

    index: int
    id: str
    function: FunctionCalled
    type: Literal["function"] = "function"


class PictureUrl(msgspec.Struct, frozen=True):
    """A picture as a data URI."""

    url: str


class PictureMade(msgspec.Struct, frozen=True):
    """A picture that the model made."""

    image_url: PictureUrl
    type: Literal["image_url"] = "image_url"


class AnswerDelta(msgspec.Struct, frozen=True, omit_defaults=True):
    """The part of an answer that a chunk adds."""

    role: str | None = None
    content: str | None = None
    reasoning_content: str | None = None
    tool_calls: tuple[ToolCalled, ...] = ()
    images: tuple[PictureMade, ...] = ()


class ChunkChoice(msgspec.Struct, frozen=True):
    """The one answer of a chunk."""

    delta: AnswerDelta
    finish_reason: FinishReason | None = None
    index: int = 0


class PromptDetails(msgspec.Struct, frozen=True):
    """The tokens of the input that the provider had cached."""

    cached_tokens: int


class OutputDetails(msgspec.Struct, frozen=True):
    """The tokens of the output that were reasoning."""

    reasoning_tokens: int


class UsageView(msgspec.Struct, frozen=True):
    """The tokens of a call. `completion_tokens` include reasoning."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    prompt_tokens_details: PromptDetails
    completion_tokens_details: OutputDetails

    @classmethod
    def of(cls, metrics: Metrics, usage: Usage | None) -> "UsageView":
        """Return the tokens of an ended call; `usage` is what the provider reported last, if it did."""
        read, written = metrics.input_tokens, metrics.output_tokens
        return cls(
            read,
            written,
            read + written,
            PromptDetails(usage.cached_tokens if usage else 0),
            OutputDetails(metrics.reasoning_tokens),
        )


class ChatCompletionChunk(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk of a streamed answer. The last one has the usage, and no choice, if the request wants it."""

    id: str
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    model: str
    choices: tuple[ChunkChoice, ...]
    usage: UsageView | msgspec.UnsetType | None = msgspec.UNSET


class AnswerMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A whole answer."""

    role: Literal["assistant"] = "assistant"
    content: str | None
    reasoning_content: str | msgspec.UnsetType = msgspec.UNSET
    tool_calls: list[ToolCalled] | msgspec.UnsetType = msgspec.UNSET
    images: list[PictureMade] | msgspec.UnsetType = msgspec.UNSET
    refusal: None = None


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """The one answer of a completion."""

    index: int = 0
    message: AnswerMessage
    finish_reason: FinishReason
    logprobs: None = None


class ChatCompletion(msgspec.Struct, frozen=True, kw_only=True):
    """A whole answer with its usage. `created` is in seconds since the epoch."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[Choice]
    usage: UsageView


class ModelEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A model that can be asked. `name` is for people."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: str
    name: str


class ModelEntries(msgspec.Struct, frozen=True):
    """Every model that the caller may ask."""

    data: list[ModelEntry]
    object: Literal["list"] = "list"
