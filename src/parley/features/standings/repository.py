"""Queries of the standings' tables: counts, lines, history, flags, worker status."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from sqlalchemy import and_, case, delete, func, insert, or_, select, update

from parley.features.standings.counts_delta import USE, CountsDelta, DeltaRows
from parley.features.standings.health_schemas import FlaggedVoter
from parley.features.standings.prior_schemas import PriorContent, PriorSource
from parley.features.standings.schemas import Method
from parley.features.standings.snapshot import Snapshot, StoredLine, Table, Times
from parley.features.standings.tables import (
    LatencyCountRow,
    ModelStatsRow,
    ModelUseRow,
    PairCountRow,
    RatingPointRow,
    StoredPriorRow,
    UncountedCountRow,
    VoterFlagRow,
    WorkerStatusRow,
)
from parley.ratings.lines import Line
from parley.storage.audit_log import append_prior, lock_head
from parley.storage.bulk import bulk_merge
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.tables.rows import select_rows
from parley.text.categories.ids import OVERALL

if TYPE_CHECKING:
    from parley.ratings.integrity import Flag

WORKER = "standings"
REPLAY = "replay"
"""The worker's second row: whether Elo and vote times must be replayed."""

PAST = "past"
"""A row of its own: up to which imported vote the history's past is made."""

LineKey: TypeAlias = tuple[str, Method, str]
"""Category, method and model."""

_OUTCOMES = ("win", "loss", "tie", "both_bad")
_LINE = tuple(name for name in Line.__struct_fields__ if name not in ("model", "group"))
_STATS = (*_LINE, "comparison_group", "ttft_p50_ms", "first_vote_at", "last_vote_at")
_POINT = ("rating", "ci_lower", "ci_upper", "rank_ub", "votes")
_FLAG = ("e_value", "pattern", "model_id", "votes", "prompts", "examined_at")
_KEY = ("category", "method", "model_id")
_STATUS = WorkerStatusRow.c
_VERSION = select(_STATUS.version, _STATUS.status).where(_STATUS.worker_name == WORKER)


class VersionChanged(Exception):
    """Another process changed votes or counts meanwhile: nothing was stored, so start over."""


