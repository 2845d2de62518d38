"""What the arena is asked, validated: the bodies of its requests."""

from typing import Annotated, Any, Literal, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from parley.kernel.views import ContinueInput, PromptInput, TurnInput

MAX_PROMPT_CHARS = 30_000
MAX_REASON_CHARS = 2_000


def _spoken(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    if len(text) > MAX_PROMPT_CHARS:
        raise ValueError(f"has {len(text):,} characters; at most {MAX_PROMPT_CHARS:,} are possible")
    return text


Prompt = Annotated[str, AfterValidator(_spoken), Field(json_schema_extra={"maxLength": MAX_PROMPT_CHARS})]
SeatName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")]
ModelId = Annotated[str, Field(max_length=64)]


class Request(BaseModel):
    """A body: strict types, no unknown fields, and only text that can be stored and sent on."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @model_validator(mode="before")
    @classmethod
    def _clean(cls, body: object) -> object:
        return storable(body)


def storable(value: object) -> object:
    """Return JSON without NUL, which PostgreSQL cannot hold, and without lone surrogates, which UTF-8 cannot."""
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [storable(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in cast("dict[object, object]", value).items()}
    return value


class ContinueFrom(Request):
    """The conversation that a new match carries on: one seat's, up to and including a turn."""

    turn_id: str
    seat: SeatName


class StartMatch(Request):
    """A new match in a session and its first prompt."""

    prompt: Prompt
    mode: str = "battle"
    seats: dict[SeatName, ModelId] | None = None
    brief: dict[str, Any] | None = None
    continue_from: ContinueFrom | None = None


class StartSession(Request):
    """A new session, its first match and its first prompt."""

    prompt: Prompt
    mode: str = "battle"
    seats: dict[SeatName, ModelId] | None = None
    brief: dict[str, Any] | None = None


class AskQuote(Request):
    """A turn that has not begun: what would it take? The question may still be missing."""

    mode: str = "battle"
    seats: dict[SeatName, ModelId] | None = None
    brief: dict[str, Any] | None = None
    prompt: Annotated[str, Field(max_length=MAX_PROMPT_CHARS)] = ""


class StartBattle(Request):
    """A new battle: two models are drawn, nobody may choose them."""

    prompt: Prompt


class NextTurn(Request):
    """What the person gives: a prompt, or leave to go on without one, where the mode can do so."""

    type: Literal["prompt", "continue"] = "prompt"
    text: Annotated[Prompt | None, Field(validate_default=True)] = None

    @field_validator("text")
    @classmethod
    def _with_a_prompt(cls, text: str | None, info: ValidationInfo) -> str | None:
        if text is None and info.data.get("type") == "prompt":
            raise ValueError("a prompt needs its text")
        if text is not None and info.data.get("type") == "continue":
            raise ValueError("must be left out where the mode goes on without a prompt")
        return text


class StartTurn(Request):
    """The next turn of a match."""

    input: NextTurn

    @property
    def said(self) -> TurnInput:
        """The input as it is stored."""
        return ContinueInput() if self.input.text is None else PromptInput(self.input.text)


class SendMessage(Request):
    """The next turn of a battle."""

    content: Prompt


class CastVote(Request):
    """A vote on a match's ballot, with an optional reason."""

    vote: str
    reason: Annotated[str, Field(max_length=MAX_REASON_CHARS)] | None = None
