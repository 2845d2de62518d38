"""Inputs: what a person gives a match, as a turn of its own or while a turn runs."""

from typing import TypeAlias, get_args

import msgspec


class PromptInput(msgspec.Struct, frozen=True, tag_field="type", tag="prompt"):
    """The person asks something."""

    text: str


class ContinueInput(msgspec.Struct, frozen=True, tag_field="type", tag="continue"):
    """The person lets the mode go on without a new question."""


class SteerInput(msgspec.Struct, frozen=True, tag_field="type", tag="steer"):
    """The person gives everyone a direction: the question stays."""

    text: str


class AddInput(msgspec.Struct, frozen=True, tag_field="type", tag="add"):
    """The person adds something to the question."""

    text: str


class AskInput(msgspec.Struct, frozen=True, tag_field="type", tag="ask"):
    """The person asks one seat something."""

    seat: str
    text: str


class SkipInput(msgspec.Struct, frozen=True, tag_field="type", tag="skip"):
    """The person leaves out a seat, or what would come next."""

    seat: str | None = None


class SynthesiseInput(msgspec.Struct, frozen=True, tag_field="type", tag="synthesise"):
    """The person wants the conclusion now."""


TurnInput: TypeAlias = (
    PromptInput | ContinueInput | SteerInput | AddInput | AskInput | SkipInput | SynthesiseInput
)

PROMPT = frozenset({"prompt"})


def input_type(said: TurnInput) -> str:
    """Return an input's wire name, as in "prompt"."""
    return _tag(type(said))


def text_of(said: TurnInput) -> str:
    """Return the person's words; empty where an input has none."""
    return said.text if isinstance(said, PromptInput | SteerInput | AddInput | AskInput) else ""


def seat_of(said: TurnInput) -> str | None:
    """Return the seat that an input is about; None where it is about all."""
    return said.seat if isinstance(said, AskInput | SkipInput) else None


def _tag(kind: type[TurnInput]) -> str:
    return str(kind.__struct_config__.tag)


INPUT_TYPES: tuple[str, ...] = tuple(_tag(kind) for kind in get_args(TurnInput))
"""Every input's wire name."""

INTERJECTED = frozenset(INPUT_TYPES) - {"prompt", "continue"}
"""Those that may be said while a turn runs: a new question, or leave to go on, is for a turn of its own."""
