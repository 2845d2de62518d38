"""Types of responses that only the API has."""

from collections.abc import Sequence
from typing import Literal, Self

import msgspec

from parley.engine.health import ProviderHealth
from parley.kernel.ballot import Ballot
from parley.kernel.errors import Problem
from parley.kernel.models import Model
from parley.kernel.seats import Seating
from parley.kernel.views import ModelCard, RatedSeat, SessionCard
from parley.workspace.catalog.requests import ProviderView
from parley.workspace.discovery.checks import ProviderCheck
from parley.workspace.discovery.findings import Offer, OfferedModel
from parley.workspace.discovery.known import KnownProvider
from parley.workspace.presets.schemas import PresetView


class Health(msgspec.Struct, frozen=True):
    """Whether the server runs, or is ready for votes."""

    status: Literal["ok", "ready"]


class About(msgspec.Struct, frozen=True, kw_only=True):
    """This installation.

    `demo`: only the built-in demo models are configured. `sampling`: how a battle's models are drawn.
    """

    name: str
    version: str
    mode: Literal["personal"]
    demo: bool
    pacing: Literal["even", "natural"]
    sampling: Literal["equal", "weighted", "informative"]
    models: int
    config_path: str
    max_prompt_chars: int
    max_attachment_bytes: int
    max_attachments: int


class ModeCard(msgspec.Struct, frozen=True, kw_only=True):
    """A mode. `brief_schema` is the JSON Schema of its settings.

    `ballot` is null if there is nothing to vote on. `inputs` are the types of input that a turn can start with,
    `listens` those that can be sent while it runs. `takes_files`: questions can have attachments. `voice` is the role
    that answers for all if presets of the mode can be used as a model, else null. New sessions start with
    `default_preset`, if one was chosen.
    """

    name: str
    title: str
    summary: str
    seating: Seating
    ballot: Ballot | None
    inputs: list[str]
    listens: list[str]
    takes_files: bool
    voice: str | None
    brief_schema: dict[str, object]
    default_preset: PresetView | None


class ModeList(msgspec.Struct, frozen=True):
    """Every mode, in the order of the mode switch."""

    modes: list[ModeCard]


class ModelList(msgspec.Struct, frozen=True):
    """Every model of the catalog, in order, and the state of each provider of an enabled model."""

    models: list[ModelCard]
    providers: list[ProviderHealth]


class ProviderList(msgspec.Struct, frozen=True, kw_only=True):
    """All configured providers, and the known ones that can be added.

    `file` is the model list's path, `file_error` why its latest version can't be used.
    """

    providers: list[ProviderView]
    known: list[KnownProvider]
    file: str
    file_error: str | None


class ProviderCheckList(msgspec.Struct, frozen=True):
    """The result of checking each provider."""

    checks: list[ProviderCheck]


class OfferedHere(OfferedModel, frozen=True, kw_only=True):
    """A model that a provider offers. `added` is its id in the catalog, null if it is not there."""

    added: str | None


class OfferedBy(msgspec.Struct, frozen=True, kw_only=True):
    """The result of testing a connection. `problem` says what is wrong."""

    ok: bool
    latency_ms: float | None
    problem: Problem | None
    models: list[OfferedHere]
    suggested_base_url: str | None
    truncated: bool

    @classmethod
    def of(cls, offer: Offer, models: Sequence[Model], provider_id: str | None) -> Self:
        """Return an offer with the ids of the models that were added before."""
        added = {
            route.model: model.id
            for model in models
            for route in model.routes
            if route.provider == provider_id
        }
        names = OfferedModel.__struct_fields__
        return cls(
            ok=offer.ok,
            latency_ms=offer.latency_ms,
            problem=offer.problem,
            models=[
                OfferedHere(**{name: getattr(each, name) for name in names}, added=added.get(each.model))
                for each in offer.models
            ],
            suggested_base_url=offer.suggested_base_url,
            truncated=offer.truncated,
        )


class SessionPage(msgspec.Struct, frozen=True):
    """A page of sessions, latest activity first. `next_cursor` is null on the last page."""

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
