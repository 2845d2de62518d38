"""Use cases of presets: save, list, read, change, remove, restore."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec

from parley.features.arena.matchmaker import Matchmaker
from parley.features.arena.schemas import settings_of
from parley.features.contestants.contestants import Contestants, model_id_of, seat_settings, slug_of
from parley.features.presets.nesting import check_nesting
from parley.features.presets.repository import PresetsRepository, no_preset
from parley.features.presets.schemas import ChangePreset, PresetView, SavePreset
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Invalid, NotFound
from parley.kernel.ids import random_id
from parley.kernel.mode import Brief
from parley.kernel.ports import Catalog, Clock
from parley.kernel.seats import SeatSettings
from parley.storage.database import Database, Transaction
from parley.storage.tables.presets import Preset

MOST_REMOVED = 100
"""How many removed presets can be restored; they are forgotten when the server stops."""


class PresetsService:
    """Saves, changes and removes presets for their owner.

    `changed` is awaited after every change, before it is answered.
    """

    def __init__(
        self,
        *,
        database: Database,
        matchmaker: Matchmaker,
        clock: Clock,
        changed: Callable[[], Awaitable[None]],
    ) -> None:
        self._database = database
        self._matchmaker = matchmaker
        self._clock = clock
        self._changed = changed
        self._removed: dict[str, dict[str, Any]] = {}

    async def list(self, caller: Caller, mode: str | None = None) -> Sequence[PresetView]:
        """Return the caller's presets, of one mode or of all. Raises Invalid for an unknown mode."""
        if mode is not None:
            self._matchmaker.mode(mode)
        rows = await self._database.read(
            lambda transaction: PresetsRepository(transaction).all(caller.person_id, mode)
        )
        return [self._view(row) for row in rows]

    async def defaults(self, caller: Caller) -> Mapping[str, PresetView]:
        """Return the caller's default preset of each mode."""
        rows = await self._database.read(
            lambda transaction: PresetsRepository(transaction).defaults(caller.person_id)
        )
        return {row.mode: self._view(row) for row in rows}

    async def read(self, caller: Caller, preset_id: str) -> PresetView:
        """Return a preset. Raises NotFound."""
        row = await self._database.read(
            lambda transaction: PresetsRepository(transaction).get(caller.person_id, preset_id)
        )
        return self._view(row)

    async def save(self, caller: Caller, asked: SavePreset, *, replace: bool = False) -> PresetView:
        """Store a preset; `replace` replaces one with the same name. Raises Invalid, Conflict if the name is taken."""
        settings = settings_of(asked.seat_settings)
        brief = self._matchmaker.check(asked.mode, asked.seats, asked.brief or {}, settings)
        now = self._now()

        def store(transaction: Transaction) -> PresetView:
            repository = PresetsRepository(transaction)
            row = repository.named(caller.person_id, asked.mode, asked.name)
            if row is None:
                row = _new_row(caller.person_id, asked, brief, now)
                self._check_contestant(repository, row, row.seats)
                _set_default(repository, row, asked.is_default)
                repository.add(row)
                return self._view(row)
            if not replace:
                raise _taken(asked.name)
            row.description, row.contestant = asked.description, asked.contestant
            self._check_contestant(repository, row, asked.seats)
            _settle(row, asked.seats, settings, brief, now)
            _set_default(repository, row, asked.is_default or None)
            return self._view(row)

        return await self._write(store)

    async def change(self, caller: Caller, preset_id: str, asked: ChangePreset) -> PresetView:
        """Change the given fields. Raises NotFound, Invalid, Conflict if the new name is taken."""
        now = self._now()

        def store(transaction: Transaction) -> PresetView:
            repository = PresetsRepository(transaction)
            row = repository.get(caller.person_id, preset_id)
            if asked.name is not None and asked.name != row.name:
                if repository.named(caller.person_id, row.mode, asked.name) is not None:
                    raise _taken(asked.name)
                row.name = asked.name
            if "description" in asked.model_fields_set:
                row.description = asked.description
            row.contestant = row.contestant if asked.contestant is None else asked.contestant
            _set_default(repository, row, asked.is_default)
            seats = row.seats if asked.seats is None else asked.seats
            self._check_contestant(repository, row, seats)
            if (asked.seats, asked.seat_settings, asked.brief) != (None, None, None):
                raw = row.brief if asked.brief is None else asked.brief
                settings = settings_of(asked.seat_settings)
                if asked.seat_settings is None:
                    settings = {seat: kept for seat, kept in seat_settings(row).items() if seat in seats}
                _settle(row, seats, settings, self._matchmaker.check(row.mode, seats, raw, settings), now)
            row.updated_at = now
            return self._view(row)

        return await self._write(store)

    async def remove(self, caller: Caller, preset_id: str) -> None:
        """Remove a preset; sessions started with it are kept. Raises NotFound."""

        def store(transaction: Transaction) -> dict[str, Any]:
            repository = PresetsRepository(transaction)
            row = repository.get(caller.person_id, preset_id)
            values = {column.key: getattr(row, column.key) for column in Preset.__table__.columns}
            repository.remove(row)
            return values

        self._removed[preset_id] = await self._database.write(store)
        while len(self._removed) > MOST_REMOVED:
            del self._removed[next(iter(self._removed))]
        await self._changed()

    async def erase(self, caller: Caller) -> int:
        """Remove all the caller's presets; return how many."""
        presets = await self.list(caller)
        for preset in presets:
            with suppress(NotFound):
                await self.remove(caller, preset.id)
        return len(presets)

    async def restore(self, caller: Caller, preset_id: str) -> PresetView:
        """Restore a removed preset unchanged, as the same contestant.

        Raises NotFound if it was not removed or is forgotten, Conflict if its name is taken meanwhile, Invalid if it
        would now contain itself.
        """
        values = self._removed.get(preset_id)
        if values is None or values["owner_id"] != caller.person_id:
            raise no_preset()

        def store(transaction: Transaction) -> PresetView:
            repository = PresetsRepository(transaction)
            row = Preset(**values)
            if repository.named(caller.person_id, row.mode, row.name) is not None:
                raise _taken(row.name)
            self._check_contestant(repository, row, row.seats)
            _set_default(repository, row, row.is_default)
            repository.add(row)
            return self._view(row)

        view = await self._write(store)
        self._removed.pop(preset_id, None)
        return view

    async def _write(self, store: Callable[[Transaction], PresetView]) -> PresetView:
        view = await self._database.write(store)
        await self._changed()
        return view

    def _check_contestant(self, repository: PresetsRepository, row: Preset, seats: dict[str, str]) -> None:
        """Check a preset's new seats, and give a new contestant its slug. Raises Invalid."""
        known = {model_id_of(other): other for other in Contestants.stored(repository.transaction)}
        check_nesting(row, seats, {model_id: other for model_id, other in known.items() if model_id})
        if not row.contestant:
            return
        mode = self._matchmaker.mode(row.mode)
        if mode.voice is None or mode.seating.drawn:
            raise Invalid("contestant", f"contestant: a {mode.title.lower()} has no single answer to judge.")
        if not seats:
            raise Invalid(
                "seats",
                "seats: a preset used as a model needs a model for each seat.",
            )
        row.slug = row.slug or slug_of(row.name, repository.is_slug_taken)

    def _view(self, row: Preset) -> PresetView:
        seats: dict[str, str] = row.seats
        return PresetView(
            id=row.id,
            mode=row.mode,
            name=row.name,
            description=row.description,
            seats=seats,
            seat_settings=seat_settings(row),
            brief=row.brief,
            revision=row.revision,
            contestant=row.contestant,
            is_default=row.is_default,
            model_id=model_id_of(row),
            missing=_missing(self._matchmaker.catalog, seats.values()),
            created_at=row.created_at.isoformat(),
            updated_at=row.updated_at.isoformat(),
        )

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _new_row(owner_id: str, asked: SavePreset, brief: Brief, now: datetime) -> Preset:
    return Preset(
        id=random_id(),
        owner_id=owner_id,
        mode=asked.mode,
        name=asked.name,
        description=asked.description,
        seats=dict(asked.seats),
        seat_settings=_stored(settings_of(asked.seat_settings)),
        brief=_plain(brief),
        brief_version=brief.version,
        revision=1,
        contestant=asked.contestant,
        is_default=asked.is_default,
        slug=None,
        created_at=now,
        updated_at=now,
    )


