"""Contestants: presets that answer like models, as the catalog's ensembles."""

import asyncio
import logging
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from pydantic import ValidationError

from parley.features.catalog.memory import ModelMemory
from parley.features.catalog.service import CatalogService
from parley.features.contestants.repository import contestant_presets
from parley.kernel.errors import NotFound
from parley.kernel.mode import Mode
from parley.kernel.models import Model
from parley.kernel.outline import Outline
from parley.kernel.ports import Ensemble
from parley.kernel.seats import AS_IT_IS, Seat, SeatSettings
from parley.storage.database import Database
from parley.storage.tables.presets import PresetRow
from parley.storage.transaction import Transaction

OWNER = "You"
LICENSE = "Preset"
SLUG_CHARS = 40

log = logging.getLogger(__name__)


def model_id_of(row: PresetRow) -> str | None:
    """Return the id of a preset's current model; None if it is not a contestant."""
    return f"{row.slug}-r{row.revision}" if row.contestant and row.slug else None


def seat_settings(row: PresetRow) -> dict[str, SeatSettings]:
    """Return the settings of a preset's seats that have any."""
    return msgspec.convert(row.seat_settings or {}, dict[str, SeatSettings])


def slug_of(name: str, is_taken: Callable[[str], bool]) -> str:
    """Return the start of a preset's model ids: its name in ASCII, with a number if that is taken."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    base = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:SLUG_CHARS].strip("-") or "preset"
    slug, number = base, 1
    while is_taken(slug):
        number += 1
        slug = f"{base}-{number}"
    return slug


class Contestants:
    """Keeps the catalog's ensembles up to date with the presets."""

    def __init__(
        self,
        *,
        database: Database,
        catalog: CatalogService,
        memory: ModelMemory,
        modes: Mapping[str, Mode[Any]],
    ) -> None:
        self._database = database
        self._catalog = catalog
        self._memory = memory
        self._modes = modes
        self._ensembles: dict[str, Ensemble] = {}
        self._one_by_one = asyncio.Lock()

    async def open(self) -> None:
        """Load the presets into the catalog, at the start and after each change.

        Removed ones stay known to the memory of models.
        """
        async with self._one_by_one:
            rows = await self._database.read(contestant_presets)
            known = {model_id: row for row in rows if (model_id := model_id_of(row)) and self._mode(row)}
            self._ensembles = {model_id: self._ensemble(row) for model_id, row in known.items()}
            listed = {model.id: model for model in self._catalog.models() if model.kind == "single"}
            models: dict[str, Model] = {}
            for model_id, row in known.items():
                models[model_id] = self._model(model_id, row, known, listed, frozenset({model_id}))
            before = [model for model in self._catalog.models() if model.kind == "ensemble"]
            self._catalog.admit(models.values())
            self._memory.learn(
                self._catalog.card(msgspec.structs.replace(model, enabled=False, description=None))
                for model in before
            )
            await self._memory.open()

    @staticmethod
    def stored(transaction: Transaction) -> Sequence[PresetRow]:
        """Return every preset that can be drawn for blind battles, of any owner."""
        return contestant_presets(transaction)

    def find(self, model_id: str) -> Ensemble:
        """Return the ensemble behind a model id. Raises NotFound."""
        try:
            return self._ensembles[model_id]
        except KeyError:
            raise NotFound(f"There is no ensemble “{model_id}”.", code="model_not_found") from None

    def members(self, model_id: str) -> Sequence[str]:
        """Return the ids of the models that an ensemble seats, each once; none if it is no ensemble (any more)."""
        ensemble = self._ensembles.get(model_id)
        return tuple(dict.fromkeys(seat.model_id for seat in ensemble.seats)) if ensemble else ()

    def _mode(self, row: PresetRow) -> Mode[Any] | None:
        mode = self._modes.get(row.mode)
        if mode is None or mode.voice is None:
            log.warning(
                "the preset “%s” can't be used as a model: its mode “%s” is not installed", row.name, row.mode
            )
            return None
        return mode

    def _ensemble(self, row: PresetRow) -> Ensemble:
        seating = self._modes[row.mode].seating
        seats: dict[str, str] = row.seats
        settings = seat_settings(row)
        return Ensemble(
            mode=row.mode,
            brief=row.brief,
            seats=tuple(
                Seat(name, name, group.role, seats[name], settings.get(name, AS_IT_IS))
                for group in seating.groups
                for name in seating.members(group, seats)
            ),
        )

    def _model(
        self,
        model_id: str,
        row: PresetRow,
        known: Mapping[str, PresetRow],
        listed: Mapping[str, Model],
        within: frozenset[str],
    ) -> Model:
        """Return a preset as a model, disabled while one of its seats has no model that can answer."""
        members: list[Model] = []
        for inner_id in dict.fromkeys(row.seats.values()):
            if inner_id in listed:
                members.append(listed[inner_id])
            elif inner_id in known and inner_id not in within:
                members.append(self._model(inner_id, known[inner_id], known, listed, within | {inner_id}))
        complete = bool(members) and len(members) == len(set(row.seats.values()))
        outline = self._outline(row, model_id)
        windows = [member.context_window for member in members if member.context_window]
        return Model(
            id=model_id,
            name=f"{self._modes[row.mode].title}: {row.name}",
            organization=OWNER,
            family=model_id,
            license=LICENSE,
            routes=(),
            kind="ensemble",
            context_window=min(windows, default=None),
            timeout_s=_longest(outline, self._ensembles[model_id].seats, members) if outline else 0.0,
            enabled=complete and outline is not None and all(member.enabled for member in members),
            description=row.description,
            local=bool(members) and all(member.local for member in members),
            demo=bool(members) and all(member.demo for member in members),
        )

    def _outline(self, row: PresetRow, model_id: str) -> Outline | None:
        """Return the calls of one answer; None if the settings are from another version."""
        mode = self._modes[row.mode]
        try:
            return mode.outline(mode.brief.model_validate(row.brief), self._ensembles[model_id].seats)
        except ValidationError:
            log.warning(
                "the preset “%s” can't be used as a model: its settings are from another version", row.name
            )
            return None


def _longest(outline: Outline, seats: Sequence[Seat], members: Sequence[Model]) -> float:
    """Return how long the first chunk can take, in seconds.

    Seats with the same purpose answer at once, different purposes one after the other.
    """
    patience = {member.id: member.timeout_s for member in members}
    waits = {seat.name: patience.get(seat.model_id, 0.0) for seat in seats}
    purposes: dict[str, float] = {}
    for calls in outline.calls:
        took = calls.most * waits.get(calls.seat, 0.0)
        purposes[calls.purpose] = max(purposes.get(calls.purpose, 0.0), took)
    return sum(purposes.values())
