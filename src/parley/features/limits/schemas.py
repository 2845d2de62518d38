"""Requests and responses about limits."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias

import msgspec
from pydantic import Field

from parley.features.limits.periods import PeriodKind
from parley.features.limits.rates.rules import RateRule
from parley.kernel.request import Request

SubjectKind: TypeAlias = Literal["installation", "person", "workspace", "api_key"]
MeterKind: TypeAlias = Literal["money", "tokens", "requests", "images"]
Unpriced: TypeAlias = Literal["refuse", "allow"]

MOST_LIMITS = 2_000
MOST = 10**15
"""The highest cap: a billion dollars, or as many of anything."""

Amount = Annotated[int, Field(ge=0, le=MOST)]


class NewLimit(Request):
    """A cap on what a subject may use in a day or a month. Money is in micro-dollars.

    `subject_id` is empty for the installation. `warn_percent`: the share of the cap from which people are warned.
    `unpriced`: what happens to models without a price, of a limit in money.
    """

    subject_kind: SubjectKind
    subject_id: Annotated[str, Field(max_length=32)] = ""
    meter: MeterKind
    period: PeriodKind
    cap: Amount
    warn_percent: Annotated[int, Field(ge=1, le=100)] = 80
    unpriced: Unpriced = "refuse"


class ChangeLimit(Request):
    """The fields of a limit that change."""

    cap: Amount | None = None
    warn_percent: Annotated[int, Field(ge=1, le=100)] | None = None
    unpriced: Unpriced | None = None


class RaiseLimit(Request):
    """An amount that is added to the cap until a time, ISO 8601 with its zone."""

    by: Annotated[int, Field(gt=0, le=MOST)]
    until: Annotated[datetime, Field(strict=False)]


class SetRate(Request):
    """The questions that each may ask in a minute, and the calls of models at once; null is no limit."""

    per_minute: Annotated[int, Field(ge=1, le=1_000_000)] | None
    at_once: Annotated[int, Field(ge=1, le=100_000)] | None


class RatesView(msgspec.Struct, frozen=True):
    """The rates of each person, and of each API key."""

    person: RateRule
    api_key: RateRule


class Subject(msgspec.Struct, frozen=True):
    """The installation, a person, a workspace or an API key, with its name."""

    kind: SubjectKind
    id: str
    name: str


class SubjectList(msgspec.Struct, frozen=True):
    """Everything that a limit can be for."""

    subjects: list[Subject]


class LimitView(msgspec.Struct, frozen=True, kw_only=True):
    """A limit with its use. Money is in micro-dollars, times are ISO 8601, UTC.

    `cap` is the limit now, with `raised_by` until `raised_until`. `held` is for running calls. `unconfirmed` is the
    part of `spent` that a killed process may not have used. `is_near`: the warning is reached. `rounded`: the figures
    are rounded up to a hundredth of the cap, so that they tell no model's price before a blind vote.
    """

    id: str
    subject: Subject
    meter: MeterKind
    period: PeriodKind
    cap: int
    warn_percent: int
    unpriced: Unpriced
    raised_by: int | None
    raised_until: str | None
    spent: int
    held: int
    left: int
    unconfirmed: int
    resets_at: str
    is_near: bool
    rounded: bool


class LimitList(msgspec.Struct, frozen=True):
    """Limits, those of the installation first."""

    limits: list[LimitView]