def _set_default(repository: PresetsRepository, row: Preset, wanted: bool | None) -> None:
    """Set or clear a preset as its mode's default; None leaves it unchanged."""
    if wanted is None:
        return
    if wanted:
        for other in repository.defaults(row.owner_id):
            if other.mode == row.mode and other is not row:
                other.is_default = False
    row.is_default = wanted


def _settle(
    row: Preset, seats: dict[str, str], settings: Mapping[str, SeatSettings], brief: Brief, now: datetime
) -> None:
    """Change seats and settings; ratings of the old ones keep their revision."""
    plain, stored = _plain(brief), _stored(settings)
    old = (row.seats, row.seat_settings or None, row.brief, row.brief_version)
    if old != (seats, stored, plain, brief.version):
        row.revision += 1
    row.seats, row.seat_settings, row.brief = dict(seats), stored, plain
    row.brief_version, row.updated_at = brief.version, now


def _stored(settings: Mapping[str, SeatSettings]) -> dict[str, Any] | None:
    """Return settings of seats as they are stored: null if nothing was said."""
    return msgspec.to_builtins(settings) or None


def _plain(brief: Brief) -> dict[str, Any]:
    return brief.model_dump(mode="json")


def _missing(catalog: Catalog, model_ids: Sequence[str] | Any) -> list[str]:
    able = {model.id for model in catalog.models() if model.enabled}
    return sorted({model_id for model_id in model_ids if model_id not in able})


def _taken(name: str) -> Conflict:
    return Conflict(
        f"A preset named “{name}” already exists in this mode.",
        "Nothing was changed. Choose another name, or edit the existing preset.",
        code="preset_exists",
    )
