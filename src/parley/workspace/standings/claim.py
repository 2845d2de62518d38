"""A claim: votes that wait, and what they change. It loads NumPy, and is made in a thread."""

from collections.abc import Sequence

from parley.workspace.standings.countable import Countable, Waiting, countable
from parley.workspace.standings.delta import Delta
from parley.workspace.standings.memory import Memory
from parley.workspace.standings.pair_book import Change
from parley.workspace.standings.replaying import Moved
from parley.workspace.standings.repository import StandingsRepository
from parley.workspace.standings.sequence import VoteSequence


class Claim:
    """Votes that are about to be counted, as columns, in their order."""

    def __init__(self, rows: Sequence[Waiting], memory: Memory) -> None:
        self._seqs: list[int] = [row.seq for row in rows]
        self.delta = Delta()
        self.sequence = VoteSequence(memory.elos, memory.times)
        votes: list[Countable] = []
        for row in rows:
            self.delta.add_replies(row.result)
            if (vote := countable(row)) is not None:
                self.delta.add(vote)
                votes.append(vote)
        self.sequence.take(votes)
        self._sums = self.delta.sums()
        self.change = Change(self.delta)

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
