"""Queries of voters: what each of them cast, and the votes that go with one of them."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import and_, case, func, or_, select

from parley.features.standings.tables import PairCountRow
from parley.storage.audit_log import (
    EXCLUSION,
    INCLUSION,
    NewEntry,
    append_entries,
    canonical,
    exclusion_content,
    inclusion_content,
    lock_head,
    time_text,
)
from parley.storage.bulk import stored_time
from parley.storage.chosen_model import sided_choice
from parley.storage.database import Transaction
from parley.storage.tables.rows import select_rows
from parley.storage.tables.votes import EXCLUDED_VOTER, VoteRow
from parley.storage.voter_blocks import of_voters
from parley.text.categories.ids import OVERALL

FAST_MS = 2_000
"""A vote within this time of the complete answers is called fast: few people have read both by then."""

_VOTE = VoteRow.c


class VoterTotals(msgspec.Struct, frozen=True):
    """The votes of a voter; `VoterLine` has those that are counted."""

    voter_id: str
    votes: int
    excluded: int
    prompts: int
    duplicates: int
    timed: int
    fast: int
    first_vote_at: datetime
    last_vote_at: datetime


class Concentration(msgspec.Struct, frozen=True):
    """Counted votes by known voters: how many voters, their votes, the sum of squares, and the most of one voter."""

    voters: int
    votes: int
    squares: int
    most: int


class VoteKinds(msgspec.Struct, frozen=True):
    """Numbers of votes: counted, repeating a prompt (not counted), counted and timed, and fast among these."""

    counted: int
    repeating: int
    timed: int
    fast: int


class VoterRepository:
    """Queries on one open transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    def evidence_of(self, voter_id: str, latest: int) -> tuple[Sequence[Any], Sequence[Any]]:
        """Return a voter's latest counted votes on known prompts, and all counted ones grouped.

        As columns: left, right, choice, prompt; and left, right, choice, votes.
        """
        columns = (_VOTE.left_model_id, _VOTE.right_model_id, sided_choice())
        chosen = (of_voters(voter_id), _counts(), *_cast())
        newest = select(*columns, _VOTE.prompt_sha256).where(*chosen, _VOTE.prompt_sha256.is_not(None))
        newest = newest.order_by(_VOTE.seq.desc()).limit(latest)
        grouped = select(*columns, func.count()).where(*chosen).group_by(*columns)
        return self._db.execute(newest).all(), self._db.execute(grouped).all()

    def busiest(self, limit: int) -> Sequence[str]:
        """Return the voters with the most counted votes."""
        # Where a file names no judge, the voter has the vote's own id.
        query = select(_VOTE.voter_id).where(_counts(), *_cast(), _VOTE.voter_id != _VOTE.id)
        query = query.group_by(_VOTE.voter_id).order_by(func.count().desc(), _VOTE.voter_id)
        return self._db.execute(query.limit(limit)).scalars().all()

    # ── votes of excluded voters ─────────────────────────────────────────────────────────────────

    def rated_of(self, voter_id: str, excluded: str | None) -> Sequence[VoteRow]:
        """Return a voter's rated votes with this reason of exclusion, oldest first."""
        query = select_rows(VoteRow).where(
            of_voters(voter_id), VoteRow.c.rated, VoteRow.c.excluded_reason.is_not_distinct_from(excluded)
        )
        query = query.where(VoteRow.c.processing_status.in_(("pending", "processed")))
        return self._db.select(VoteRow, query.order_by(VoteRow.c.seq))

    def log_exclusions(self, votes: Sequence[str], reason: str | None, now: datetime) -> None:
        """Add an entry per vote to the audit log: excluded for a reason, or included again without one."""
        entries = [_changed(vote_id, reason, now, self._db.dialect) for vote_id in votes]
        append_entries(self._db, lock_head(self._db), entries)

    def totals(self, limit: int, also: Sequence[str]) -> Sequence[VoterTotals]:
        """Return the voters with the most votes, and some others."""
        most = _totals().order_by(_number(_theirs()).desc(), _VOTE.voter_id).limit(limit)
        by_voter = {row.voter_id: VoterTotals(*row) for row in self._db.execute(most)}
        if missing := [voter for voter in also if voter not in by_voter]:
            rows = self._db.execute(_totals().where(of_voters(*missing)))
            by_voter |= {row.voter_id: VoterTotals(*row) for row in rows}
        return list(by_voter.values())

    def concentration(self) -> Concentration:
        """Return how the counted votes are spread over known voters."""
        query = select(func.count().label("votes")).where(_counts(), *_cast(), _VOTE.voter_id != _VOTE.id)
        each = query.group_by(_VOTE.voter_id).subquery().c.votes
        row = self._db.execute(
            select(func.count(), func.sum(each), func.sum(each * each), func.max(each))
        ).one()
        return Concentration(*(int(value or 0) for value in row))

    def kinds(self) -> VoteKinds:
        """Return the numbers of votes."""
        timed = and_(_counts(), _VOTE.read_ms.is_not(None))
        row = self._db.execute(
            select(
                *(_number(_counts()), _number(_repeats())),
                *(_number(timed), _number(and_(timed, _VOTE.read_ms < FAST_MS))),
            ).where(*_cast())
        ).one()
        return VoteKinds(*(int(value or 0) for value in row))

    def reading_times(self, latest: int) -> Sequence[int]:
        """Return how long the complete answers were visible before the latest timed votes, in milliseconds."""
        query = select(_VOTE.read_ms).where(_counts(), *_cast(), _VOTE.read_ms.is_not(None))
        return self._db.execute(query.order_by(_VOTE.seq.desc()).limit(latest)).scalars().all()

    def cells(self, voters: Sequence[str], *, excluded: bool) -> dict[str, list[tuple[str, str, str, int]]]:
        """Return the counted or the excluded votes of some voters, as left, right, choice and number."""
        choice = sided_choice()
        key = (_VOTE.voter_id, _VOTE.left_model_id, _VOTE.right_model_id, choice)
        query = select(*key, func.count()).where(
            of_voters(*voters), _excluded() if excluded else _counts(), *_cast()
        )
        by_voter: dict[str, list[tuple[str, str, str, int]]] = {}
        for voter, left, right, side, votes in self._db.execute(query.group_by(*key)):
            by_voter.setdefault(voter, []).append((left, right, side, votes))
        return by_voter

    def busiest_on(self, models: Sequence[str], limit: int) -> Sequence[str]:
        """Return the voters with the most counted votes on some models."""
        touching = or_(_VOTE.left_model_id.in_(models), _VOTE.right_model_id.in_(models))
        query = select(_VOTE.voter_id).where(_counts(), *_cast(), touching, _VOTE.voter_id != _VOTE.id)
        query = query.group_by(_VOTE.voter_id).order_by(func.count().desc(), _VOTE.voter_id)
        return self._db.execute(query.limit(limit)).scalars().all()

    def latest(self, voter: str, limit: int) -> Sequence[Any]:
        """Return a voter's latest votes, counted or excluded with the voter, oldest first.

        As columns: left, right, choice, prompt, time, milliseconds of reading, and whether it counts.
        """
        columns = (_VOTE.left_model_id, _VOTE.right_model_id, sided_choice(), _VOTE.prompt_sha256)
        more = (_VOTE.created_at, _VOTE.read_ms, _VOTE.excluded_reason.is_(None))
        query = select(*columns, *more).where(of_voters(voter), _theirs(), *_cast())
        return self._db.execute(query.order_by(_VOTE.seq.desc()).limit(limit)).all()[::-1]

    def pairs(self) -> Sequence[Any]:
        """Return the counts of counted votes in `overall`: category, left, right, counted, and the four outcomes."""
        count = PairCountRow.table
        return self._db.execute(select(count).where(count.c.category == OVERALL, count.c.counted)).all()


