"""Inputs: what a person gives a match, to begin a turn or while one runs."""

from typing import TypeAlias, get_args

import msgspec

from parley.kernel.messages import Attached


class PromptInput(msgspec.Struct, frozen=True, tag_field="type", tag="prompt"):
    """A new question, with pictures and files."""

    text: str
    attachments: tuple[Attached, ...] = ()


class ContinueInput(msgspec.Struct, frozen=True, tag_field="type", tag="continue"):
    """Continue without a new question; `to_end`: a mode that pauses does so no more in this turn."""

    to_end: bool = False


class SteerInput(msgspec.Struct, frozen=True, tag_field="type", tag="steer"):
    """A direction for all seats. The question stays the same."""

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


def input_type(turn_input: TurnInput) -> str:
    """Return an input's type as in JSON, such as "prompt"."""
    return _tag(type(turn_input))


def text_of(turn_input: TurnInput) -> str:
    """Return an input's text; empty if it has none."""
    return turn_input.text if isinstance(turn_input, PromptInput | SteerInput | AddInput | AskInput) else ""


def attached_to(turn_input: TurnInput) -> tuple[Attached, ...]:
    """Return the pictures and files of an input."""
    return turn_input.attachments if isinstance(turn_input, PromptInput) else ()


def seat_of(turn_input: TurnInput) -> str | None:
    """Return the seat that an input is about; None if it concerns all."""
    return turn_input.seat if isinstance(turn_input, AskInput | SkipInput) else None


def _tag(kind: type[TurnInput]) -> str:
    return str(kind.__struct_config__.tag)


INPUT_TYPES: tuple[str, ...] = tuple(_tag(kind) for kind in get_args(TurnInput))
"""The types of all inputs."""

INTERJECTED = frozenset(INPUT_TYPES) - {"prompt", "continue"}
"""Those allowed while a turn runs: a new question and "continue" begin a turn of their own."""
