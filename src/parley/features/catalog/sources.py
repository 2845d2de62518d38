"""Sources of the catalog: the model list's file, the database and the demo, reloaded when they change."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from pathlib import Path

from parley.features.catalog.reader import CatalogError, Entries
from parley.features.catalog.service import (
    NOTHING,
    CatalogService,
    DemoModels,
    join_entries,
    read_entries_file,
)
from parley.features.catalog.stored_entries import NOTHING_STORED, StoredEntriesReader
from parley.kernel.errors import Conflict, ParleyError, Unavailable
from parley.kernel.models import Provider
from parley.storage.database import Database
from parley.trust import Trust

LOOK_EVERY_S = 2.0
"""Seconds between checks of the model list's file for changes."""

log = logging.getLogger(__name__)


class CatalogFile:
    """The model list's file, which may not exist."""

    def __init__(
        self,
        path: Path,
        *,
        required: bool,
        connectors: Collection[str],
        variables: Mapping[str, str],
        trust: Trust | None = None,
    ) -> None:
        """With `required` a missing file is an error; with `trust`, one that it does not cover."""
        self.path = path
        self.entries = NOTHING
        self.error: str | None = None
        self._required = required
        self._connectors = connectors
        self._variables = variables
        self._trust = trust
        self._seen: tuple[int, int] | None = None

    def read_usable(self) -> Entries:
        """Read the file without entries that have mistakes, which `error` then names. Raises ParleyError."""
        try:
            return self.read()
        except CatalogError as error:
            if error.usable is None:
                raise
            self.refuse(error)
            log.warning("Models with mistakes are left out. %s", self.error)
            self.entries = error.usable
            return self.entries

    def refuse(self, error: ParleyError) -> None:
        """Note why the file, or a part of it, is not used."""
        self.error = "\n".join(part for part in (error.title, error.detail) if part)

    def read(self) -> Entries:
        """Read the file. Raises ParleyError with file and line; the previous entries then stay."""
        self._seen = self._state()
        if self._seen is None and not self._required:
            self.entries = NOTHING
        else:
            self.entries = read_entries_file(
                self.path, connectors=self._connectors, variables=self._variables, trust=self._trust
            )
        self.error = None
        return self.entries

    @property
    def has_changed(self) -> bool:
        """True if the file has changed since it was read."""
        return self._state() != self._seen

    def _state(self) -> tuple[int, int] | None:
        try:
            stat = self.path.stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size


class CatalogSources:
    """Keeps one catalog up to date with its sources.

    `changed` is awaited after each change, with the ids of the providers that changed.
    """

    def __init__(
        self, file: CatalogFile, demo: Entries, demo_models: DemoModels, catalog: CatalogService
    ) -> None:
        self.file = file
        self.catalog = catalog
        self.stored = NOTHING_STORED
        self._demo = demo
        self._demo_models: DemoModels = demo_models
        self.writing = asyncio.Lock()
        """Held while rows change: free ids and the secret stay the same until the transaction ends."""
        self._one_by_one = asyncio.Lock()
        self._database: Database | None = None
        self._reader: StoredEntriesReader | None = None
        self._changed: Callable[[set[str]], Awaitable[None]] | None = None
        self._behind = False
        self.tell: Callable[[], object] = lambda: None
        """Tells other replicas that the database's entries have changed."""
        self.hears_nothing: Callable[[], bool] = lambda: False
        """Returns whether other replicas can't tell this one now."""

    async def open(self, database: Database, reader: StoredEntriesReader) -> None:
        """Start to include the database. Raises DatabaseBusy."""
        self._database, self._reader = database, reader
        await self.reload()

    def follow(self, changed: Callable[[set[str]], Awaitable[None]]) -> None:
        """Call `changed` after each change."""
        self._changed = changed

    async def announce(self) -> None:
        """Reload the database's entries, which this process has changed. Raises DatabaseBusy."""
        self.tell()
        await self.reload()

    def note_change(self) -> None:
        """Reload soon: another replica has changed the database's entries, or may have."""
        self._behind = True

    async def reload(self) -> None:
        """Reload the database's entries. Raises DatabaseBusy."""
        database, reader = self._database, self._reader
        if database is None or reader is None:
            return
        async with self._one_by_one:
            self._behind = True
            configured = self.file.entries
            self.stored = await database.read(lambda transaction: reader.read(transaction, configured))
            before = {provider.id: provider for provider in self.catalog.providers()}
            listing = join_entries(configured, self._demo, self._demo_models, self.stored.entries)
            self.catalog.replace(listing, self.stored.choices)
            if self._changed is not None:
                await self._changed(_different(before, self.catalog))
            self._behind = False

    async def watch(self) -> None:
        """Read the file again whenever it changes, until cancelled. One that can't be used changes nothing."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            try:
                await self._look()
            except ParleyError as error:
                log.warning("The models can't be reloaded yet: %s", error)

    async def _look(self) -> None:
        """Reload a changed file, and what an earlier reload could not. Raises DatabaseBusy: try again later."""
        before = self.file.entries
        if await asyncio.to_thread(lambda: self.file.has_changed):
            try:
                await asyncio.to_thread(self.file.read)
            except ParleyError as error:
                self._refuse_file(error)
                return
            self._behind = True
            log.info("Read the model list again: %s", self.file.path)
        if not self._behind and not self.hears_nothing():
            return
        try:
            await self.reload()
        except Unavailable:
            raise
        except ParleyError as error:
            self.file.entries = before
            # Whoever reads about the mistake finds the previous models.
            try:
                await self.reload()
            finally:
                self._refuse_file(error)

    def _refuse_file(self, error: ParleyError) -> None:
        self.file.refuse(error)
        log.warning(
            "The changed model list can't be used, so the previous one stays in use. %s", self.file.error
        )


def in_file(what: str, sources: CatalogSources) -> Conflict:
    """Return the error for changing an entry of the model list's file."""
    return Conflict(
        f"This {what} is in {sources.file.path}. Change it there.",
        "Nothing was changed. The file is read again when it changes.",
        code="in_file",
    )


def _different(before: Mapping[str, Provider], now: CatalogService) -> set[str]:
    after = {provider.id: provider for provider in now.providers()}
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
