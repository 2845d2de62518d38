"""The arena's request bodies, validated."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, cast

import msgspec
from pydantic import BeforeValidator, Field, model_validator

from parley.features.attachments.limits import PER_QUESTION
from parley.features.catalog.picture_fields import PictureFields
from parley.kernel.inputs import TurnInput
from parley.kernel.options import Effort
from parley.kernel.request import MAX_PROMPT_CHARS, Prompt, Request
from parley.kernel.seats import AS_IT_IS, SeatSettings

MAX_OUTPUT_TOKENS = 1_000_000
MAX_ATTACHED_TOKENS = 10_000_000

LEAST_ITERATIONS = 600_000
"""Of PBKDF2 with SHA-256, as OWASP recommends."""

MOST_WRAPS = 4
BASE64URL = "^[A-Za-z0-9_-]+$"
WrapBytes = Annotated[str, Field(min_length=16, max_length=200, pattern=BASE64URL)]


SeatName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")]
ModelId = Annotated[str, Field(max_length=64)]


class AttachmentReference(Request):
    """An uploaded picture or file, by the SHA-256 that the upload returned.

    `name` is its name in this question; by default its name at the upload.
    """

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    name: Annotated[str, Field(max_length=1000)] | None = None


AttachmentReferences = Annotated[list[AttachmentReference], Field(max_length=PER_QUESTION)]


class ContinueFrom(Request):
    """The conversation that a new match continues: that of one seat, up to and including a turn."""

    turn_id: str
    seat: SeatName


class SeatSettingsRequest(Request):
    """Settings for the model of one seat. The mode or the provider decides what is left out."""

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_output_tokens: Annotated[int, Field(ge=1, le=MAX_OUTPUT_TOKENS)] | None = None
    system_prompt: Annotated[str, Field(max_length=MAX_PROMPT_CHARS)] | None = None
    reasoning_effort: Effort | None = None
    picture: PictureFields | None = None

    @property
    def settings(self) -> SeatSettings:
        """The settings in the form that seats store."""
        return msgspec.convert(self.model_dump(), SeatSettings)


SettingsBySeat = dict[SeatName, SeatSettingsRequest]


def settings_of(seats: SettingsBySeat | None) -> dict[str, SeatSettings]:
    """Return the settings that are not empty, by seat."""
    plain = {seat: each.settings for seat, each in (seats or {}).items()}
    return {seat: settings for seat, settings in plain.items() if settings != AS_IT_IS}


class StartSession(Request):
    """A new session, its first match and its first prompt."""

    prompt: Prompt
    attachments: AttachmentReferences = Field(default_factory=list[AttachmentReference])
    mode: str = "battle"
    seats: dict[SeatName, ModelId] | None = None
    seat_settings: SettingsBySeat | None = None
    brief: dict[str, Any] | None = None


class SealWrap(Request):
    """The key of a sealed session as one secret of the person wraps it, with AES-256-GCM. All bytes are base64url.

    With a passphrase, PBKDF2 (HMAC-SHA-256) makes the wrapping key of it, the salt and the iterations; with a passkey,
    HKDF (SHA-256) of what its PRF extension returns for the salt.
    """

    kind: Literal["passphrase", "passkey"]
    salt: WrapBytes
    nonce: WrapBytes
    key: WrapBytes
    iterations: Annotated[int, Field(ge=LEAST_ITERATIONS, le=100_000_000)] | None = None
    credential_id: Annotated[str, Field(max_length=2000, pattern=BASE64URL)] | None = None

    @model_validator(mode="after")
    def _complete(self) -> "SealWrap":
        if (self.iterations is None) is (self.kind == "passphrase"):
            raise ValueError("must have iterations if it is of a passphrase, and only then")
        if (self.credential_id is None) is (self.kind == "passkey"):
            raise ValueError("must have credential_id if it is of a passkey, and only then")
        return self


class SealRequest(Request):
    """The seal of a new session: its key, wrapped. The key itself comes in the header Parley-Seal."""

    wraps: Annotated[list[SealWrap], Field(min_length=1, max_length=MOST_WRAPS)]


class NewSession(StartSession):
    """A new session. With `seal`, its texts are stored encrypted under a key that the server does not keep."""

    seal: SealRequest | None = None


class StartMatch(StartSession):
    """A new match in a session and its first prompt.

    With `continue_from` all seats continue the same conversation, with `continue_seats` each seat its own. Only one of
    the two can be given.
    """

    continue_from: ContinueFrom | None = None
    continue_seats: dict[SeatName, ContinueFrom] | None = None


class AskQuote(Request):
    """A turn to estimate before it starts. The question may still be empty.

    `attached_tokens` is the sum over its pictures and files; `history_tokens` is by seat what its model reads of
    earlier turns in each call.
    """

    mode: str = "battle"
    seats: dict[SeatName, ModelId] | None = None
    seat_settings: SettingsBySeat | None = None
    brief: dict[str, Any] | None = None
    prompt: Annotated[str, Field(max_length=MAX_PROMPT_CHARS)] = ""
    attached_tokens: Annotated[int, Field(ge=0, le=MAX_ATTACHED_TOKENS)] = 0
    history_tokens: dict[SeatName, Annotated[int, Field(ge=0, le=MAX_ATTACHED_TOKENS)]] = Field(
        default_factory=dict[str, int]
    )


class StartBattle(Request):
    """A new battle. Its two models are drawn and cannot be chosen."""

    prompt: Prompt
    attachments: AttachmentReferences = Field(default_factory=list[AttachmentReference])


class PromptRequest(Request):
    """The person asked a question."""

    type: Literal["prompt"] = "prompt"
    text: Prompt
    attachments: AttachmentReferences = Field(default_factory=list[AttachmentReference])


class ContinueRequest(Request):
    """The person let the mode continue without a new question; `to_end`: without further pauses."""

    type: Literal["continue"]
    to_end: bool = Field(default_factory=bool)


class SteerRequest(Request):
    """The person gave all seats a direction. The question stays the same."""

    type: Literal["steer"]
    text: Prompt


class AddRequest(Request):
    """The person added something to the question."""

    type: Literal["add"]
    text: Prompt


class AskRequest(Request):
    """The person asked one seat something."""

    type: Literal["ask"]
    seat: SeatName
    text: Prompt


class SkipRequest(Request):
    """The person skipped a seat or the next step."""

    type: Literal["skip"]
    seat: SeatName | None = None


class SynthesiseRequest(Request):
    """The person asked for the conclusion now."""

    type: Literal["synthesise"]


def _with_type(raw: object) -> object:
    """Treat an input without a type as a prompt, and a null field as left out."""
    if not isinstance(raw, dict):
        return raw
    fields = cast("dict[object, object]", raw)
    return {"type": "prompt", **{name: value for name, value in fields.items() if value is not None}}


InputRequest = Annotated[
    Annotated[
        PromptRequest
        | ContinueRequest
        | SteerRequest
        | AddRequest
        | AskRequest
        | SkipRequest
        | SynthesiseRequest,
        Field(discriminator="type"),
    ],
    BeforeValidator(_with_type),
]
"""A person's input; the mode defines which types it accepts."""


