"""Facts about the installation."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from parley.features.presets.schemas import PresetView
from parley.kernel.ballot import Ballot
from parley.kernel.seats import Seating

RedisState: TypeAlias = Annotated[
    Literal["there", "away"] | msgspec.UnsetType, msgspec.Meta(extra_json_schema={"x-may-be-absent": True})
]


class Readiness(msgspec.Struct, frozen=True):
    """The server's state: it runs, or is ready for votes.

    `redis` is there where several servers share a database: while it is `away` they read the database once a second.
    """

    status: Literal["ok", "ready"]
    redis: RedisState = msgspec.UNSET


class About(msgspec.Struct, frozen=True, kw_only=True):
    """This installation.

    `demo`: only the built-in demo models are configured. `sampling`: how a battle's models are drawn.
    `config_path` is empty for those who may not manage.
    """

    name: str
    version: str
    mode: Literal["personal", "shared"]
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
    `listens` those that can be sent while it runs. `takes_files`: questions can have attachments. `sealable`: it can
    be played in a sealed session. `voice` is the role
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
    sealable: bool
    voice: str | None
    brief_schema: dict[str, object]
    default_preset: PresetView | None


class ModeList(msgspec.Struct, frozen=True):
    """Every mode, in the order of the mode switch."""

    modes: list[ModeCard]
