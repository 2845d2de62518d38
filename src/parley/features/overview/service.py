"""Reads the overview, each time from where the figures are."""

import asyncio
from pathlib import Path

from parley.engine.runner import Runner
from parley.features.catalog.provider_states import ProviderStates
from parley.features.overview.repository import OverviewRepository
from parley.features.overview.schemas import Overview
from parley.storage.database import Database, Transaction
from parley.storage.disk_space import free_bytes


class OverviewService:
    """The installation at this moment."""

    def __init__(self, database: Database, runner: Runner, providers: ProviderStates, folder: Path) -> None:
        self._database = database
        self._runner = runner
        self._providers = providers
        self._folder = folder

    async def read(self) -> Overview:
        """Read the overview. Raises DatabaseBusy."""
        people, size = await self._database.read(self._stored)
        waiting = self._runner.queue.waiting
        return Overview(
            turns_running=self._runner.playing - waiting,
            turns_waiting=waiting,
            people=people,
            database_bytes=size,
            disk_free_bytes=await asyncio.to_thread(free_bytes, self._folder),
            unwell=sum(health.state != "ok" for health in self._providers.health()),
        )

    def _stored(self, db: Transaction) -> tuple[int, int]:
        repository = OverviewRepository(db)
        return repository.people(), repository.size(is_sqlite=self._database.is_sqlite)
