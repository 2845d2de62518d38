"""Queries of what the standings keep: counts, tables, history, and how the worker fares."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import Text, and_, bindparam, case, delete, func, not_, null, or_, select, type_coerce, update

from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.merging import bulk_merge
from parley.storage.seated import sided_choice
from parley.storage.tables.conversations import Match
from parley.storage.tables.declared import Json, core
from parley.storage.tables.judgements import Vote
from parley.storage.tables.standings import (
    LatencyCount,
    ModelStats,
    ModelUse,
    PairCount,
    RatingPoint,
    UncountedCount,
    VoterFlag,
    WorkerStatus,
)
from parley.workspace.standings.countable import Waiting
from parley.workspace.standings.delta import Delta, Sums
from parley.workspace.standings.memory import USE, Line, Memory, Stored, Table, Times
from parley.workspace.standings.schemas import FlaggedVoter, Method

WORKER = "standings"
REPLAY = "replay"
"""The worker's second row: whether what depends on the order of votes must be made anew."""

_CAST = ("pending", "processed")
_OUTCOMES = ("win", "loss", "tie", "both_bad")
_LINE = tuple(name for name in Line.__struct_fields__ if name not in ("model", "group"))
_STATS = (*_LINE, "comparison_group", "ttft_p50_ms", "first_vote_at", "last_vote_at")
_POINT = ("rating", "ci_lower", "ci_upper", "rank_ub", "votes")
_FLAG = ("e_value", "after", "pattern", "model_id", "votes", "flagged_at")
_KEY = ("category", "method", "model_id")
_STATUS = core(WorkerStatus).c
_VERSION = select(_STATUS.version, _STATUS.status).where(_STATUS.worker_name == WORKER)


class Key(msgspec.Struct, frozen=True):
    """A line that goes: its category, method and model."""

    category: str
    method: Method
    model: str


class Chosen(msgspec.Struct, frozen=True):
    """So many votes by one choice between the same seats, each with its model."""

    choice: str
    seats: Mapping[str, str]
    votes: int


