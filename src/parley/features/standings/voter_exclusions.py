"""Voter exclusions: an operator takes a flagged voter's votes out of the ratings, and in again."""

import logging
from collections.abc import Callable
from datetime import datetime

from parley.features.standings.health_schemas import FlaggedVoter
from parley.features.standings.rated_votes import rated_vote
from parley.features.standings.recount import lock_standings, recount
from parley.features.standings.repository import StandingsRepository
from parley.features.standings.voter_repository import VoterRepository
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, NotFound
from parley.storage.database import Database, Transaction
from parley.storage.tables.votes import EXCLUDED_VOTER

log = logging.getLogger(__name__)


class VoterExclusions:
    """Excludes and reinstates voters, each with the audit log entries and the counts in one transaction."""

    def __init__(self, database: Database, now: Callable[[], datetime], wake: Callable[[], None]) -> None:
        """`wake` is called after each change."""
        self._database = database
        self._now = now
        self._wake = wake

    async def voters(self) -> list[FlaggedVoter]:
        """Return the flagged and the excluded voters, strongest evidence first."""
        return await self._database.read(lambda transaction: StandingsRepository(transaction).flags())

    async def exclude(self, caller: Caller, voter_id: str) -> FlaggedVoter:
        """Exclude all votes that a flagged voter has cast so far. Raises NotFound."""
        return await self._change(caller, voter_id, exclude=True)

    async def reinstate(self, caller: Caller, voter_id: str) -> FlaggedVoter:
        """Count the votes of an excluded voter again. Raises NotFound, Conflict."""
        return await self._change(caller, voter_id, exclude=False)

    async def _change(self, caller: Caller, voter_id: str, *, exclude: bool) -> FlaggedVoter:
        now = self._now()
        reason, before = (EXCLUDED_VOTER, None) if exclude else (None, EXCLUDED_VOTER)

        def store(transaction: Transaction) -> tuple[FlaggedVoter, int]:
            lock_standings(transaction)
            standings, repository = StandingsRepository(transaction), VoterRepository(transaction)
            flag = standings.flag(voter_id)
            if flag is None:
                raise NotFound(f"The voter “{voter_id}” is not flagged.", code="voter_not_flagged")
            if flag.excluded_at is None and not exclude:
                raise Conflict(
                    "This voter is not excluded, so there is nothing to reinstate.",
                    "Nothing was changed.",
                    code="voter_not_excluded",
                )
            votes = repository.rated_of(voter_id, before)
            counted = [rated_vote(vote) for vote in votes]
            for vote in votes:
                vote.excluded_reason = reason
            transaction.update(*votes, columns=("excluded_reason",))
            repository.log_exclusions([vote.id for vote in votes], reason, now)
            changes = zip(counted, (rated_vote(vote) for vote in votes), strict=True)
            recount(transaction, *changes)
            standings.mark_excluded(voter_id, now if exclude else None, str(caller) if exclude else None)
            return standings.flag(voter_id) or flag, len(votes)

        flag, number = await self._database.write(store)
        log.info(
            "%s %s voter %s: %d votes", caller, "excludes" if exclude else "reinstates", voter_id, number
        )
        self._wake()
        return flag
