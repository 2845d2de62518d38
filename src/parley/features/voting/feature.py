"""Voting: votes on matches, and their withdrawal."""

from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.engine.hub import Hub
from parley.features.catalog.memory import ModelMemory
from parley.features.feature import Feature
from parley.features.standings.runtime import StandingsRuntime
from parley.features.voting.routes import routes
from parley.features.voting.service import VotingService
from parley.features.voting.withdrawals import Withdrawals
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.database import Database
from parley.text.categories.categorise import Categories


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


FEATURE = Feature(
    name="voting",
    needs=("arena", "catalog", "standings"),
    build=_build,
    routes=(routes,),
    background=(lambda parts: parts[VotingService].warm(),),
)
