"""Requests and views of judges' passports."""

from typing import Annotated

import msgspec
from pydantic import Field, model_validator

from parley.kernel.request import MOST, Number, Request

Share = Annotated[float, Field(ge=-1, le=1)]


class Figure(Request):
    """A share from −1 to 1 with its 95% interval, null where there is none."""

    value: Share
    low: Share | None = None
    high: Share | None = None

    @model_validator(mode="after")
    def _ordered(self) -> "Figure":
        if self.low is not None and self.high is not None and not self.low <= self.value <= self.high:
            raise ValueError("the value must be within its interval")
        return self


class SavePassport(Request):
    """The figures of a judge's passport. Null: no verdict could be read.

    `agreement` is the share of `votes` that it chooses alike. `flipped` is the share of `comparisons` whose verdict
    changes with the order, and `lean` the share of verdicts for the first place less that for the second.
    """

    votes: Number
    agreement: Figure | None = None
    comparisons: Annotated[int, Field(ge=0, le=MOST)]
    flipped: Figure | None = None
    lean: Figure | None = None


class JudgePassport(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's passport in words. Times are ISO 8601, UTC."""

    model: str
    sentence: str
    votes: int
    measured_at: str


class JudgeList(msgspec.Struct, frozen=True):
    """Judges with a passport, by model."""

    judges: list[JudgePassport]
