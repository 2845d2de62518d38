"""Types of responses that only the API has."""

from typing import Literal

import msgspec

from parley.engine.health import ProviderHealth
from parley.kernel.ballot import Ballot
from parley.kernel.seats import Seating
from parley.kernel.views import ModelCard, RatedSeat, SessionCard


class About(msgspec.Struct, frozen=True, kw_only=True):
    """This installation. `demo`: it has only the built-in demo models; `sampling`: how a battle's models are drawn."""

    name: str
    version: str
    mode: Literal["personal"]
    demo: bool
    pacing: Literal["even", "natural"]
    sampling: Literal["equal", "weighted", "informative"]
    models: int
    config_path: str
    max_prompt_chars: int


class ModeCard(msgspec.Struct, frozen=True, kw_only=True):
    """A mode; `brief_schema` is the JSON Schema of its settings.

    `ballot` is null if there is nothing to vote on. `inputs` are the types of input that a turn can start with,
    `listens` those that can be sent while it runs. `voice` is the role that speaks for all if presets of the mode can
    take a seat like a model, else null.
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
    """Every model of the catalog, in its order, and the state of each provider of an enabled one."""

    models: list[ModelCard]
    providers: list[ProviderHealth]


class SessionPage(msgspec.Struct, frozen=True):
    """A page of sessions, latest activity first; `next_cursor` is null on the last."""

    sessions: list[SessionCard]
    next_cursor: str | None


class VoteAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A saved vote on a battle, and the models that it revealed."""

    vote_id: str
    vote: str
    reason: str | None
    counted: bool
    not_counted_reason: str | None
    created_at: str
    left: RatedSeat
    right: RatedSeat
