"""Flagging: voters whose votes do not come from looking at the replies, and their votes taken out."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice

import msgspec

from parley.storage.audit_log import append_exclusion, lock_head
from parley.storage.database import Database, Transaction
from parley.text.categories import OVERALL
from parley.workspace.standings.boards import Boards
from parley.workspace.standings.countable import OUTCOMES, Countable, countable
from parley.workspace.standings.recounting import recount_all
from parley.workspace.standings.repository import StandingsRepository

FLAGGED = "flagged_voter"
RECHECK_AFTER = 20
FIRST = 2_000
"""Votes of a voter that are evidence, as `voters.LOOKED_AT` has it."""

AT_ONCE = 10
"""Voters that are examined in one run, so that votes and tables do not wait for it."""

SHARE = 10.0
"""It rests for so many times its duration."""


class _Looked(msgspec.Struct, frozen=True):
    """A voter's votes that count, or did until the voter was flagged: left, right, outcome (and how many)."""

    voter_id: str
    first: tuple[tuple[str, str, int], ...]
    cells: tuple[tuple[str, str, int, int], ...]
    taken_out: tuple[tuple[str, str, int, int], ...]
    """Those of the cells that are not in the counts any more."""


class Flagging:
    """Examines voters who have voted since they were last looked at."""

    def __init__(self, database: Database, boards: Boards) -> None:
        self._database = database
        self._boards = boards
        self._new: Counter[str] = Counter()
        self._wanted: dict[str, None] = {}
        """Those that are to be examined, in order."""
        self._flagged: set[str] = set()
        self._again = 0.0

    def note(self, voter_id: str) -> None:
        """Note that a voter has voted."""
        self._new[voter_id] += 1
        if self._new[voter_id] >= RECHECK_AFTER or voter_id in self._flagged:
            self._wanted[voter_id] = None

    async def run(self, due: bool) -> float | None:
        """Examine some voters; returns in how many seconds there are more. Raises DatabaseBusy.

        Those with enough new votes are looked at soon, the others when the period has come, and who was flagged
        before after each vote.
        """
        if due:
            self._wanted.update(dict.fromkeys(self._new))
        if not self._wanted or len(self._boards.memory.table(OVERALL, "bradley-terry").lines) < 2:
            return None
        wait = self._again - time.monotonic()
        if wait > 0 and not due:
            return wait
        began = time.monotonic()
        chosen = list(islice(self._wanted, AT_ONCE))
        for voter in chosen:
            del self._wanted[voter], self._new[voter]
        await self._examine(chosen)
        rest = SHARE * (time.monotonic() - began)
        self._again = time.monotonic() + rest
        return rest if self._wanted else None

    async def _examine(self, voters: Sequence[str]) -> None:
        looked = await self._database.read(lambda transaction: [_look(transaction, it) for it in voters])
        looked = [voter for voter in looked if len(voter.first) > 1]
        if not looked:
            return
        book = await self._boards.book()

        def flag() -> list[str]:
            from parley.ratings.outcomes import Outcome
            from parley.workspace.standings.voters import VoterVotes, flag_voters

            counts = book.counts(OVERALL)
            for voter in looked:
                for left, right, outcome, votes in voter.taken_out:
                    counts.add(left, right, Outcome(outcome), votes)
            evidence = [VoterVotes(it.voter_id, it.first, it.cells) for it in looked]
            return [found.voter_id for found in flag_voters(counts, evidence)]

        for voter in await asyncio.to_thread(flag):
            await self._exclude(voter)

    async def _exclude(self, voter: str) -> None:
        """Take a voter's votes out of the counts, and say so in the audit log."""
        now = self._boards.now()

        def store(transaction: Transaction) -> None:
            repository = StandingsRepository(transaction)
            repository.lock()
            head = lock_head(transaction)
            changes: list[tuple[Countable | None, Countable | None]] = []
            for vote in repository.cast_by(voter):
                before = countable(vote)
                if before is None or before.reason is not None:
                    continue
                vote.excluded_reason = FLAGGED
                head = append_exclusion(transaction, head, vote.id, FLAGGED, now)
                changes.append((before, countable(vote)))
            if changes:
                recount_all(transaction, changes)

        await self._database.write(store)
        self._flagged.add(voter)


def _look(transaction: Transaction, voter: str) -> _Looked:
    first, grouped = StandingsRepository(transaction).evidence_of(voter, FLAGGED, FIRST)
    cells = [(row[0], row[1], OUTCOMES[row[2]], row[4], row[3]) for row in grouped]
    return _Looked(
        voter,
        tuple((row[0], row[1], OUTCOMES[row[2]]) for row in first),
        tuple(cell[:4] for cell in cells),
        tuple(cell[:4] for cell in cells if cell[4]),
    )
