"""Queries of votes: those pending, those counted, and all of them for verification."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Integer,
    Text,
    and_,
    bindparam,
    case,
    cast,
    func,
    not_,
    null,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.exc import DBAPIError

from parley.features.standings.accumulators import RevealedRating, VoteBatch
from parley.features.standings.rated_votes import PendingVote
from parley.features.standings.repository import VersionChanged
from parley.features.standings.tables import ModelStatsRow, PairCountRow
from parley.storage.audit_log import (
    EXCLUSION,
    VOTE,
    lock_head,
)
from parley.storage.audit_state import restore_beside
from parley.storage.bulk import STORED_TIME
from parley.storage.chosen_model import sided_choice
from parley.storage.database import Transaction
from parley.storage.dialects import hold_still, insert_or_replace
from parley.storage.tables.audit import AuditEntryRow
from parley.storage.tables.compact_types import digits_of, pending
from parley.storage.tables.conversations import MatchRow
from parley.storage.tables.rows import Json, select_rows
from parley.storage.tables.votes import WITHDRAWN, EloRow, VoteRow, seats_of

PAGE = 2_000
"""Votes per page where all are read."""

RECENT_AMONG = 500_000
"""Votes among which the latest ones of a model are looked for if they are from files, which have no index by model."""

UNREADABLE = (ValueError, TypeError, LookupError, msgspec.MsgspecError, DBAPIError)
"""The errors of reading a stored value that was tampered with."""

_CAST = ("pending", "processed")
_VOTE = VoteRow.c
_READ = ("seq", "id", "rated", "left_model_id", "right_model_id", "counted", "not_counted_reason")
_MORE = ("excluded_reason", "categories", "processing_status", "created_at", "origin", "style")
_WHO = ("voter_id", "propensity")
_VOTES = (
    select(*(_VOTE[name] for name in (*_READ, *_MORE, *_WHO)), sided_choice().label("choice"))
    .order_by(_VOTE.seq)
    .limit(PAGE)
)


class Choices(msgspec.Struct, frozen=True):
    """The number of votes for one choice between the same seats, each with its model."""

    choice: str
    seats: Mapping[str, str]
    votes: int


class VoteRepository:
    """Queries on one open transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    # ── pending votes ────────────────────────────────────────────────────────────────────────────

    def number_pending(self, exact_to: int, last_seq: int) -> int:
        """Return the number of pending votes; above `exact_to` an estimate from `last_seq`."""
        pending = _is_pending()
        first = select(_VOTE.seq).where(pending).limit(exact_to).subquery()
        number = int(self._db.execute(select(func.count()).select_from(first)).scalar() or 0)
        if number < exact_to:
            return number
        newest = int(self._db.execute(select(func.max(_VOTE.seq)).where(pending)).scalar() or 0)
        return max(number, newest - last_seq)

    def pending(self, limit: int) -> Sequence[PendingVote]:
        """Return the oldest pending votes."""
        return self._db.rows(_pending(), {"limit": limit}, PendingVote)

    def pending_columns(self, after: int, limit: int) -> Sequence[Sequence[Any]]:
        """Return pending votes after one, oldest first, as `CodedVotes` takes them; none as no columns."""
        values = {"after": after, "limit": limit}
        if self._db.dialect != "sqlite":
            return list(zip(*self._db.execute(_pending_columns(), values).all(), strict=True))
        # Its driver makes rows value by value, at twice the time, and keeps other threads from running.
        number, *arrays = self._db.execute(_pending_arrays(), values).one()
        return [msgspec.json.decode(column) for column in arrays] if number else []

    def mark_processed(self, batch: VoteBatch) -> None:
        """Mark a batch as counted. Raises VersionChanged where not exactly these votes are pending."""
        if not batch.number:
            return
        query = (
            update(VoteRow.table)
            .where(_VOTE.seq >= batch.first_seq, _VOTE.seq <= batch.last_seq, _is_pending())
            # Otherwise SQLite keeps the old state of every row, to be able to undo this one statement.
            .prefix_with("OR FAIL", dialect="sqlite")
        )
        done = self._db.execute(query.values(processing_status="processed"))
        if getattr(done, "rowcount", 0) != batch.number:
            raise VersionChanged

    def is_awaiting_votes(self) -> bool:
        """Return whether there are battles without a vote."""
        matches = MatchRow.c
        query = select(matches.id).where(matches.blind.is_(True), matches.status == "open")
        return self._db.execute(query.limit(1)).first() is not None

    # ── counted votes ────────────────────────────────────────────────────────────────────────────

    def processed_after(self, seq: int, up_to: int, limit: int, *, result: bool = False) -> Sequence[Any]:
        """Return a page of counted votes in order, as columns."""
        more = (_response(),) if result else ()
        query = select(*_judged(), _VOTE.voter_id, _VOTE.style, _VOTE.origin, _VOTE.propensity, *more).where(
            _VOTE.seq > seq, _VOTE.seq <= up_to, _VOTE.processing_status == "processed"
        )
        return self._db.execute(query.order_by(_VOTE.seq).limit(limit)).all()

    def of_owner(self, owner_id: str) -> Sequence[Any]:
        """Return the rated votes in the sessions of a person or workspace in order, as columns; pending ones too."""
        query = select(*_judged(), _VOTE.voter_id, _VOTE.style, _VOTE.propensity).where(
            # In the words of an index that leaves out votes from files.
            *(_VOTE.match_id.is_not(None), _VOTE.owner_id == owner_id),
            *(_VOTE.rated, _VOTE.processing_status.in_(_CAST)),
        )
        return self._db.execute(query.order_by(_VOTE.seq)).all()

    # ── shown ────────────────────────────────────────────────────────────────────────────────────

    def preferred(self) -> tuple[int, int]:
        """Return the number of preferences and the last one's `seq`; a new preference changes both."""
        query = select(func.count(), func.coalesce(func.max(_VOTE.seq), 0)).where(*_preferred())
        number, last = self._db.execute(query).one()
        return number, last

    def preferences(self) -> Sequence[Choices]:
        """Return all preferences, equal ones together."""
        between = (_VOTE.seats, _VOTE.left_model_id, _VOTE.right_model_id)
        query = select(_VOTE.choice, func.count(), *between).where(*_preferred())
        rows = self._db.execute(query.group_by(_VOTE.choice, *between))
        return [Choices(choice, seats_of(*seats), votes) for choice, votes, *seats in rows]

    def number_cast(self) -> int:
        """Return the number of all votes."""
        return int(self._db.execute(select(func.count()).select_from(VoteRow.table)).scalar() or 0)

    def recent(self, model: str, other: str | None, limit: int) -> Sequence[VoteRow]:
        """Return a model's latest rated votes, against one other model or any.

        Those from files are looked for among the last `RECENT_AMONG` votes.
        """
        # Votes of an unfinished import do not exist yet.
        rated = (VoteRow.c.rated, VoteRow.c.processing_status.in_(_CAST))
        one, two = (
            (VoteRow.c.left_model_id, VoteRow.c.right_model_id),
            (VoteRow.c.right_model_id, VoteRow.c.left_model_id),
        )
        ours = [
            mine == model if other is None else and_(mine == model, theirs == other)
            for mine, theirs in (one, two)
        ]
        last = int(self._db.execute(select(func.max(_VOTE.seq))).scalar() or 0)
        from_files = (VoteRow.c.seq > last - RECENT_AMONG, VoteRow.c.match_id.is_(None), or_(*ours))
        votes: list[VoteRow] = []
        for chosen in (*((VoteRow.c.match_id.is_not(None), it) for it in ours), from_files):
            query = select_rows(VoteRow).where(*chosen, *rated)
            votes += self._db.select(VoteRow, query.order_by(VoteRow.c.seq.desc()).limit(limit))
        return sorted(votes, key=lambda vote: -vote.seq)[:limit]

    # ── verification ─────────────────────────────────────────────────────────────────────────────

    def hold_still(self) -> None:
        """Let all following queries see the database as it is now."""
        hold_still(self._db)

    def all_votes(self) -> Iterator[Sequence[Any]]:
        """Yield all votes as columns in order, page by page."""
        after = -1
        while page := self._db.execute(_VOTES.where(_VOTE.seq > after)).all():
            yield page
            after = page[-1].seq

    def all_processed(self) -> Iterator[Sequence[Any]]:
        """Yield all counted votes as columns in order, page by page, with the responses to their voters."""
        after = 0
        while page := self.processed_after(after, sys.maxsize, PAGE, result=True):
            yield page
            after = page[-1].seq

    def elos(self) -> dict[str, Any]:
        """Return the stored Elo of every model."""
        return {row.model_id: row for row in self._db.execute(select(EloRow.table)).all()}

    def withdrawn(self) -> dict[int, int]:
        """Return each withdrawn vote with the last vote that was cast before its withdrawal, by `seq`.

        The audit log has the order of both.
        """
        entry = AuditEntryRow.c
        cast_here = (
            select(_VOTE.seq)
            .join(AuditEntryRow.table, entry.vote_id == digits_of(_VOTE.id))
            .where(_VOTE.origin == "here", _VOTE.rated)
        )
        withdrawals = cast_here.add_columns(entry.seq.label("at")).where(
            entry.kind == EXCLUSION, entry.content.contains(f'"reason":"{WITHDRAWN}"')
        )
        last = cast_here.where(entry.kind == VOTE, entry.seq < bindparam("at"))
        last = last.order_by(entry.seq.desc()).limit(1)
        rows = self._db.execute(withdrawals).all()
        return {seq: self._db.execute(last, {"at": at}).scalar_one() for seq, at in rows}

    def odd_value(self) -> tuple[str, str] | None:
        """Return a table and column with a value that Parley never writes; None if nowhere.

        Such a value is a boolean other than 0 and 1, or a time in another format.
        """
        if self._db.dialect != "sqlite":
            return None
        for kind, column in ((PairCountRow, "counted"), (ModelStatsRow, "provisional")):
            number = type_coerce(kind.c[column], Integer)
            if self._db.execute(select(number).where(number.not_in((0, 1))).limit(1)).first():
                return kind.table.name, column
        for kind, column in (
            (EloRow, "updated_at"),
            (ModelStatsRow, "first_vote_at"),
            (ModelStatsRow, "last_vote_at"),
        ):
            time = type_coerce(kind.c[column], Text)
            if self._db.execute(select(time).where(not_(time.bool_op("GLOB")(STORED_TIME))).limit(1)).first():
                return kind.table.name, column
        return None

    def restore_beside(self) -> int:
        """Restore the columns of votes that differ from the audit log; returns for how many votes."""
        return restore_beside(self._db)

    def lock_votes(self) -> None:
        """Block new votes until the transaction ends."""
        lock_head(self._db)

    def put_elos(self, elos: Iterable[tuple[str, RevealedRating]]) -> None:
        """Store the Elo of models."""
        store = insert_or_replace(self._db, EloRow, "model_id", ("rating", "votes", "updated_at"))
        rows = [
            {"model_id": model, "rating": due.rating, "votes": due.votes, "updated_at": due.updated_at}
            for model, due in elos
        ]
        if rows:
            self._db.execute(store, rows)


