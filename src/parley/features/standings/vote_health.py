"""Vote health: who votes, how evenly, how fast, and what single voters move, read once per version."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from parley.features.standings.health_schemas import (
    EvidencePoint,
    FlaggedVoter,
    VoteHealth,
    VoterLine,
    VoterPage,
    VoterQuery,
    VoterSort,
    VoteSpeed,
)
from parley.features.standings.live_tables import LiveTables
from parley.features.standings.rated_votes import OUTCOMES
from parley.features.standings.repository import StandingsRepository
from parley.features.standings.seen_votes import Cells as CountedVotes
from parley.features.standings.views import Cards
from parley.features.standings.vote_repository import VoteRepository
from parley.features.standings.voter_flags import LATEST_VOTES, flagged_cells
from parley.features.standings.voter_repository import (
    FAST_MS,
    Concentration,
    VoteKinds,
    VoterRepository,
    VoterTotals,
)
from parley.storage.database import Database, Transaction
from parley.text.categories.ids import OVERALL

if TYPE_CHECKING:
    from parley.features.standings.voter_effects import Cells, EvidenceCourses, OverallTable
    from parley.ratings.counts import Counts

LISTED = 10_000
"""So many voters can be listed, those with the most votes, and all flagged ones."""

TIMED = 20_000
"""Percentiles of reading times are of so many of the latest votes."""

EFFECTS = 50
"""The effect is computed for so many flagged and excluded voters, those with the strongest evidence."""

FEW_MODELS = 40
TRIED, TRIED_OF_MANY = 200, 40
"""So many voters are left out one by one, fewer with more than FEW_MODELS: each time the table is fitted again."""

TOP_MODELS = 5
"""They are those with the most votes on so many models at the top."""

SLOW_S, REST = 1.0, 10.0
"""A result that took longer than SLOW_S is kept for REST times as long, also while votes come in."""

WITHIN_S = 1.0
"""A page waits so long for evidence that is not known; what is left comes with the next request."""

COURSES = 1_000
"""The evidence of so many voters is kept in memory."""

SLOW_COURSE_S, VOTERS = 0.05, 25
"""Likewise for the evidence of one of the VOTERS on a page, where it took longer than SLOW_COURSE_S."""

_KEYS: Mapping[VoterSort, Callable[[VoterTotals], float]] = {
    "votes": lambda it: it.votes + it.excluded,
    "prompts": lambda it: it.prompts,
    "duplicates": lambda it: it.duplicates,
    "fast": lambda it: it.fast / it.timed if it.timed else -1.0,
    "last_vote": lambda it: it.last_vote_at.timestamp(),
}


class _Key(NamedTuple):
    version: int
    flags: frozenset[tuple[str, bool]]


class _Report(NamedTuple):
    """The result at one version."""

    key: _Key
    health: VoteHealth
    totals: Sequence[VoterTotals]
    courses: "EvidenceCourses | None"


class _Course(NamedTuple):
    """A voter's evidence at one version, kept until a time even where votes have come in."""

    key: _Key
    until: float
    points: list[EvidencePoint]
    read_ms_p50: int | None


