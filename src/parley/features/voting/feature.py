"""Voting: votes on matches, and their withdrawal."""

from collections.abc import Sequence
from datetime import datetime

from parley.engine.clock import WallClock
from parley.engine.hub import Hub
from parley.features.catalog.memory import ModelMemory
from parley.features.feature import Feature, Retained
from parley.features.standings.runtime import StandingsRuntime
from parley.features.voting.repository import VotingRepository
from parley.features.voting.routes import routes
from parley.features.voting.service import VotingService
from parley.features.voting.withdrawals import Withdrawals
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.database import Database
from parley.text.categories.categorise import Categories

FORGOTTEN_AT_ONCE = 200


def _build(parts: Parts) -> Sequence[object]:
    database, hub, memory, clock = parts[Database], parts[Hub], parts[ModelMemory], parts[WallClock]
    wake = parts[StandingsRuntime].wake
    withdrawals = Withdrawals(database=database, hub=hub, card=memory.card, clock=clock, wake=wake)
    voting = VotingService(
        database=database,
        hub=hub,
        card=memory.card,
        names=memory.names,
        categorise=parts[Categories].categorise,
        clock=clock,
        voted=wake,
        saved=withdrawals.saved,
        counts_guests=parts[Settings].guest_votes == "counted",
    )
    return withdrawals, voting


async def _count_reasons(parts: Parts, before: datetime | None) -> int:
    return await parts[Database].read(lambda transaction: VotingRepository(transaction).count_reasons(before))


async def _forget_reasons(parts: Parts, before: datetime) -> int:
    forgotten = 0
    while some := await parts[Database].write(
        lambda transaction: VotingRepository(transaction).forget_reasons(before, FORGOTTEN_AT_ONCE)
    ):
        forgotten += some
    return forgotten


FEATURE = Feature(
    name="voting",
    needs=("arena", "catalog", "standings"),
    build=_build,
    routes=(routes,),
    retained=(
        Retained(
            name="vote-reasons",
            nouns="reasons of votes",
            about="What voters wrote with their votes, since they voted. The votes stay and count.",
            count=_count_reasons,
            forget=_forget_reasons,
        ),
    ),
    background=(lambda parts: parts[VotingService].warm(),),
)