@cache
def _is_pending() -> ColumnElement[bool]:
    """Return the condition of a vote that is not counted yet, in the words of the index of such votes."""
    return _VOTE.processing_status == pending()


@cache
def _preferred() -> tuple[Any, ...]:
    """Return the conditions of a preference that counts."""
    stands = (_VOTE.excluded_reason.is_(None), _VOTE.counted, _VOTE.processing_status.in_(_CAST))
    return (not_(_VOTE.rated), *stands)


@cache
def _judged() -> tuple[Any, ...]:
    names = ("left_model_id", "right_model_id", "counted", "not_counted_reason")
    more = ("excluded_reason", "processing_status", "created_at")
    # As text: few lists of categories differ, so each is decoded once.
    return (
        *(_VOTE.seq, _VOTE.rated, sided_choice().label("choice")),
        *(_VOTE[name] for name in (*names, *more)),
        type_coerce(_VOTE.categories, Text).label("categories"),
    )


def _known_voter() -> ColumnElement[str | None]:
    """Return the column of a voter who is to be examined; null where the vote is no evidence.

    That is one on an unknown prompt, as in files without conversations, or of somebody whom the file does not name.
    """
    return case((_is_evident(), _VOTE.voter_id)).label("voter_id")


def _is_evident() -> ColumnElement[bool]:
    return and_(_VOTE.voter_id != _VOTE.id, _VOTE.prompt_sha256.is_not(None))


