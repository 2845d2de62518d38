"""What the arena is asked, validated: the bodies of its requests."""

from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

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


class StartBattle(Request):
    """A new battle: two models are drawn, nobody may choose them."""

    prompt: Prompt


class PromptTurn(Request):
    """The person asks something."""

    type: Literal["prompt"] = "prompt"
    text: Prompt


class StartTurn(Request):
    """The next turn of a match."""

    input: PromptTurn


class SendMessage(Request):
    """The next turn of a battle."""

    content: Prompt


class CastVote(Request):
    """A vote on a match's ballot, with an optional reason."""

    vote: str
    reason: Annotated[str, Field(max_length=MAX_REASON_CHARS)] | None = None
