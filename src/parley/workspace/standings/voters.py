"""Voters whose votes do not come from looking at the replies, by the board that all others made.

It loads NumPy and SciPy, and is called in a thread.
"""

from collections.abc import Sequence

import msgspec
import numpy as np

from parley.ratings.counts import Counts
from parley.ratings.integrity import Pattern, examine_voter
from parley.ratings.left_out import Board
from parley.ratings.outcomes import Outcome
from parley.ratings.votes import Votes

LOOKED_AT = 2_000
"""Votes of a voter that are examined: the first ones, so that the cost of a look has a bound."""

LEAST_OTHERS = 10
"""Decided votes of others that a model needs for the board to say anything about a voter's vote on it."""


class VoterVotes(msgspec.Struct, frozen=True):
    """The votes of one voter that are in the counts: models by id, outcomes as in `ratings.Outcome`."""

    voter_id: str
    first: Sequence[tuple[str, str, int]]
    """Left, right and outcome of the first votes in the order of `seq`, at most `LOOKED_AT`."""
    cells: Sequence[tuple[str, str, int, int]]
    """Left, right, outcome, and how many of all votes there are of it."""


class Flag(msgspec.Struct, frozen=True):
    """A voter whose votes look like a plan, and like which one most."""

    voter_id: str
    e_value: float
    after: int
    """The number of votes, of those that are evidence, after which the e-value first exceeded 100."""
    pattern: Pattern
    model: str | None
    """The model that is pushed, or voted against."""


def flag_voters(counts: Counts, voters: Sequence[VoterVotes]) -> tuple[Flag, ...]:
    """Return those of some voters of whom the evidence exceeded 100 at any time.

    `counts`: the overall votes that are counted, with the votes of these voters among them. Whoever votes alone, or
    on models of which others have hardly said anything, is never flagged: there is no board to hold the votes against.
    The models of every vote must be in the counts.
    """
    if not voters:
        return ()
    board = Board(counts)
    found = (_flag(board, counts.models, voter) for voter in voters)
    return tuple(flag for flag in found if flag is not None)


def _flag(board: Board, models: tuple[str, ...], voter: VoterVotes) -> Flag | None:
    own = Counts(models)
    for left, right, outcome, times in voter.cells:
        own.add(left, right, Outcome(outcome), times)
    place = {model: number for number, model in enumerate(models)}
    columns = np.array([(place[left], place[right], it) for left, right, it in voter.first], dtype=np.int32)
    left, right, outcome = columns.reshape(-1, 3).T
    votes = Votes(models=models, left=left, right=right, outcome=outcome)
    report = examine_voter(votes, board, own=own, least=LEAST_OTHERS)
    if report.flagged_after is None or report.pattern is None:
        return None
    return Flag(voter.voter_id, report.e_value, report.flagged_after, report.pattern, report.model)