class StandingsRepository:
    """Queries on one open transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    # ── how the worker fares ─────────────────────────────────────────────────────────────────────

    def open(self) -> None:
        """Make the worker's rows where there are none."""
        fresh = {"version": 0, "last_run_at": None, "duration_ms": None, "votes_processed": 0}
        rest: dict[str, Any] = {"last_vote_seq": 0, "error": None, "status": "never"}
        rows = [{"worker_name": name, **fresh, **rest} for name in (WORKER, REPLAY)]
        self._db.run(insert_or_ignore(self._db, WorkerStatus), rows)

    def version(self) -> int:
        """Return the version of the standings; 0 where the worker never ran."""
        return int(self._db.execute(_VERSION).scalar() or 0)

    def lock(self) -> int:
        """Lock the standings until the transaction ends, and return their version. Before any vote is locked."""
        found = self._db.execute(_VERSION.with_for_update()).scalar()
        if found is None:
            self.open()
            found = self._db.execute(_VERSION.with_for_update()).scalar()
        return int(found or 0)

    def status(self, name: str = WORKER) -> WorkerStatus | None:
        """Return how the worker fares; None where it never ran."""
        return self._db.get(WorkerStatus, name)

    def set_status(self, name: str = WORKER, **values: Any) -> None:
        """Note how the worker fares."""
        self._db.execute(update(core(WorkerStatus)).where(_STATUS.worker_name == name).values(**values))

    def count_run(self, votes: int, last_seq: int) -> None:
        """Note that so many votes more were counted, up to this one: the standings have a new version."""
        newest = case((_STATUS.last_vote_seq < last_seq, last_seq), else_=_STATUS.last_vote_seq)
        self.set_status(
            version=_STATUS.version + 1,
            votes_processed=_STATUS.votes_processed + votes,
            last_vote_seq=newest,
        )

    def pending(self, at_most: int) -> int:
        """Return how many votes wait to be counted; beyond so many, how many came after the last one counted."""
        votes = core(Vote).c
        waiting = select(votes.seq).where(votes.processing_status == "pending").limit(at_most).subquery()
        number = int(self._db.execute(select(func.count()).select_from(waiting)).scalar() or 0)
        if number < at_most:
            return number
        last = select(func.max(votes.seq)).where(votes.processing_status == "pending")
        newest = int(self._db.execute(last).scalar() or 0)
        row = self.status()
        return max(number, newest - (row.last_vote_seq if row else 0))

    # ── what is kept ─────────────────────────────────────────────────────────────────────────────

    def memory(self) -> Memory:
        """Return everything but the counts of pairs."""
        row, replay = self.status(), self.status(REPLAY)
        stale = row is not None and row.status not in ("idle", "never")
        memory = Memory(
            version=row.version if row else 0,
            stale=stale,
            # Elo and times are stored with the lines: where these are behind, only the votes know them.
            replay_due=stale or (replay is not None and replay.status == "due"),
            as_of=row.last_run_at if row else None,
            last_seq=row.last_vote_seq if row else 0,
        )
        memory.stored, memory.times = self._stored()
        for key, stored in memory.stored.items():
            memory.tables[key] = Table(tuple(it.line for it in stored.values()))
        memory.elos = {
            category: {line.model: line.rating for line in table.lines}
            for (category, method), table in memory.tables.items()
            if method == "elo"
        }
        for model, bucket, replies in self._all(LatencyCount):
            memory.latency.setdefault(model, {})[bucket] = replies
        for category, reason, votes in self._all(UncountedCount):
            memory.uncounted.setdefault(category, {})[reason] = votes
        memory.use = {model: tuple(numbers) for model, *numbers in self._all(ModelUse)}
        return memory

    def pairs(self) -> Sequence[Any]:
        """Return every count: category, left, right, counted, and the four outcomes."""
        return self._all(PairCount)

    def counted(self) -> Delta:
        """Return all counts that are stored."""
        stored = Delta()
        for category, left, right, counted, *cell in self.pairs():
            stored.pairs.setdefault((category, counted), {})[left, right] = cell
        stored.uncounted = {(row[0], row[1]): row[2] for row in self._all(UncountedCount)}
        stored.latency = {(row[0], row[1]): row[2] for row in self._all(LatencyCount)}
        stored.use = {row[0]: list(row[1:]) for row in self._all(ModelUse)}
        return stored

    def _stored(self) -> tuple[dict[tuple[str, Method], Mapping[str, Stored]], dict[str, Times]]:
        found: dict[tuple[str, Method], dict[str, Stored]] = {}
        times: dict[str, Times] = {}
        columns = core(ModelStats).c
        for row in self._db.execute(
            select(core(ModelStats)).order_by(columns.rating.desc(), columns.model_id)
        ):
            values = {name: getattr(row, name) for name in _LINE}
            line = Line(model=row.model_id, group=row.comparison_group, **values)
            stored = Stored(line, row.first_vote_at, row.last_vote_at)
            found.setdefault((row.category, row.method), {})[line.model] = stored
            if row.method == "bradley-terry":
                times.setdefault(row.category, {})[line.model] = (stored.first, stored.last)
        return dict(found), times

    def _all(self, table: Any) -> Sequence[Any]:
        return self._db.execute(select(core(table))).all()

    # ── what changes ─────────────────────────────────────────────────────────────────────────────

    def add(self, sums: Sums) -> None:
        """Add to the counts; the standings are locked."""
        bulk_merge(self._db, PairCount, sums.pairs, added=_OUTCOMES)
        bulk_merge(self._db, UncountedCount, sums.uncounted, added=("votes",))
        bulk_merge(self._db, LatencyCount, sums.latency, added=("replies",))
        bulk_merge(self._db, ModelUse, sums.use, added=USE)

    def put_lines(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Store lines, values in the order of the columns of `model_stats`."""
        bulk_merge(self._db, ModelStats, rows, replaced=_STATS)

    def drop_lines(self, keys: Iterable[Key]) -> None:
        """Remove lines of models that have no votes left."""
        columns = core(ModelStats).c
        for key in keys:
            self._db.execute(
                delete(core(ModelStats)).where(
                    columns.category == key.category,
                    columns.method == key.method,
                    columns.model_id == key.model,
                )
            )

    def put_points(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Store points of the history, values in the order of its columns; the last one of an hour stands."""
        bulk_merge(self._db, RatingPoint, rows, replaced=_POINT)

    # ── votes ────────────────────────────────────────────────────────────────────────────────────

    def claim(self, limit: int) -> Sequence[Waiting]:
        """Return the oldest votes that wait."""
        return self._db.rows(_claim(), {"limit": limit}, Waiting)

    def processed_after(self, seq: int, up_to: int, limit: int, *, result: bool = False) -> Sequence[Any]:
        """Return votes that the counts know, in their order, as columns, to be read part by part."""
        votes = core(Vote).c
        more = (_answer(),) if result else ()
        query = select(*_judged(), votes.style, *more).where(
            votes.seq > seq, votes.seq <= up_to, votes.processing_status == "processed"
        )
        return self._db.execute(query.order_by(votes.seq).limit(limit)).all()

    def mark_processed(self, seqs: Sequence[int]) -> int:
        """Mark votes between the first and the last as counted; returns how many it were."""
        votes = core(Vote).c
        query = update(core(Vote)).where(
            votes.seq >= seqs[0], votes.seq <= seqs[-1], votes.processing_status == "pending"
        )
        done = self._db.execute(query.values(processing_status="processed"))
        return int(getattr(done, "rowcount", 0))

    def evidence_of(self, voter_id: str, first: int) -> tuple[Sequence[Any], Sequence[Any]]:
        """Return the first votes of a voter that count, and how many there are of each.

        As columns: left, right, choice; and left, right, choice, votes.
        """
        votes = core(Vote).c
        columns = (votes.left_model_id, votes.right_model_id, sided_choice())
        chosen = (
            votes.voter_id == voter_id,
            votes.rated,
            votes.processing_status == "processed",
            votes.counted,
            votes.left_model_id != votes.right_model_id,
            votes.excluded_reason.is_(None),
        )
        oldest = select(*columns).where(*chosen).order_by(votes.seq).limit(first)
        grouped = select(*columns, func.count()).where(*chosen).group_by(*columns)
        return self._db.execute(oldest).all(), self._db.execute(grouped).all()

    def put_flags(self, examined: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
        """Store what was found of voters who were examined, values in the order of the columns of `voter_flags`."""
        flags = core(VoterFlag).c
        self._db.execute(delete(core(VoterFlag)).where(flags.voter_id.in_(examined)))
        bulk_merge(self._db, VoterFlag, rows, replaced=_FLAG)

    def flags(self) -> Sequence[FlaggedVoter]:
        """Return the voters who are flagged, the strongest evidence first."""
        found = select(core(VoterFlag)).order_by(VoterFlag.e_value.desc(), VoterFlag.voter_id)
        return [FlaggedVoter(**row) for row in self._db.execute(found).mappings()]

    def is_awaiting_votes(self) -> bool:
        """Tell whether there are battles that nobody has voted on."""
        matches = core(Match).c
        query = select(matches.id).where(matches.blind.is_(True), matches.status == "open")
        return self._db.execute(query.limit(1)).first() is not None

    def preferred(self) -> tuple[int, int]:
        """Return how many preferences there are, and the number of the last one: both change with every new one."""
        votes = core(Vote).c
        query = select(func.count(), func.coalesce(func.max(votes.seq), 0)).where(*_preferred())
        number, last = self._db.execute(query).one()
        return number, last

    def preferences(self) -> Sequence[Chosen]:
        """Return all preferences, those that say the same together."""
        votes = core(Vote).c
        query = select(votes.choice, votes.seats, func.count()).where(*_preferred())
        return [Chosen(*row) for row in self._db.execute(query.group_by(votes.choice, votes.seats))]

    def number_cast(self) -> int:
        """Return how many votes there are."""
        return int(self._db.execute(select(func.count()).select_from(core(Vote))).scalar() or 0)

    def recent(self, model: str, other: str | None, limit: int) -> Sequence[Vote]:
        """Return the latest rated votes that a model was in, against one other or any."""
        found: list[Vote] = []
        for mine, theirs in (
            (Vote.left_model_id, Vote.right_model_id),
            (Vote.right_model_id, Vote.left_model_id),
        ):
            # Votes of an import that is not finished are not there yet.
            query = select(Vote).where(mine == model, Vote.rated, Vote.processing_status.in_(_CAST))
            if other is not None:
                query = query.where(theirs == other)
            found += self._db.scalars(query.order_by(Vote.seq.desc()).limit(limit))
        return sorted(found, key=lambda vote: -vote.seq)[:limit]

    # ── history ──────────────────────────────────────────────────────────────────────────────────

    def points(
        self, category: str, method: Method, models: Sequence[str], since: datetime | None
    ) -> Sequence[RatingPoint]:
        """Return points of models, oldest first: those since a time, and of each model the last one before."""
        point = RatingPoint
        asked = (point.category == category, point.method == method, point.model_id.in_(models))
        query = select(point).where(*asked)
        if since is not None:
            before = select(point.model_id, func.max(point.at)).where(*asked, point.at < since)
            held = self._db.execute(before.group_by(point.model_id)).all()
            began = (and_(point.model_id == model, point.at == at) for model, at in held)
            query = query.where(or_(point.at >= since, *began))
        return self._db.scalars(query.order_by(point.at)).all()

    def hours_before(self, moment: datetime) -> Sequence[datetime]:
        """Return the hours before a time that have points."""
        return self._db.scalars(select(RatingPoint.at).where(RatingPoint.at < moment).distinct()).all()

    def thin(self, begin: datetime, end: datetime) -> None:
        """Keep only the last point of each model between two times."""
        points, later = core(RatingPoint), core(RatingPoint).alias()
        same = (later.c[name] == points.c[name] for name in _KEY)
        last = select(func.max(later.c.at)).where(*same, later.c.at >= begin, later.c.at < end)
        within = (points.c.at >= begin, points.c.at < end, points.c.at < last.scalar_subquery())
        self._db.execute(delete(points).where(*within))


@cache
def _preferred() -> tuple[Any, ...]:
    """Return what makes a vote a preference that stands."""
    votes = core(Vote).c
    stands = (votes.excluded_reason.is_(None), votes.counted, votes.processing_status.in_(_CAST))
    return (not_(votes.rated), *stands)


@cache
def _judged() -> tuple[Any, ...]:
    votes = core(Vote).c
    names = ("left_model_id", "right_model_id", "counted", "not_counted_reason")
    more = ("excluded_reason", "processing_status", "created_at")
    # As text: few lists of categories are different ones, and each is decoded once.
    return (
        *(votes.seq, votes.rated, sided_choice().label("choice")),
        *(votes[name] for name in (*names, *more)),
        type_coerce(votes.categories, Text).label("categories"),
    )


@cache
def _claim() -> Any:
    votes = core(Vote).c
    # Where a file names no judge, the voter has the vote's own id: nobody who could vote again.
    voter = case((votes.voter_id != votes.id, votes.voter_id)).label("voter_id")
    query = select(*_judged(), voter, _answer()).where(votes.processing_status == "pending")
    return query.order_by(votes.seq).limit(bindparam("limit"))


@cache
def _answer() -> Any:
    """Return what the voter was answered; of imported votes, which were not, and of unrated ones nothing is read."""
    votes = core(Vote).c
    return type_coerce(
        case((or_(votes.origin == "import", not_(votes.rated)), null()), else_=votes.result), Json
    ).label("result")
