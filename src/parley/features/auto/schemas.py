"""Requests and responses about Auto."""

from typing import Annotated, Literal

import msgspec
from pydantic import Field

from parley.features.auto.choosing import AutoPolicy, Decision
from parley.features.auto.kinds import PresetKind
from parley.features.auto.learning import Learning
from parley.kernel.request import Request

Slider = Annotated[float, Field(ge=0, le=1)]


class SetPolicy(Request):
    """The weights of quality, price and wait, from 0 to 1, and the place of questions that need no tools.

    `local_only`: no question leaves this computer. `presets`: those that may be chosen, by their id, each for some
    kinds; they must be usable as models.
    """

    rest: Literal["best", "battle"] = "best"
    quality: Slider
    price: Slider
    wait: Slider
    local_only: bool = False
    presets: Annotated[dict[str, list[PresetKind]], Field(max_length=50)] = Field(
        default_factory=dict[str, list[PresetKind]]
    )


class UseInstead(Request):
    """The model that you used instead of the one that Auto chose."""

    model: Annotated[str, Field(max_length=64)]


class RoutedTurn(msgspec.Struct, frozen=True):
    """A turn that Auto has routed; `used` is the model that was used instead."""

    turn_id: str
    decision: Decision
    used: str | None = None


class RoutedTurns(msgspec.Struct, frozen=True):
    """The turns of a session that Auto has routed, oldest first."""

    turns: list[RoutedTurn]


class AutoRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The shares of a person's questions in the last days: tool work and data, blind battles, other chats.

    `learning` says how far their own choices are understood.
    """

    days: int
    tool_work: int
    arena: int
    other: int
    learning: Learning


class Share(msgspec.Struct, frozen=True):
    """The number of questions that go to a model, or are of a kind."""

    name: str
    questions: int


class Differing(msgspec.Struct, frozen=True, kw_only=True):
    """A question that Auto would have given to another model, with both costs in micro-dollars."""

    turn_id: str
    session_id: str
    question: str
    kind: str
    answered_by: str
    chosen: str
    cost_micros: int
    would_cost_micros: int


class AutoReplay(msgspec.Struct, frozen=True, kw_only=True):
    """Past questions of a person's own chats, as Auto would have routed them.

    `cost_micros` is what they were billed; `would_cost_micros` is the price of the same tokens at the chosen models.
    `win_rate` is the expected share of questions in which the chosen model beats `best`, the best single model, by the
    ratings, with its 95% interval. `better`: that interval is above one half; null without ratings.
    """

    policy: AutoPolicy
    questions: int
    days: int
    kinds: list[Share]
    models: list[Share]
    cost_micros: int
    would_cost_micros: int
    best: str | None
    win_rate: float | None
    win_low: float | None
    win_high: float | None
    better: bool | None
    examples: list[Differing]
