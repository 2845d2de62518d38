"""Flagging: voters whose votes look like a plan, noted for a person to judge.

No vote is taken out for it: how far honest tastes go beyond what one board expects is not known well enough, and
whoever differs from the others would be silenced.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from parley.storage.database import Database, Transaction
from parley.text.categories.categorise import OVERALL
from parley.workspace.standings.boards import Boards
from parley.workspace.standings.countable import OUTCOMES
from parley.workspace.standings.repository import StandingsRepository

if TYPE_CHECKING:
    from parley.workspace.standings.voters import Flag

RECHECK_AFTER = 20
FIRST = 2_000
"""Votes of a voter that are evidence, as `voters.LOOKED_AT` has it."""

AT_ONCE = 10
"""Voters that are examined in one run, so that votes and tables do not wait for it."""

SHARE = 10.0
"""It rests for so many times its duration."""


class _Looked(msgspec.Struct, frozen=True):
    """A voter's votes that count: left, right, outcome (and how many)."""

    voter_id: str
    first: tuple[tuple[str, str, int], ...]
    cells: tuple[tuple[str, str, int, int], ...]


class Flagging:
    """Examines voters who have voted since they were last looked at."""

    def __init__(self, database: Database, boards: Boards) -> None:
        self._database = database
        self._boards = boards
        self._new: Counter[str] = Counter()
        self._wanted: dict[str, None] = {}
        """Those that are to be examined, in order."""
        self._again = 0.0

    def note(self, voter_id: str) -> None:
        """Note that a voter has voted."""
        self._new[voter_id] += 1
        if self._new[voter_id] >= RECHECK_AFTER:
            self._wanted[voter_id] = None

    async def run(self, due: bool) -> float | None:
        """Examine some voters; returns in how many seconds there are more. Raises DatabaseBusy.

        Those with enough new votes are looked at soon, the others when the period has come.
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

        def flag() -> Sequence["Flag"]:
            from parley.workspace.standings.voters import VoterVotes, flag_voters

            evidence = [VoterVotes(it.voter_id, it.first, it.cells) for it in looked]
            return flag_voters(book.counts(OVERALL), evidence)

        flags, now = await asyncio.to_thread(flag), self._boards.now()
        votes = {it.voter_id: sum(cell[3] for cell in it.cells) for it in looked}
        rows = [(*msgspec.structs.astuple(found), votes[found.voter_id], now) for found in flags]
        await self._database.write(
            lambda transaction: StandingsRepository(transaction).put_flags([*votes], rows)
        )


def _look(transaction: Transaction, voter: str) -> _Looked:
    first, grouped = StandingsRepository(transaction).evidence_of(voter, FIRST)
    cells = tuple((row[0], row[1], OUTCOMES[row[2]], row[3]) for row in grouped)
    return _Looked(voter, tuple((row[0], row[1], OUTCOMES[row[2]]) for row in first), cells)
