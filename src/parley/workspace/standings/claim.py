"""A claim: votes that wait, and what they change."""

from collections.abc import Sequence
from typing import Any

from parley.workspace.standings.countable import countable
from parley.workspace.standings.delta import Delta
from parley.workspace.standings.memory import Memory
from parley.workspace.standings.replaying import Moved
from parley.workspace.standings.repository import StandingsRepository
from parley.workspace.standings.sequence import VoteSequence


class Claim:
    """Votes that are about to be counted, as columns, in their order."""

    def __init__(self, rows: Sequence[Any], memory: Memory) -> None:
        self._seqs: list[int] = [row.seq for row in rows]
        self.delta = Delta()
        self.sequence = VoteSequence(memory.elos, memory.times)
        for row in rows:
            self.delta.add_replies(row.result)
            if (vote := countable(row)) is not None:
                self.delta.add(vote)
                self.sequence.take([vote])
        self._sums = self.delta.sums()

    @property
    def last_seq(self) -> int:
        """The number of the last vote; 0 where there is none."""
        return self._seqs[-1] if self._seqs else 0

    def late(self, counted_up_to: int) -> bool:
        """Tell whether a vote came after later ones had been counted."""
        return bool(self._seqs) and self._seqs[0] < counted_up_to

    def store(self, repository: StandingsRepository) -> None:
        """Count the votes and mark them as counted; the standings are locked. Raises Moved."""
        if self._seqs and repository.mark_processed(self._seqs) != len(self._seqs):
            raise Moved
        repository.add(self._sums)
        repository.count_run(len(self._seqs), self.last_seq)
