"""Inputs: what a person gives a match, to begin a turn or while one runs."""

from typing import TypeAlias, get_args

import msgspec

from parley.kernel.messages import PLAIN_TEXT, Attachment, FilePart, ImagePart


class Attached(msgspec.Struct, frozen=True, kw_only=True):
    """A picture or file that came with a question, by the SHA-256 (hex) of its bytes; `size` is in bytes.

    Models read the text with `text_sha256`, or see the picture where there is none. `tokens` is an estimate.
    """

    sha256: str
    name: str
    media_type: str
    size: int
    tokens: int
    text_sha256: str | None = None
    width: int | None = None
    height: int | None = None
    pages: int | None = None

    @property
    def part(self) -> Attachment:
        """The part of the message that a model gets."""
        if self.text_sha256 is None:
            return ImagePart(self.sha256, self.media_type)
        return FilePart(self.text_sha256, PLAIN_TEXT, self.name)


class PromptInput(msgspec.Struct, frozen=True, tag_field="type", tag="prompt"):
    """A new question, with pictures and files."""

    text: str
    attachments: tuple[Attached, ...] = ()


class ContinueInput(msgspec.Struct, frozen=True, tag_field="type", tag="continue"):
    """Continue without a new question; `to_end`: a mode that pauses does so no more in this turn."""

    to_end: bool = False


class SteerInput(msgspec.Struct, frozen=True, tag_field="type", tag="steer"):
    """A direction for every seat; the question stays."""

    text: str


class AddInput(msgspec.Struct, frozen=True, tag_field="type", tag="add"):
    """An addition to the question."""

    text: str


class AskInput(msgspec.Struct, frozen=True, tag_field="type", tag="ask"):
    """A question to one seat."""

    seat: str
    text: str


class SkipInput(msgspec.Struct, frozen=True, tag_field="type", tag="skip"):
    """Skip a seat, or the next step."""

    seat: str | None = None


class SynthesiseInput(msgspec.Struct, frozen=True, tag_field="type", tag="synthesise"):
    """Conclude now."""


TurnInput: TypeAlias = (
    PromptInput | ContinueInput | SteerInput | AddInput | AskInput | SkipInput | SynthesiseInput
)

PROMPT = frozenset({"prompt"})


def input_type(given: TurnInput) -> str:
    """Return an input's type as in JSON, such as "prompt"."""
    return _tag(type(given))


def text_of(given: TurnInput) -> str:
    """Return an input's text; empty if it has none."""
    return given.text if isinstance(given, PromptInput | SteerInput | AddInput | AskInput) else ""


def attached_to(given: TurnInput) -> tuple[Attached, ...]:
    """Return the pictures and files of an input."""
    return given.attachments if isinstance(given, PromptInput) else ()


def seat_of(given: TurnInput) -> str | None:
    """Return the seat that an input is about; None if it concerns all."""
    return given.seat if isinstance(given, AskInput | SkipInput) else None


def _tag(kind: type[TurnInput]) -> str:
    return str(kind.__struct_config__.tag)


INPUT_TYPES: tuple[str, ...] = tuple(_tag(kind) for kind in get_args(TurnInput))
"""The types of all inputs."""

INTERJECTED = frozenset(INPUT_TYPES) - {"prompt", "continue"}
"""Those allowed while a turn runs: a new question and "continue" begin a turn of their own."""
