"""The request of a chat completion, as OpenAI's clients send it; fields that OpenAI adds later are ignored."""

from typing import Annotated, Any, Literal, cast

from pydantic import ConfigDict, Discriminator, Field, Tag

from parley.kernel.errors import Invalid
from parley.kernel.request import Request

MAX_CHAT_BYTES = 16 << 20
MOST_MESSAGES = 10_000


class Lenient(Request):
    """An object that may have fields of which Parley does not know."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class OwnFields(Request):
    """Fields for Parley alone. There is nothing yet, so any field is refused by its name."""


class TextContent(Lenient):
    """A text within a message."""

    type: Literal["text"]
    text: str


class RefusalContent(Lenient):
    """A refusal within an earlier answer."""

    type: Literal["refusal"]
    refusal: str


class ImageUrl(Lenient):
    """A picture as a data URI."""

    url: str


class ImageContent(Lenient):
    """A picture within a message."""

    type: Literal["image_url"]
    image_url: ImageUrl


ContentPart = Annotated[TextContent | RefusalContent | ImageContent, Field(discriminator="type")]
Content = Annotated[
    Annotated[str, Tag("text")] | Annotated[list[ContentPart], Tag("parts")],
    Discriminator(lambda content: "parts" if isinstance(content, list) else "text"),
]


class CalledFunction(Lenient):
    """The function that a model called; `arguments` is JSON text."""

    name: str
    arguments: str


class ChatToolCall(Lenient):
    """A call of a tool in an earlier answer."""

    id: str
    type: Literal["function"] = "function"
    function: CalledFunction


class ChatMessage(Lenient):
    """A message of the conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Content | None = None
    tool_calls: list[ChatToolCall] | None = None
    tool_call_id: str | None = None


class JsonSchema(Lenient):
    """A schema for the answer."""

    name: str
    schema_: Annotated[dict[str, Any], Field(alias="schema")]


class ResponseFormat(Lenient):
    """The form of the answer."""

    type: Literal["text", "json_object", "json_schema"]
    json_schema: JsonSchema | None = None


class StreamOptions(Lenient):
    """Options of a streamed answer."""

    include_usage: bool | None = None


class ToolFunction(Lenient):
    """A function that the model may call; `parameters` is a JSON Schema."""

    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None


class ChatTool(Lenient):
    """A tool that the model may call."""

    type: Literal["function"]
    function: ToolFunction


ModelName = Annotated[str, Field(min_length=1, max_length=300)]


class ChatBody(Lenient):
    """A conversation, and how its answer should be, in OpenAI's fields; `parley` is for Parley's own.

    A model whose provider speaks OpenAI's dialect gets all of it as it is. For other models see the guide.
    """

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    model: ModelName
    messages: Annotated[list[Any], Field(min_length=1, max_length=MOST_MESSAGES)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    parley: OwnFields | None = None

    @property
    def includes_usage(self) -> bool:
        """The program wants the usage of a stream too."""
        return bool(self.stream_options and self.stream_options.include_usage)


class EmbeddingsBody(Lenient):
    """Texts to embed, or their tokens, in OpenAI's fields; the model's provider gets all of them as they are."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    model: ModelName
    input: str | Annotated[list[Any], Field(min_length=1)]
    parley: OwnFields | None = None


class ChatCompletionRequest(Lenient):
    """A conversation for a model that can't be asked in OpenAI's dialect: what Parley can pass on of it."""

    model: ModelName
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=MOST_MESSAGES)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    seed: Annotated[int, Field(ge=-(2**63), lt=2**63)] | None = None
    metadata: dict[str, Any] | None = None
    response_format: ResponseFormat | None = None
    tools: list[ChatTool] | None = None
    tool_choice: Any = None
    n: int | None = None
    top_p: float | None = None
    stop: Any = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    logit_bias: Any = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    audio: Any = None
    modalities: list[str] | None = None
    functions: Any = None
    function_call: Any = None
    web_search_options: Any = None


def an_object(field: str, content: object) -> dict[str, Any]:
    """Return what must be an object. Raises Invalid."""
    if not isinstance(content, dict):
        raise Invalid(field, f"{field}: must be an object.")
    return cast("dict[str, Any]", content)
