"""The room of the standings put together: what is read, what works, and who is told."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence

import msgspec

from parley.engine.hub import HEARTBEAT_S
from parley.engine.loop import Loop
from parley.kernel.caller import Caller
from parley.kernel.models import Model
from parley.kernel.ports import Clock
from parley.kernel.views import ModelCard
from parley.storage.database import Database
from parley.text.categories.categorise import Categories
from parley.workspace.standings.boards import Boards
from parley.workspace.standings.confirming import confirm_elo, confirm_votes
from parley.workspace.standings.news import News, changed
from parley.workspace.standings.pair_chances import PairChances
from parley.workspace.standings.preferences import PreferenceTable
from parley.workspace.standings.rebuilding import Told, nobody
from parley.workspace.standings.schemas import Rebuilt
from parley.workspace.standings.service import StandingsService
from parley.workspace.standings.worker import StandingsWorker

EVERY_S = 3600.0

SOON_S = 0.2
"""How long votes are gathered before they are counted together."""

log = logging.getLogger(__name__)


class StandingsRoom:
    """Everything that shares one set of boards. `start` begins to count, `close` ends it."""

    def __init__(
        self,
        *,
        database: Database,
        clock: Clock,
        card: Callable[[str], ModelCard],
        categories: Categories,
        every_s: float = EVERY_S,
        pool: Callable[[], Sequence[Model]] | None = None,
    ) -> None:
        """`pool` are the models for which `chances` of pairs are wanted; without it there are none."""
        self._database = database
        self._heart: asyncio.Task[None] | None = None
        self.boards = Boards(database, clock)
        self.news = News(lambda: changed(self.boards.memory))
        self.worker = StandingsWorker(database=database.patient(), boards=self.boards, news=self.news)
        self.chances = PairChances(self.boards, pool) if pool is not None else None
        self.loop = Loop("parley-standings", self.worker.run, every_s=every_s, soon_s=SOON_S)
        self.preferences = PreferenceTable(database, card)
        self.service = StandingsService(
            database=database,
            boards=self.boards,
            news=self.news,
            categories=categories,
            card=card,
            told_of=self._look,
        )

    def start(self) -> None:
        """Begin to count; needs a running loop."""
        self.loop.start()
        if self.chances is not None:
            self.chances.start()
        self._heart = asyncio.create_task(self._beat(), name="parley-standings-heartbeat")

    async def rebuild(self, caller: Caller, told: Told = nobody) -> Rebuilt:
        """Count every vote anew, of votes that the audit log confirms, and put right what differs.

        Raises Conflict where it does not confirm them, and Unavailable.
        """
        log.info("%s has every vote counted anew", caller)
        patient = self._database.patient()
        restored = await confirm_votes(patient)
        elos = await confirm_elo(patient)
        found = await self.worker.rebuild(told)
        return msgspec.structs.replace(found, restored=restored, corrected=found.corrected + elos)

    def wake(self) -> None:
        """Say that there are votes to count, or that something about counted ones has changed."""
        self.loop.wake()

    def pair_chances(self) -> Mapping[tuple[str, str], float] | None:
        """Return how likely each pair of models is to be drawn; None where that is not wanted or not known yet."""
        return self.chances.current if self.chances is not None else None

    def end_feeds(self) -> None:
        """End the feeds of everybody who follows."""
        self.news.end()

    async def close(self) -> None:
        """Stop; a vote that is not counted yet is counted after the next start."""
        if self._heart is not None:
            self._heart.cancel()
        await self.loop.close()
        if self.chances is not None:
            await self.chances.close()
        self.boards.close()
        self.end_feeds()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            self.news.beat()

    def _look(self, version: int) -> None:
        """Catch up where the database has moved on without this process."""
        if version != self.boards.memory.version:
            self.wake()
