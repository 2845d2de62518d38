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
from parley.storage.readable_rows import each_readable
from parley.storage.tables.presets import PresetRow

MOST_REMOVED = 100
"""The removed presets that can be restored; they are forgotten when the server stops."""


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
        self._removed: dict[str, PresetRow] = {}

    async def list(self, caller: Caller, mode: str | None = None) -> Sequence[PresetView]:
        """Return the caller's presets, of one mode or of all. Raises Invalid for an unknown mode."""
        if mode is not None:
            self._matchmaker.mode(mode)
        rows = await self._database.read(
            lambda transaction: PresetsRepository(transaction).all(caller.person_id, mode)
        )
        return list(each_readable(rows, self._view))

    async def defaults(self, caller: Caller) -> Mapping[str, PresetView]:
        """Return the caller's default preset of each mode."""
        rows = await self._database.read(
            lambda transaction: PresetsRepository(transaction).defaults(caller.person_id)
        )
        return {view.mode: view for view in each_readable(rows, self._view)}

    async def read(self, caller: Caller, preset_id: str) -> PresetView:
        """Return a preset. Raises NotFound."""
        row = await self._database.read(
            lambda transaction: PresetsRepository(transaction).get(caller.person_id, preset_id)
        )
        return self._view(row)

    async def save(self, caller: Caller, request: SavePreset, *, replace: bool = False) -> PresetView:
        """Store a preset; `replace` replaces one with the same name. Raises Invalid, Conflict if the name is taken."""
        settings = settings_of(request.seat_settings)
        brief = self._matchmaker.check(request.mode, request.seats, request.brief or {}, settings)
        now = self._now()

        def store(transaction: Transaction) -> PresetView:
            repository = PresetsRepository(transaction)
            row = repository.named(caller.person_id, request.mode, request.name)
            if row is None:
                row = _new_row(caller, request, brief, now)
                self._check_contestant(repository, row, row.seats)
                _set_default(repository, row, request.is_default)
                repository.add(row)
                return self._view(row)
            if not replace:
                raise _taken(request.name)
            row.description, row.contestant = request.description, request.contestant
            self._check_contestant(repository, row, request.seats)
            _settle(repository, row, request.seats, settings, brief, now)
            _set_default(repository, row, request.is_default or None)
            repository.update(row)
            return self._view(row)

        return await self._write(store)

    async def change(self, caller: Caller, preset_id: str, request: ChangePreset) -> PresetView:
        """Change the given fields. Raises NotFound, Invalid, Conflict if the new name is taken."""
        now = self._now()

        def store(transaction: Transaction) -> PresetView:
            repository = PresetsRepository(transaction)
            row = repository.get(caller.person_id, preset_id)
            if request.name is not None and request.name != row.name:
                if repository.named(caller.person_id, row.mode, request.name) is not None:
                    raise _taken(request.name)
                row.name = request.name
            if "description" in request.model_fields_set:
                row.description = request.description
            row.contestant = row.contestant if request.contestant is None else request.contestant
            _set_default(repository, row, request.is_default)
            seats = row.seats if request.seats is None else request.seats
            self._check_contestant(repository, row, seats)
            if (request.seats, request.seat_settings, request.brief) != (None, None, None):
                raw = row.brief if request.brief is None else request.brief
                settings = settings_of(request.seat_settings)
                if request.seat_settings is None:
                    settings = {
                        seat: of_seat for seat, of_seat in seat_settings(row).items() if seat in seats
                    }
                brief = self._matchmaker.check(row.mode, seats, raw, settings)
                _settle(repository, row, seats, settings, brief, now)
            row.updated_at = now
            repository.update(row)
            return self._view(row)

        return await self._write(store)

    async def remove(self, caller: Caller, preset_id: str) -> None:
        """Remove a preset; sessions started with it are kept. Raises NotFound."""
        self._removed[preset_id] = await self._remove(caller, preset_id)
        while len(self._removed) > MOST_REMOVED:
            del self._removed[next(iter(self._removed))]
        await self._changed()

    async def _remove(self, caller: Caller, preset_id: str) -> PresetRow:
        """Delete a preset's row and return it. Raises NotFound."""

        def store(transaction: Transaction) -> PresetRow:
            repository = PresetsRepository(transaction)
            row = repository.get(caller.person_id, preset_id)
            repository.remove(row)
            return row

        return await self._database.write(store)

    async def erase(self, caller: Caller) -> int:
        """Remove all the caller's presets for good, also those that could be restored; return how many."""
        self._removed = {key: row for key, row in self._removed.items() if row.owner_id != caller.person_id}
        presets = await self.list(caller)
        for preset in presets:
            with suppress(NotFound):
                await self._remove(caller, preset.id)
        await self._changed()
        return len(presets)

    async def restore(self, caller: Caller, preset_id: str) -> PresetView:
        """Restore a removed preset unchanged, as the same contestant.

        Raises NotFound if it was not removed or is forgotten, Conflict if its name is taken meanwhile, Invalid if it
        would now contain itself.
        """
        row = self._removed.get(preset_id)
        if row is None or row.owner_id != caller.person_id:
            raise no_preset()

        def store(transaction: Transaction) -> PresetView:
            repository = PresetsRepository(transaction)
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

    def _check_contestant(self, repository: PresetsRepository, row: PresetRow, seats: dict[str, str]) -> None:
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

    def _view(self, row: PresetRow) -> PresetView:
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


def _new_row(caller: Caller, request: SavePreset, brief: Brief, now: datetime) -> PresetRow:
    return PresetRow(
        id=random_id(),
        owner_id=caller.person_id,
        space_id=caller.space_id,
        mode=request.mode,
        name=request.name,
        description=request.description,
        seats=dict(request.seats),
        seat_settings=_stored(settings_of(request.seat_settings)),
        brief=_plain(brief),
        brief_version=brief.version,
        revision=1,
        contestant=request.contestant,
        is_default=request.is_default,
        slug=None,
        created_at=now,
        updated_at=now,
    )


def _set_default(repository: PresetsRepository, row: PresetRow, wanted: bool | None) -> None:
    """Set or clear a preset as its mode's default; None leaves it unchanged."""
    if wanted is None:
        return
    if wanted:
        for other in repository.defaults(row.owner_id):
            if other.mode == row.mode and other.id != row.id:
                other.is_default = False
                repository.update(other)
    row.is_default = wanted


def _settle(
    repository: PresetsRepository,
    row: PresetRow,
    seats: dict[str, str],
    settings: Mapping[str, SeatSettings],
    brief: Brief,
    now: datetime,
) -> None:
    """Change seats and settings; ratings of the old ones keep their revision, and no other model's id is taken."""
    plain, stored = _plain(brief), _stored(settings)
    old = (row.seats, row.seat_settings or None, row.brief, row.brief_version)
    if old != (seats, stored, plain, brief.version):
        row.revision += 1
        while row.slug and repository.is_model(f"{row.slug}-r{row.revision}"):
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