@cache
def _pending() -> Any:
    query = select(*_judged(), _known_voter(), _response()).where(_is_pending())
    return query.order_by(_VOTE.seq).limit(bindparam("limit"))


@cache
def _pending_columns() -> Any:
    """Return the query of pending votes for a bulk batch; the left model is null of a vote that is in no table."""
    left, right = _VOTE.left_model_id, _VOTE.right_model_id
    why = func.coalesce(func.nullif(_VOTE.not_counted_reason, ""), "not_counted")
    reason = func.coalesce(func.nullif(_VOTE.excluded_reason, ""), case((not_(_VOTE.counted), why)))
    columns = (
        *(_VOTE.seq, sided_choice().label("choice")),
        case((and_(_VOTE.rated, left != right, left != "", right != ""), left)).label("left_model"),
        *(right, reason.label("reason"), type_coerce(_VOTE.created_at, Text).label("at")),
        cast(_VOTE.categories, Text).label("categories"),
        *(case((_is_evident(), digits_of(_VOTE.voter_id))).label("voter"), _response()),
    )
    chosen = (_is_pending(), _VOTE.seq > bindparam("after"))
    return select(*columns).where(*chosen).order_by(_VOTE.seq).limit(bindparam("limit"))


@cache
def _pending_arrays() -> Any:
    """Return the same query for SQLite: a row with the number of votes and each column as a JSON array."""
    columns = _pending_columns().subquery().c
    return select(func.count(), *(func.json_group_array(column) for column in columns))


@cache
def _response() -> Any:
    """Return the column of the response to a voter; null for imported and unrated votes."""
    return type_coerce(
        case((or_(_VOTE.origin == "import", not_(_VOTE.rated)), null()), else_=_VOTE.result), Json
    ).label("result")
