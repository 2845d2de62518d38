"""Queries of what the standings keep: counts, tables, history, and how the worker fares."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import Text, and_, bindparam, case, delete, func, null, or_, select, type_coerce, update

from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.merging import bulk_merge
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
    WorkerStatus,
)
from parley.workspace.standings.countable import OUTCOMES, Waiting
from parley.workspace.standings.delta import Delta, Sums
from parley.workspace.standings.memory import USE, Line, Memory, Stored, Table, Times
from parley.workspace.standings.schemas import Method

WORKER = "standings"
REPLAY = "replay"
"""The worker's second row: whether what depends on the order of votes must be made anew."""

_CAST = ("pending", "processed")
_OUTCOMES = ("win", "loss", "tie", "both_bad")
_LINE = tuple(name for name in Line.__struct_fields__ if name not in ("model", "group"))
_STATS = (*_LINE, "comparison_group", "ttft_p50_ms", "first_vote_at", "last_vote_at")
_POINT = ("rating", "ci_lower", "ci_upper", "rank_ub", "votes")
_KEY = ("category", "method", "model_id")
_STATUS = core(WorkerStatus).c
_VERSION = select(_STATUS.version, _STATUS.status).where(_STATUS.worker_name == WORKER)


class Key(msgspec.Struct, frozen=True):
    """A line that goes: its category, method and model."""

    category: str
    method: Method
    model: str


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

    def cast_by(self, voter_id: str) -> Sequence[Vote]:
        """Return the votes of a voter that the counts know, in their order."""
        query = select(Vote).where(
            Vote.voter_id == voter_id, Vote.kind == "blind", Vote.processing_status == "processed"
        )
        return self._db.scalars(query.order_by(Vote.seq)).all()

    def evidence_of(self, voter_id: str, flagged: str, first: int) -> tuple[Sequence[Any], Sequence[Any]]:
        """Return the first votes of a voter that count, or did until they were flagged, and how many there are of each.

        As columns: left, right, choice; and left, right, choice, whether flagged, votes.
        """
        votes = core(Vote).c
        columns = (votes.left_model_id, votes.right_model_id, votes.choice)
        taken_out = votes.excluded_reason.is_not(None)
        chosen = (
            votes.voter_id == voter_id,
            votes.kind == "blind",
            votes.processing_status == "processed",
            votes.counted,
            votes.choice.in_(tuple(OUTCOMES)),
            votes.left_model_id != votes.right_model_id,
            or_(votes.excluded_reason.is_(None), votes.excluded_reason == flagged),
        )
        oldest = select(*columns).where(*chosen).order_by(votes.seq).limit(first)
        grouped = select(*columns, taken_out, func.count()).where(*chosen).group_by(*columns, taken_out)
        return self._db.execute(oldest).all(), self._db.execute(grouped).all()

    def is_awaiting_votes(self) -> bool:
        """Tell whether there are battles that nobody has voted on."""
        matches = core(Match).c
        query = select(matches.id).where(matches.blind.is_(True), matches.status == "open")
        return self._db.execute(query.limit(1)).first() is not None

    def number_cast(self) -> int:
        """Return how many votes there are."""
        return int(self._db.execute(select(func.count()).select_from(core(Vote))).scalar() or 0)

    def recent(self, model: str, other: str | None, limit: int) -> Sequence[Vote]:
        """Return the latest blind votes that a model was in, against one other or any."""
        found: list[Vote] = []
        for mine, theirs in (
            (Vote.left_model_id, Vote.right_model_id),
            (Vote.right_model_id, Vote.left_model_id),
        ):
            # Votes of an import that is not finished are not there yet.
            query = select(Vote).where(mine == model, Vote.kind == "blind", Vote.processing_status.in_(_CAST))
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
def _judged() -> tuple[Any, ...]:
    votes = core(Vote).c
    names = ("seq", "kind", "choice", "left_model_id", "right_model_id", "counted", "not_counted_reason")
    more = ("excluded_reason", "processing_status", "created_at")
    # As text: few lists of categories are different ones, and each is decoded once.
    return (
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
    """Return what the voter was answered; of imported votes, which were not, nothing is read."""
    votes = core(Vote).c
    return type_coerce(case((votes.origin == "import", null()), else_=votes.result), Json).label("result")