class VoteHealthQueries:
    """Answers from a report that is made in threads, and made again when the standings have changed."""

    def __init__(
        self,
        *,
        database: Database,
        tables: LiveTables,
        taste: "Callable[[Counts], Awaitable[float]]",
        cards: Cards,
    ) -> None:
        """`taste` returns how far voters differ about single models, given the counts of `overall`."""
        self._database, self._tables, self._taste, self._cards = database, tables, taste, cards
        self._making = asyncio.Lock()
        self._report: _Report | None = None
        self._kept_until = 0.0
        self._courses: dict[str, _Course] = {}

    async def read(self) -> VoteHealth:
        """Return how healthy the votes are. Raises DatabaseBusy."""
        async with self._making:
            health = (await self._current())[0].health
        # What the left side is worth is found by a replay, which makes no new version.
        return msgspec.structs.replace(health, position=self._tables.snapshot.positions.get(OVERALL))

    async def voters(self, query: VoterQuery) -> VoterPage:
        """Return a page of the voters. Raises DatabaseBusy."""
        async with self._making:
            report, flags = await self._current()
        ordered = sorted(report.totals, key=_order(query.sort_by, flags), reverse=query.order == "desc")
        shown = ordered[query.offset : query.offset + query.limit]
        until = time.monotonic() + WITHIN_S
        lines = [await self._line(report, it, flags.get(it.voter_id), until) for it in shown]
        return VoterPage(voters=lines, total=len(ordered), pending=sum(line.pending for line in lines))

    async def _current(self) -> tuple[_Report, Mapping[str, FlaggedVoter]]:
        """Return the report, made again where it is behind, and the flags as they are now."""
        await self._tables.load()

        def read(transaction: Transaction) -> tuple[int, list[FlaggedVoter]]:
            repository = StandingsRepository(transaction)
            return repository.version(), repository.flags()

        version, flags = await self._database.read(read)
        key = _Key(version, frozenset((it.voter_id, it.excluded_at is not None) for it in flags))
        report = self._report
        resting = report is not None and report.key.flags == key.flags and time.monotonic() < self._kept_until
        if report is None or (report.key != key and not resting):
            began = time.monotonic()
            report = self._report = await self._make(key, flags)
            took = time.monotonic() - began
            self._kept_until = time.monotonic() + (REST * took if took > SLOW_S else 0.0)
        return report, {it.voter_id: it for it in flags}

    async def _make(self, key: _Key, flags: Sequence[FlaggedVoter]) -> _Report:
        board = self._tables.snapshot.table(OVERALL, "bradley-terry").lines
        top = [line.model for line in board if not line.provisional]
        rows = await self._database.read(lambda transaction: _read(transaction, flags, top))
        snapshot, now = self._tables.snapshot, self._tables.now()
        crowd, prior = snapshot.crowd(OVERALL), snapshot.prior

        def compute() -> "tuple[VoteHealth, Counts]":
            from parley.features.standings.voter_effects import OverallTable

            table = OverallTable(rows.pairs, crowd, now, prior)
            return _health(rows, table, key.version), table.counts

        health, counts = await asyncio.to_thread(compute)
        health = msgspec.structs.replace(health, models=[self._cards(it) for it in _named(health, flags)])
        courses = None
        if counts.table.any():
            from parley.features.standings.voter_effects import EvidenceCourses

            taste = await self._taste(counts)
            courses = await asyncio.to_thread(EvidenceCourses, counts, taste, rows.flagged)
        return _Report(key, health, rows.totals, courses)

    async def _line(
        self, report: _Report, totals: VoterTotals, flag: FlaggedVoter | None, until: float
    ) -> VoterLine:
        """Return a voter's line; its evidence is computed until a time, later ones without it."""
        course = self._known_course(report, totals.voter_id)
        if course is None and time.monotonic() < until:
            course = await self._find_course(report, totals.voter_id)
        points = course.points if course else []
        return VoterLine(
            **msgspec.structs.asdict(totals),
            read_ms_p50=course.read_ms_p50 if course else None,
            evidence=points[-1].evidence if points else None,
            course=points,
            pending=course is None,
            flag=flag,
        )

    def _known_course(self, report: _Report, voter: str) -> _Course | None:
        known = self._courses.get(voter)
        if known is None or known.key == report.key:
            return known
        rests = known.key.flags == report.key.flags and time.monotonic() < known.until
        return known if rests else None

    async def _find_course(self, report: _Report, voter: str) -> _Course:
        began = time.monotonic()
        latest, cells = await self._database.read(lambda transaction: _votes(transaction, voter))
        points = await asyncio.to_thread(_points, report.courses, voter, latest, cells)
        times = sorted(row[5] for row in latest if row[5] is not None)
        ended = time.monotonic()
        slow = ended - began > SLOW_COURSE_S
        until = ended + (REST * VOTERS * (ended - began) if slow else 0.0)
        voter_course = _Course(report.key, until, points, times[len(times) // 2] if times else None)
        self._courses.pop(voter, None)
        while len(self._courses) >= COURSES:
            del self._courses[next(iter(self._courses))]
        self._courses[voter] = voter_course
        return voter_course


class _HealthRows(NamedTuple):
    """The rows that one transaction read."""

    pairs: Sequence[Any]
    spread: Concentration
    kinds: VoteKinds
    times: Sequence[int]
    totals: Sequence[VoterTotals]
    tried: "Mapping[str, Cells]"
    judged: "Sequence[tuple[str, bool, Cells]]"
    """Flagged and excluded voters with their votes, strongest evidence first, and whether they are excluded."""
    flagged: "Mapping[str, CountedVotes]"


def _order(sort_by: VoterSort, flags: Mapping[str, FlaggedVoter]) -> Callable[[VoterTotals], Any]:
    """Return the key of an order. Only flagged voters have a stored evidence; the others follow by their votes."""
    if sort_by != "evidence":
        return _KEYS[sort_by]
    stored = {voter: flag.e_value for voter, flag in flags.items()}
    return lambda it: (stored.get(it.voter_id, 0.0), it.votes + it.excluded)


def _read(transaction: Transaction, flags: Sequence[FlaggedVoter], top: Sequence[str]) -> _HealthRows:
    VoteRepository(transaction).hold_still()
    voters = VoterRepository(transaction)
    excluded = {it.voter_id: it.excluded_at is not None for it in flags[:EFFECTS]}
    judged = [
        (voter, out, cells)
        for out in (True, False)
        for voter, cells in voters.cells([it for it in excluded if excluded[it] is out], excluded=out).items()
    ]
    places = {voter: place for place, voter in enumerate(excluded)}
    spread = voters.concentration()
    number_tried = TRIED if len(top) <= FEW_MODELS else TRIED_OF_MANY
    chosen: Sequence[str] = ()
    if spread.voters > 1:
        chosen = voters.busiest_on(top[:TOP_MODELS], number_tried)
    return _HealthRows(
        pairs=voters.pairs(),
        spread=spread,
        kinds=voters.kinds(),
        times=sorted(voters.reading_times(TIMED)),
        totals=voters.totals(LISTED, [it.voter_id for it in flags]),
        tried=voters.cells(chosen, excluded=False),
        judged=sorted(judged, key=lambda it: places[it[0]]),
        flagged=flagged_cells(transaction),
    )


def _health(rows: _HealthRows, table: "OverallTable", version: int) -> VoteHealth:
    votes, spread = rows.kinds.counted, rows.spread
    unknown = votes - spread.votes
    squares = spread.squares + unknown
    sides = table.counts.table.sum(axis=(0, 1)).tolist()
    return VoteHealth(
        version=version,
        votes=votes,
        voters=spread.voters,
        unknown=unknown,
        effective_voters=round(votes * votes / squares, 1) if squares else 0.0,
        top_share=round(max(spread.most, min(unknown, 1)) / votes, 4) if votes else 0.0,
        duplicates=rows.kinds.repeating,
        left_wins=sides[0],
        right_wins=sides[1],
        position=None,
        speed=_speed(rows),
        top=table.stability(rows.tried),
        exclusions=[table.effect(voter, cells, excluded=out) for voter, out, cells in rows.judged],
        models=[],
    )


def _speed(rows: _HealthRows) -> VoteSpeed:
    times, kinds = rows.times, rows.kinds

    def at(share: float) -> int | None:
        return times[min(int(share * len(times)), len(times) - 1)] if times else None

    return VoteSpeed(
        timed=kinds.timed, fast=kinds.fast, fast_ms=FAST_MS, p10=at(0.1), p50=at(0.5), p90=at(0.9)
    )


def _named(health: VoteHealth, flags: Sequence[FlaggedVoter]) -> Iterable[str]:
    """Return the models that an answer names, each once."""
    named = [move.model for it in health.exclusions for move in it.moves]
    named += [flag.model_id for flag in flags if flag.model_id]
    if (top := health.top) is not None:
        named += [top.top, top.second, *(it.first for it in top.voters)]
    return dict.fromkeys(named)


def _votes(transaction: Transaction, voter: str) -> "tuple[Sequence[Any], Cells]":
    voters = VoterRepository(transaction)
    return voters.latest(voter, LATEST_VOTES), voters.cells([voter], excluded=False).get(voter, [])


def _points(
    courses: "EvidenceCourses | None", voter: str, latest: Sequence[Any], cells: "Cells"
) -> list[EvidencePoint]:
    """Return a voter's evidence over time; it is of votes whose prompt is known."""
    from parley.features.standings.voter_effects import TimedVote

    evident = [
        TimedVote(left, right, OUTCOMES[choice], prompt, at)
        for left, right, choice, prompt, at, *_ in latest
        if prompt is not None
    ]
    return courses.course(voter, evident, cells) if courses and evident else []
