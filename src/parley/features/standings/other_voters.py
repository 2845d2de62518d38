"""A voter's peers: the table that a voter's votes are compared with, without the voter and without flagged voters."""

from collections.abc import Mapping, Sequence

import numpy as np

from parley.features.standings.seen_votes import Cells, SeenVote
from parley.ratings.baseline import Ballots, Baseline
from parley.ratings.counts import Counts
from parley.ratings.votes import Votes

LEAST_OTHERS = 10
"""Decided votes of others that a model needs before a vote on it can be evidence."""

MOST_LEFT_OUT = 0.5
"""Of all votes: where flagged voters cast more than that, those with the weakest evidence stay in."""


class OtherVoters:
    """The counted votes of `overall` without those of flagged voters: two who push one model would hide each other."""

    def __init__(self, counts: Counts, flagged: Mapping[str, Cells]) -> None:
        """`flagged` are voters whose votes are in the counts, strongest evidence first."""
        self._models = counts.models
        self._places = {model: place for place, model in enumerate(self._models)}
        self._left_out: set[str] = set()
        others = Counts(self._models)
        others.table[...] = counts.table
        spare = MOST_LEFT_OUT * int(counts.table.sum())
        for voter, cells in flagged.items():
            votes = sum(number for *_, number in cells)
            if votes <= spare:
                spare -= votes
                self._left_out.add(voter)
                self._add(others, cells, -1)
        # Who was excluded since the votes were read has none in the counts.
        np.maximum(others.table, 0, out=others.table)
        self._baseline = Baseline(others)

    def ballots(self, voter: str, votes: Sequence[SeenVote], cells: Cells) -> tuple[Ballots, list[int]]:
        """Return those of a voter's votes that can be evidence, beside what their peers lead to expect.

        And the places of these in `votes`. `cells` are all votes of the voter that are in the counts.
        """
        places = self._places
        # A model that only an excluded voter met is not in the table, so that vote says nothing.
        known = [row for row, it in enumerate(votes) if it.left in places and it.right in places]
        prompts: dict[str, int] = {}
        rows = [
            (places[it.left], places[it.right], it.outcome, prompts.setdefault(it.prompt, len(prompts)))
            for it in map(votes.__getitem__, known)
        ]
        left, right, outcome, prompt = np.array(rows, dtype=np.int32).reshape(-1, 4).T
        voted = Votes(models=self._models, left=left, right=right, outcome=outcome)
        own = Counts(self._models)
        if voter not in self._left_out:
            self._add(own, cells, 1)
        ballots = self._baseline.ballots(voted, prompt.astype(np.int64), own, LEAST_OTHERS)
        return ballots, [
            row for row, is_kept in zip(known, ballots.evidence.tolist(), strict=True) if is_kept
        ]

    def _add(self, counts: Counts, cells: Cells, sign: int) -> None:
        for left, right, outcome, number in cells:
            if left in self._places and right in self._places:
                counts.add(left, right, outcome, sign * number)