def stored_input(turn_input: InputRequest) -> TurnInput:
    """Return an input as it is stored, except for a question's attachments: see `attachments_of`."""
    return msgspec.convert(turn_input.model_dump(exclude={"attachments"}), TurnInput)


def attachments_of(turn_input: InputRequest) -> Sequence[AttachmentReference]:
    """Return the pictures and files that an input names."""
    return turn_input.attachments if isinstance(turn_input, PromptRequest) else ()


class ChangeSeats(Request):
    """The seats that join or leave a match from the next turn on, with settings if wanted."""

    add: dict[SeatName, ModelId] = {}  # noqa: RUF012 - pydantic copies it
    leave: list[SeatName] = []  # noqa: RUF012 - pydantic copies it
    settings: SettingsBySeat = {}  # noqa: RUF012 - pydantic copies it


class StartTurn(Request):
    """The next turn of a match. In an open match, seats can join and leave with it."""

    input: InputRequest
    seats: ChangeSeats | None = None


class Interject(Request):
    """A person's input while a turn runs."""

    input: InputRequest


class StopTurn(Request):
    """The part to stop: one seat of an open match, or by default the whole turn."""

    seat: SeatName | None = None


class AskAgain(Request):
    """The part to retry: one seat, even if its reply is complete, or by default all incomplete replies."""

    seat: SeatName | None = None


class SendMessage(Request):
    """The next turn of a battle."""

    content: Prompt
    attachments: AttachmentReferences = Field(default_factory=list[AttachmentReference])
