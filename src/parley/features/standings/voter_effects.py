"""Effects of single voters on the overall table, and their evidence over time. It loads NumPy."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from parley.features.standings.health_schemas import (
    EvidencePoint,
    ExclusionEffect,
    LineMove,
    TopStability,
    WithoutVoter,
)
from parley.features.standings.other_voters import OtherVoters
from parley.features.standings.pair_counts import PairCounts, PairDelta, pair_delta
from parley.features.standings.prior_schemas import PriorSource
from parley.features.standings.rated_votes import OUTCOMES
from parley.features.standings.refit import fit_pairs, prior_of
from parley.features.standings.seen_votes import Cells as CountedVotes
from parley.features.standings.seen_votes import SeenVote
from parley.features.standings.snapshot import CrowdEffect, Table
from parley.ratings.bradley_terry import Fit, fit
from parley.ratings.counts import Counts
from parley.ratings.integrity import evidence_course
from parley.ratings.outcomes import Outcome
from parley.ratings.scale import DECIMALS, POINTS
from parley.text.categories.ids import OVERALL

Cells: TypeAlias = Sequence[tuple[str, str, str, int]]
"""A voter's votes: left, right, choice, and their number."""

LEAST_MOVE = 0.5
"""Points below which a line has not moved: the page shows whole points."""

MOVES_SHOWN = 10
CLOSEST_SHOWN = 10

COURSE_POINTS = 12


class TimedVote(SeenVote, frozen=True):
    """A vote as evidence, with its time."""

    at: datetime


class OverallTable:
    """The overall table as it is, from which single voters are taken out or put in again."""

    def __init__(
        self,
        rows: Iterable[Any],
        crowd: Mapping[str, CrowdEffect],
        now: datetime,
        prior: PriorSource | None = None,
    ) -> None:
        """`rows` are the counted pairs; `crowd` widens the intervals, the same with and without a voter."""
        self._public = prior_of(prior, OVERALL)
        self._counts, self._crowd, self._now = PairCounts(rows), crowd, now
        self._fitted = fit_pairs(self._counts.pairs(OVERALL), None, now, crowd, self._public)

    @property
    def counts(self) -> Counts:
        """The counted votes."""
        return self._counts.counts(OVERALL)

    @property
    def top(self) -> list[str]:
        """The ranked models, best first; provisional ones are left out."""
        return [line.model for line in self._fitted.table.lines if not line.provisional]

    def effect(self, voter: str, cells: Cells, *, excluded: bool) -> ExclusionEffect:
        """Return what a voter's votes move; those of an excluded voter are not in the table."""
        pairs = self._counts.pairs(OVERALL, plus=_delta(cells, 1 if excluded else -1))
        other = fit_pairs(pairs, self._fitted.fit, self._now, self._crowd, self._public).table
        with_them, without = (other, self._fitted.table) if excluded else (self._fitted.table, other)
        moves = _moves(with_them, without)
        votes = sum(number for *_, number in cells)
        return ExclusionEffect(
            voter_id=voter, excluded=excluded, votes=votes, moved=len(moves), moves=moves[:MOVES_SHOWN]
        )

    def stability(self, voters: Mapping[str, Cells]) -> TopStability | None:
        """Return what the top is without each of some voters, one by one; each time the table is fitted again."""
        ranked = self.top
        if len(ranked) < 2 or not voters or self._fitted.fit is None:
            return None
        top, second = ranked[:2]
        effects = [self._without(voter, cells, top) for voter, cells in voters.items()]
        known = [it for it in effects if it is not None]
        known.sort(key=lambda it: (it.first == top, it.lead is not None, it.lead or 0.0, it.voter_id))
        strengths = _ranked(self._fitted.fit)
        return TopStability(
            top=top,
            second=second,
            lead=round(strengths[top] - strengths[second], 4),
            tried=len(voters),
            changing=sum(it.first != top for it in known),
            voters=known[:CLOSEST_SHOWN],
        )

    def _without(self, voter: str, cells: Cells, top: str) -> WithoutVoter | None:
        """Return the top without a voter; None where no two models would be ranked."""
        fitted = fit(self._counts.pairs(OVERALL, plus=_delta(cells, -1)), public=self._public)
        strengths = _ranked(fitted)
        if len(strengths) < 2:
            return None
        first = min(strengths, key=lambda model: (-round(strengths[model], DECIMALS), model))
        others = [rating for model, rating in strengths.items() if model != top]
        lead = round(strengths[top] - max(others), 4) if top in strengths else None
        votes = sum(number for *_, number in cells)
        return WithoutVoter(voter_id=voter, votes=votes, first=first, lead=lead)


class EvidenceCourses:
    """The evidence of voters as their votes came in, each against the table of all others but flagged ones."""

    def __init__(self, counts: Counts, taste: float, flagged: Mapping[str, CountedVotes]) -> None:
        self._peers, self._taste = OtherVoters(counts, flagged), taste

    def course(self, voter: str, votes: Sequence[TimedVote], cells: Cells) -> list[EvidencePoint]:
        """Return up to COURSE_POINTS points; `cells` are those of the voter's votes that are in the counts."""
        counted = [(left, right, OUTCOMES[choice], number) for left, right, choice, number in cells]
        ballots, rows = self._peers.ballots(voter, votes, counted)
        number = len(rows)
        if not number:
            return []
        times = [votes[row].at for row in rows]
        ends = sorted({max(1, round(number * step / COURSE_POINTS)) for step in range(1, COURSE_POINTS + 1)})
        course = evidence_course(ballots, self._taste, ends)
        return [
            EvidencePoint(times[end - 1], end, None if point is None else round(point, 2))
            for end, point in zip(ends, course, strict=True)
        ]


def _delta(cells: Cells, sign: int) -> PairDelta:
    numbers: dict[tuple[str, str], list[int]] = {}
    for left, right, choice, number in cells:
        numbers.setdefault((left, right), [0] * len(Outcome))[OUTCOMES[choice]] += sign * number
    return pair_delta(
        (OVERALL, left, right, True, *numbers_of) for (left, right), numbers_of in numbers.items()
    )


def _ranked(fitted: Fit) -> dict[str, float]:
    """Return the strength of each model that is not provisional, in points."""
    columns = zip(fitted.pairs.models, fitted.theta.tolist(), fitted.provisional.tolist(), strict=True)
    return {model: POINTS * theta for model, theta, provisional in columns if not provisional}


def _moves(with_them: Table, without: Table) -> list[LineMove]:
    """Return the lines that differ, the largest differences first."""
    before, after = ({line.model: line for line in table.lines} for table in (with_them, without))
    moves: list[tuple[float, LineMove]] = []
    for model in {**before, **after}:
        one, other = before.get(model), after.get(model)
        far = abs(one.rating - other.rating) if one and other else float("inf")
        if far < LEAST_MOVE and one and other and one.rank_ub == other.rank_ub:
            continue
        move = LineMove(
            model=model,
            rating_with=one.rating if one else None,
            rating_without=other.rating if other else None,
            rank_with=one.rank_ub if one else None,
            rank_without=other.rank_ub if other else None,
        )
        moves.append((far, move))
    moves.sort(key=lambda it: (-it[0], it[1].model))
    return [move for _, move in moves]