@cache
def _totals() -> Any:
    timed = and_(_theirs(), _VOTE.read_ms.is_not(None))
    prompt = case((_theirs(), _VOTE.prompt_sha256))
    return (
        select(
            _VOTE.voter_id,
            *(_number(_counts()), _number(_excluded())),
            *(func.count(prompt.distinct()), _number(_repeats())),
            *(_number(timed), _number(and_(timed, _VOTE.read_ms < FAST_MS))),
            *(func.min(_VOTE.created_at), func.max(_VOTE.created_at)),
        )
        .where(*_cast(), _VOTE.voter_id != _VOTE.id)
        .group_by(_VOTE.voter_id)
    )


def _number(condition: Any) -> Any:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


@cache
def _cast() -> tuple[Any, ...]:
    """Return the conditions of a rated vote between two models that the worker has seen."""
    different = _VOTE.left_model_id != _VOTE.right_model_id
    return _VOTE.rated, _VOTE.processing_status == "processed", different


@cache
def _counts() -> Any:
    return and_(_VOTE.counted, _VOTE.excluded_reason.is_(None))


@cache
def _excluded() -> Any:
    return and_(_VOTE.counted, _VOTE.excluded_reason == EXCLUDED_VOTER)


@cache
def _theirs() -> Any:
    """Return the condition of a vote that counts, or would if its voter were not excluded."""
    return and_(_VOTE.counted, _VOTE.excluded_reason.is_(None) | (_VOTE.excluded_reason == EXCLUDED_VOTER))


@cache
def _repeats() -> Any:
    return and_(~_VOTE.counted, _VOTE.not_counted_reason == "duplicate_prompt")


def _changed(vote_id: str, reason: str | None, now: datetime, dialect: str) -> NewEntry:
    kind = EXCLUSION if reason else INCLUSION
    content = exclusion_content(vote_id, reason, now) if reason else inclusion_content(vote_id, now)
    stored = stored_time(time_text(now), sqlite=dialect == "sqlite")
    return NewEntry(kind, vote_id, canonical(content), stored)
