"""Shapes of answers that belong to the HTTP door alone."""

from typing import Literal

import msgspec

from parley.kernel.ballot import Ballot
from parley.kernel.seats import Seating
from parley.kernel.views import ModelCard, RatedSeat, SessionCard


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What this Parley is. `demo`: only the built-in demo models are there."""

    name: str
    version: str
    mode: Literal["personal"]
    demo: bool
    pacing: Literal["even", "natural"]
    models: int
    config_path: str
    max_prompt_chars: int


class ModeCard(msgspec.Struct, frozen=True, kw_only=True):
    """A way for models to meet; `brief_schema` is the JSON Schema of its settings.

    `ballot` is null where there is nothing to vote on. `inputs` are the types of input that a turn may begin with;
    those that it `listens` to may be said while it runs. `voice` is the role that speaks for all where its presets can
    sit like models, else null.
    """

    name: str
    title: str
    summary: str
    seating: Seating
    ballot: Ballot | None
    inputs: list[str]
    listens: list[str]
    voice: str | None
    brief_schema: dict[str, object]


class ModeList(msgspec.Struct, frozen=True):
    """Every mode, in the order of the mode switch."""

    modes: list[ModeCard]


class ModelList(msgspec.Struct, frozen=True):
    """Every model of the catalog, in its order."""

    models: list[ModelCard]


class SessionPage(msgspec.Struct, frozen=True):
    """A page of sessions, latest activity first; `next_cursor` is null on the last."""

    sessions: list[SessionCard]
    next_cursor: str | None


class VoteAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A vote on a battle that is stored, and whom it revealed."""

    vote_id: str
    vote: str
    reason: str | None
    counted: bool
    not_counted_reason: str | None
    created_at: str
    left: RatedSeat
    right: RatedSeat
