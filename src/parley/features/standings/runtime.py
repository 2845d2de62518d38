"""The standings' runtime: queries, worker and change feed over one set of live tables."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager

import msgspec

from parley.engine.clock import WallClock
from parley.engine.feed import Feed
from parley.engine.loop import Loop
from parley.features.catalog.memory import stored_cards
from parley.features.standings.change_feed import ChangeFeed
from parley.features.standings.decisions import Decisions
from parley.features.standings.leaderboard import LeaderboardQueries
from parley.features.standings.live_tables import LiveTables
from parley.features.standings.model_pages import ModelQueries
from parley.features.standings.pair_chances import PairChances
from parley.features.standings.preferences import PreferenceTable
from parley.features.standings.public_priors import PublicPriors
from parley.features.standings.recount import Progress, confirm_elo, confirm_votes
from parley.features.standings.schemas import Rebuilt
from parley.features.standings.space_tables import SpaceTables
from parley.features.standings.views import Cards
from parley.features.standings.vote_health import VoteHealthQueries
from parley.features.standings.voter_exclusions import VoterExclusions
from parley.features.standings.worker import StandingsWorker
from parley.kernel.caller import Caller
from parley.kernel.errors import NotFound
from parley.kernel.models import Model
from parley.kernel.ports import Clock
from parley.kernel.views import ModelCard
from parley.storage import schema
from parley.storage.database import Database
from parley.text.categories.categorise import Categories

EVERY_S = 3600.0

GATHER_S = 0.2
"""Seconds that votes are gathered into one batch."""

log = logging.getLogger(__name__)


class StandingsRuntime:
    """Everything that shares one set of live tables. `start` begins to count, `close` stops."""

    def __init__(
        self,
        *,
        database: Database,
        clock: Clock,
        card: Callable[[str], ModelCard],
        categories: Categories,
        every_s: float = EVERY_S,
        pool: Callable[[], Sequence[Model]] | None = None,
        members: Callable[[str], Sequence[str]] = lambda _: (),
        known: Callable[[], Mapping[str, Iterable[str]]] = dict,
        leads: Callable[[], bool] | None = None,
    ) -> None:
        """`pool` are the models that need pair chances; without it there are none.

        `known` returns the names of each model by its id, by which published results are matched.

        `leads` is given where several replicas may count.

        `members` returns the ids of the models that an ensemble seats.
        """
        cards = Cards(card)
        self._database = database
        self._heartbeat: asyncio.Task[None] | None = None
        self.tables = LiveTables(database, clock)
        self.changes = ChangeFeed(lambda: self.tables.snapshot)
        self.worker = StandingsWorker(
            database=database.patient(), tables=self.tables, publish=self.changes.publish, leads=leads
        )
        self.chances = PairChances(self.tables, pool) if pool is not None else None
        self.loop = Loop("parley-standings", self.worker.run, every_s=every_s, soon_s=GATHER_S)
        self.health = VoteHealthQueries(
            database=database.patient(), tables=self.tables, taste=self.worker.flagging.taste, cards=cards
        )
        self.voters = VoterExclusions(database, self.tables.now, self.wake)
        self.prior = PublicPriors(
            database=database.patient(), tables=self.tables, known=known, wake=self.wake
        )
        self.preferences = PreferenceTable(database, cards)
        self.decisions = Decisions(self.tables)
        self.leaderboard = LeaderboardQueries(
            database=database,
            tables=self.tables,
            decisions=self.decisions,
            categories=categories,
            cards=cards,
            on_version=self._catch_up,
        )
        self.spaces = SpaceTables(database, self.tables, self.leaderboard)
        self.models = ModelQueries(
            database=database,
            tables=self.tables,
            decisions=self.decisions,
            leaderboard=self.leaderboard,
            cards=cards,
            members=members,
        )

    def start(self) -> None:
        """Start the worker; needs a running loop."""
        self.loop.start()
        if self.chances is not None:
            self.chances.start()
        self._heartbeat = asyncio.create_task(self.changes.keep_alive(), name="parley-standings-heartbeat")

    async def rebuild(self, caller: Caller, progress: Progress = lambda _done, _all: None) -> Rebuilt:
        """Recount all votes that the audit log confirms, and correct what differs.

        Raises Conflict where the log does not confirm them, and Unavailable.
        """
        log.info("%s started a recount of all votes", caller)
        patient = self._database.patient()
        restored = await confirm_votes(patient)
        elos = await confirm_elo(patient)
        result = await self.worker.rebuild(progress)
        return msgspec.structs.replace(result, restored=restored, corrected=result.corrected + elos)

    async def follow(self) -> Feed:
        """Return a feed of changes, which opens with the current state."""
        await self.tables.load()
        self.tables.preload()
        return self.changes.subscribe()

    def wake(self) -> None:
        """Wake the worker: there are votes to count, or counted ones changed."""
        self.loop.wake()

    def pair_chances(self) -> Mapping[tuple[str, str], float] | None:
        """Return each pair's chance to be drawn; None where not wanted or not known yet."""
        return self.chances.current if self.chances is not None else None

    def end_feeds(self) -> None:
        """End the feeds of all subscribers."""
        self.changes.close()

    async def close(self) -> None:
        """Stop; votes still pending are counted after the next start."""
        if self._heartbeat is not None:
            self._heartbeat.cancel()
        await self.loop.close()
        if self.chances is not None:
            await self.chances.close()
        self.decisions.close()
        self.end_feeds()

    def _catch_up(self, version: int) -> None:
        """Wake the worker where another process moved the database on."""
        if version != self.tables.snapshot.version:
            self.wake()


@asynccontextmanager
async def open_offline(database: Database, categories: Categories) -> AsyncGenerator[StandingsRuntime]:
    """Open the standings of a database without a server or a running worker.

    Raises Unavailable where there is no database, or one of another version.
    """
    await schema.require_current(database)
    cards = await stored_cards(database)

    def card(model_id: str) -> ModelCard:
        if model_id not in cards:
            raise NotFound(f"There is no model “{model_id}”.")
        return cards[model_id]

    names = {model_id: (card.name,) for model_id, card in cards.items()}
    runtime = StandingsRuntime(
        database=database, clock=WallClock(), card=card, categories=categories, known=lambda: names
    )
    try:
        yield runtime
    finally:
        await runtime.close()
