"""A public prior as it is stored, and as the API returns it."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypeAlias

import msgspec

from parley.kernel.errors import Invalid
from parley.ratings.lines import PriorForecast

PublishedRow: TypeAlias = tuple[str, str, float, float, float]
"""The results of two models, by their ids: wins of the first, wins of the second, ties."""


class MatchedName(msgspec.Struct, frozen=True):
    """A name in the file, and the model that it was found to be."""

    name: str
    model_id: str


class UnmatchedName(msgspec.Struct, frozen=True):
    """A name in the file that is none of the models here, and the published votes on it."""

    name: str
    votes: float


class PriorContent(msgspec.Struct, frozen=True, kw_only=True):
    """The result of reading a file of published results."""

    rows: tuple[PublishedRow, ...]
    """Between models that are known here; a pair appears once, ids in alphabetical order."""
    published: float
    """All votes of the file."""
    matched: tuple[MatchedName, ...]
    unmatched: tuple[UnmatchedName, ...]
    """Those with most votes first; of many names only some."""
    unmatched_names: int


class PriorSource(msgspec.Struct, frozen=True, kw_only=True):
    """A public prior as it is stored."""

    source: str
    weight: float
    content: PriorContent
    sha256: str
    set_at: datetime


class BoardPrior(msgspec.Struct, frozen=True, kw_only=True):
    """The published results that a table starts from. They count as `weight` votes in all.

    `in_use` of these are between models that have own votes: only they are in the table. `own_votes` are the table's
    own. `forecast` says whether it helps; null until it is computed, and with too few votes.
    """

    source: str
    weight: float
    in_use: float
    own_votes: int
    forecast: PriorForecast | None


class PublicPriorView(BoardPrior, frozen=True, kw_only=True):
    """A public prior with what its file held.

    `published` are the votes of the file, `usable` those between models that are known here; all others are left out.
    """

    published: float
    usable: float
    matched: list[MatchedName]
    unmatched: list[UnmatchedName]
    unmatched_names: int
    sha256: str
    set_at: str


class PublicPriorState(msgspec.Struct, frozen=True):
    """The public prior of the leaderboard; null where it has none."""

    prior: PublicPriorView | None


class PriorSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Options for reading a file of published results. `models` maps names in the file to own models, by id or name."""

    weight: float
    source: str = ""
    models: dict[str, str] = {}


def mapped_models(texts: Iterable[str]) -> dict[str, str]:
    """Read NAME=MODEL; a name may contain an equals sign. Raises Invalid."""
    mapped: dict[str, str] = {}
    for text in texts:
        name, sign, model = (part.strip() for part in text.rpartition("="))
        if not (sign and name and model):
            raise Invalid("map", f"map: “{text}” is not NAME=MODEL.", "For example: GPT-4o=gpt-4o")
        if name in mapped:
            raise Invalid("map", f"map: “{name}” occurs twice.")
        mapped[name] = model
    return mapped


def digest_text(source: str, weight: float, content: PriorContent) -> bytes:
    """Return what a prior's digest is of: its source, weight and results."""
    document: list[Any] = [source, float(weight), [[*row[:2], *map(float, row[2:])] for row in content.rows]]
    return msgspec.json.encode(document)