class StandingsRepository:
    """Queries on one open transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    # ── status ───────────────────────────────────────────────────────────────────────────────────

    def open(self) -> None:
        """Insert those of the worker's rows that are missing."""
        fresh = {"version": 0, "last_run_at": None, "duration_ms": None, "votes_processed": 0}
        rest: dict[str, Any] = {"last_vote_seq": 0, "error": None, "status": "never"}
        rows = [{"worker_name": name, **fresh, **rest} for name in (WORKER, REPLAY, PAST)]
        self._db.run(insert_or_ignore(self._db, WorkerStatusRow), rows)

    def version(self) -> int:
        """Return the version of the standings; 0 where the worker never ran."""
        return int(self._db.execute(_VERSION).scalar() or 0)

    def lock(self) -> int:
        """Lock the standings until the transaction ends, before any vote; returns their version."""
        version = self._db.execute(_VERSION.with_for_update()).scalar()
        if version is None:
            self.open()
            version = self._db.execute(_VERSION.with_for_update()).scalar()
        return int(version or 0)

    def lock_at(self, version: int) -> None:
        """Lock the standings at a version. Raises VersionChanged where they have another."""
        if self.lock() != version:
            raise VersionChanged

    def status(self, name: str = WORKER) -> WorkerStatusRow | None:
        """Return the worker's status; None where it never ran."""
        return self._db.find(WorkerStatusRow, WorkerStatusRow.c.worker_name == name)

    def backfilled_to(self) -> int:
        """Return up to which imported vote the history's past is made; 0 where it never was."""
        row = self.status(PAST)
        return row.last_vote_seq if row else 0

    def set_backfilled_to(self, seq: int) -> None:
        """Store up to which imported vote the history's past is made."""
        self.open()
        self.set_status(PAST, last_vote_seq=seq)

    def set_status(self, name: str = WORKER, **values: Any) -> None:
        """Store some of the worker's status."""
        self._db.execute(update(WorkerStatusRow.table).where(_STATUS.worker_name == name).values(**values))

    def record_batch(self, votes: int, last_seq: int) -> None:
        """Record that a batch was counted up to a vote, which makes a new version."""
        newest = case((_STATUS.last_vote_seq < last_seq, last_seq), else_=_STATUS.last_vote_seq)
        self.set_status(
            version=_STATUS.version + 1,
            votes_processed=_STATUS.votes_processed + votes,
            last_vote_seq=newest,
        )

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def snapshot(self) -> Snapshot:
        """Return everything except the counts of pairs."""
        row, replay = self.status(), self.status(REPLAY)
        stale = row is not None and row.status not in ("idle", "never")
        snapshot = Snapshot(
            version=row.version if row else 0,
            stale=stale,
            # Elo and times are stored with the lines: where these are behind, only the votes know them.
            replay_due=stale or (replay is not None and replay.status == "due"),
            as_of=row.last_run_at if row else None,
            last_seq=row.last_vote_seq if row else 0,
        )
        snapshot.stored, snapshot.times = self._stored()
        for key, stored in snapshot.stored.items():
            snapshot.tables[key] = Table(tuple(it.line for it in stored.values()))
        snapshot.elos = {
            category: {line.model: line.rating for line in table.lines}
            for (category, method), table in snapshot.tables.items()
            if method == "elo"
        }
        snapshot.add(self._totals())
        snapshot.prior = self.prior(OVERALL)
        return snapshot

    def pairs(self) -> Sequence[Any]:
        """Return every count: category, left, right, counted, and the four outcomes."""
        return self._all(PairCountRow)

    def counts(self) -> CountsDelta:
        """Return all stored counts."""
        stored = self._totals()
        for category, left, right, counted, *cell in self.pairs():
            stored.pairs.setdefault((category, counted), {})[left, right] = cell
        return stored

    def _totals(self) -> CountsDelta:
        """Return all stored counts except those of pairs."""
        stored = CountsDelta()
        stored.uncounted = {(row[0], row[1]): row[2] for row in self._all(UncountedCountRow)}
        stored.latency = {(row[0], row[1]): row[2] for row in self._all(LatencyCountRow)}
        stored.use = {row[0]: list(row[1:]) for row in self._all(ModelUseRow)}
        return stored

    def _stored(self) -> tuple[dict[tuple[str, Method], Mapping[str, StoredLine]], dict[str, Times]]:
        lines: dict[tuple[str, Method], dict[str, StoredLine]] = {}
        times: dict[str, Times] = {}
        columns = ModelStatsRow.c
        for row in self._db.execute(
            select(ModelStatsRow.table).order_by(columns.provisional, columns.rating.desc(), columns.model_id)
        ):
            values = {name: getattr(row, name) for name in _LINE}
            line = Line(model=row.model_id, group=row.comparison_group, **values)
            stored = StoredLine(line, row.first_vote_at, row.last_vote_at)
            lines.setdefault((row.category, row.method), {})[line.model] = stored
            if row.method == "bradley-terry":
                times.setdefault(row.category, {})[line.model] = (stored.first, stored.last)
        return dict(lines), times

    def _all(self, kind: Any) -> Sequence[Any]:
        return self._db.execute(select(kind.table)).all()

    # ── writing ──────────────────────────────────────────────────────────────────────────────────

    def add(self, rows: DeltaRows) -> None:
        """Add to the counts; the standings are locked."""
        bulk_merge(self._db, PairCountRow, rows.pairs, added=_OUTCOMES)
        bulk_merge(self._db, UncountedCountRow, rows.uncounted, added=("votes",))
        bulk_merge(self._db, LatencyCountRow, rows.latency, added=("replies",))
        bulk_merge(self._db, ModelUseRow, rows.use, added=USE)

    def put_lines(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Store lines, with values in the order of the columns of `model_stats`."""
        bulk_merge(self._db, ModelStatsRow, rows, replaced=_STATS)

    def drop_lines(self, keys: Iterable[LineKey]) -> None:
        """Delete the lines of models without votes."""
        columns = ModelStatsRow.c
        for category, method, model in keys:
            self._db.execute(
                delete(ModelStatsRow.table).where(
                    columns.category == category,
                    columns.method == method,
                    columns.model_id == model,
                )
            )

    def put_points(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Store points of the history, replacing those of the same hour."""
        bulk_merge(self._db, RatingPointRow, rows, replaced=_POINT)

    # ── public prior ─────────────────────────────────────────────────────────────────────────────

    def prior(self, category: str) -> PriorSource | None:
        """Return the published results that a category's table starts from."""
        row = self._db.find(StoredPriorRow, StoredPriorRow.c.category == category)
        if row is None:
            return None
        content = msgspec.convert(row.content, PriorContent, strict=False)
        return PriorSource(
            source=row.source, weight=row.weight, content=content, sha256=row.sha256, set_at=row.set_at
        )

    def put_prior(self, category: str, prior: PriorSource | None, by: str, now: datetime) -> None:
        """Store a category's prior, or none, with its entry in the audit log; the standings are locked."""
        table = StoredPriorRow.table
        self._db.execute(delete(table).where(table.c.category == category))
        stated: dict[str, object] = {}
        if prior is not None:
            stated = {"category": category, "source": prior.source, "weight": prior.weight}
            stated["sha256"] = prior.sha256
            row = {"category": category, "source": prior.source, "weight": prior.weight}
            row |= {"sha256": prior.sha256, "set_at": prior.set_at, "set_by": by}
            self._db.execute(insert(table).values(**row, content=msgspec.to_builtins(prior.content)))
        append_prior(self._db, lock_head(self._db), stated, now)

    # ── flagged voters ───────────────────────────────────────────────────────────────────────────

    def put_flags(self, examined: Sequence[str], flags: "Mapping[str, Flag]", now: datetime) -> None:
        """Replace the flags of examined voters; those of excluded ones stay."""
        known = VoterFlagRow.c
        unflagged = [voter for voter in examined if voter not in flags]
        open_flags = (known.voter_id.in_(unflagged), known.excluded_at.is_(None))
        self._db.execute(delete(VoterFlagRow.table).where(*open_flags))
        excluded = known.voter_id.in_(flags), known.excluded_at.is_not(None)
        stay = set(self._db.execute(select(known.voter_id).where(*excluded)).scalars())
        rows = [
            (voter, it.e_value, it.pattern, it.model, it.votes, now, it.prompts, now, None, None)
            for voter, it in flags.items()
            if voter not in stay
        ]
        bulk_merge(self._db, VoterFlagRow, rows, replaced=_FLAG)

    def flags(self) -> list[FlaggedVoter]:
        """Return the flagged and the excluded voters, strongest evidence first."""
        query = select(VoterFlagRow.table).order_by(VoterFlagRow.c.e_value.desc(), VoterFlagRow.c.voter_id)
        return [FlaggedVoter(**row) for row in self._db.execute(query).mappings()]

    def flag(self, voter_id: str) -> FlaggedVoter | None:
        """Return a voter's flag."""
        query = select(VoterFlagRow.table).where(VoterFlagRow.c.voter_id == voter_id)
        row = self._db.execute(query).mappings().first()
        return None if row is None else FlaggedVoter(**row)

    def mark_excluded(self, voter_id: str, at: datetime | None, by: str | None) -> None:
        """Store when a flagged voter was excluded and by whom; None for one who is not."""
        where = VoterFlagRow.c.voter_id == voter_id
        self._db.execute(update(VoterFlagRow.table).where(where).values(excluded_at=at, excluded_by=by))

    # ── history ──────────────────────────────────────────────────────────────────────────────────

    def points(
        self, category: str, method: Method, models: Sequence[str], since: datetime | None
    ) -> Sequence[RatingPointRow]:
        """Return the points of models since a time and each model's last one before, oldest first."""
        point = RatingPointRow.c
        wanted = (point.category == category, point.method == method, point.model_id.in_(models))
        query = select_rows(RatingPointRow).where(*wanted)
        if since is not None:
            before = select(point.model_id, func.max(point.at)).where(*wanted, point.at < since)
            held = self._db.execute(before.group_by(point.model_id)).all()
            began = (and_(point.model_id == model, point.at == at) for model, at in held)
            query = query.where(or_(point.at >= since, *began))
        return self._db.select(RatingPointRow, query.order_by(point.at))

    def delete_points_before(self, categories: Sequence[str], before: datetime) -> None:
        """Delete the points of the main tables of categories before a time."""
        columns = RatingPointRow.c
        main = (columns.method == "bradley-terry", columns.category.in_(categories), columns.at < before)
        self._db.execute(delete(RatingPointRow.table).where(*main))

    def hours_before(self, moment: datetime) -> Sequence[datetime]:
        """Return the hours before a time that have points."""
        return self._db.scalars(select(RatingPointRow.c.at).where(RatingPointRow.c.at < moment).distinct())

    def thin(self, begin: datetime, end: datetime) -> None:
        """Keep only each model's last point between two times."""
        points, later = RatingPointRow.table, RatingPointRow.table.alias()
        same = (later.c[name] == points.c[name] for name in _KEY)
        last = select(func.max(later.c.at)).where(*same, later.c.at >= begin, later.c.at < end)
        within = (points.c.at >= begin, points.c.at < end, points.c.at < last.scalar_subquery())
        self._db.execute(delete(points).where(*within))
