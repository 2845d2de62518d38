"""The queries of a vote, in one transaction: its match, the rules for it, and its row."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, bindparam, delete, func, or_, select, update

from parley.features.arena.views import vote_view
from parley.features.voting.hygiene import Earlier
from parley.kernel.errors import NotFound
from parley.kernel.views import VoteView
from parley.storage.audit_log import Head, append_exclusion, append_vote, lock_head
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.tables.bookkeeping import ReceiptRow
from parley.storage.tables.compact_types import is_id
from parley.storage.tables.conversations import (
    MatchRow,
    ReplyRow,
    SeatRow,
    SessionRow,
    TurnRow,
    UserRow,
)
from parley.storage.tables.rows import select_rows
from parley.storage.tables.votes import REPLACED, WITHDRAWN, EloRow, VoteRow

_THIS: BindParameter[str] = bindparam("this")

# Made once: a statement remembers how it is compiled.
_UNLOCKED_MATCH = (
    select_rows(MatchRow)
    .add_columns(UserRow.c.voter_id)
    .join(SessionRow.table, SessionRow.c.id == MatchRow.c.session_id)
    .join(UserRow.table, UserRow.c.id == bindparam("author_id"))
    .where(
        MatchRow.c.id == _THIS,
        MatchRow.c.owner_id == bindparam("owner_id"),
        SessionRow.c.deleted_at.is_(None),
    )
)
_MATCH = _UNLOCKED_MATCH.with_for_update(of=MatchRow.table)
_SEATS = select_rows(SeatRow).where(SeatRow.c.match_id == _THIS).order_by(SeatRow.c.index)
_TURNS = select_rows(TurnRow).where(TurnRow.c.match_id == _THIS).order_by(TurnRow.c.index)
_REPLIES = (
    select_rows(ReplyRow)
    .join(TurnRow.table, TurnRow.c.id == ReplyRow.c.turn_id)
    .where(TurnRow.c.match_id == _THIS, ReplyRow.c.parent_reply_id.is_(None))
    .order_by(TurnRow.c.index)
)
_STANDING = (
    select(VoteRow.c.result, VoteRow.c.excluded_reason)
    .where(VoteRow.c.match_id == _THIS, VoteRow.c.excluded_reason.is_distinct_from(REPLACED))
    .order_by(VoteRow.c.seq)
)
_COUNTED_BY_PROMPT = (
    select(VoteRow.c.voter_id, VoteRow.c.left_model_id, VoteRow.c.right_model_id)
    .where(VoteRow.c.prompt_sha256 == bindparam("sha256"), VoteRow.c.counted.is_(True))
    .limit(bindparam("at_most"))
)
_LOCKED_ELO = (
    select(EloRow.c.model_id, EloRow.c.rating)
    .where(or_(EloRow.c.model_id == bindparam("left"), EloRow.c.model_id == bindparam("right")))
    .order_by(EloRow.c.model_id)
    .with_for_update()
)
_REPLACE = update(VoteRow.table).where(VoteRow.c.id == _THIS).values(excluded_reason=REPLACED)
_MARK_VOTED = update(MatchRow.table).where(MatchRow.c.id == _THIS).values(status="voted")
_RATE = (
    update(EloRow.table)
    .where(EloRow.c.model_id == _THIS)
    .values(rating=bindparam("to_rating"), votes=EloRow.c.votes + 1, updated_at=bindparam("now"))
)
_MOVE_BACK = (
    update(EloRow.table)
    .where(EloRow.c.model_id == _THIS)
    .values(rating=EloRow.c.rating - bindparam("gain"), votes=EloRow.c.votes - 1)
)


class Voter(NamedTuple):
    """Who votes: `owner_id` has the match, themselves or the workspace that they act in."""

    owner_id: str
    author_id: str
    is_guest: bool


_REASONED = VoteRow.c.reason.is_not(None)


class VotingRepository:
    """Queries on one open transaction, as plain values: a vote holds SQLite's only writer."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    def prepare(self) -> None:
        """Compile what only reads, by looking for what is not there.

        Compiling takes as long as many votes.
        """
        for look in (self.seats, self.turns, self.replies, self.standing):
            look("")
        self.counted_by_prompt("", 1)

    def match(self, voter: Voter, match_id: str, *, lock: bool = True) -> tuple[MatchRow, str]:
        """Return a match that a person may vote on, and their pseudonym. Raises NotFound."""
        query = _MATCH if lock else _UNLOCKED_MATCH
        this = {"this": match_id, "owner_id": voter.owner_id, "author_id": voter.author_id}
        rows = self._db.rows(query, this, _match)
        if not rows:
            raise NotFound("This match doesn't exist.", "Its session may have been deleted.")
        return rows[0]

    def seats(self, match_id: str) -> Sequence[SeatRow]:
        """Return the seats of a match, in their order."""
        return self._db.rows(_SEATS, {"this": match_id}, SeatRow)

    def turns(self, match_id: str) -> Sequence[TurnRow]:
        """Return the turns of a match, oldest first."""
        return self._db.rows(_TURNS, {"this": match_id}, TurnRow)

    def replies(self, match_id: str) -> Sequence[ReplyRow]:
        """Return the replies of a match, oldest turn first, without inner replies of ensembles."""
        return self._db.rows(_REPLIES, {"this": match_id}, ReplyRow)

    def standing(self, match_id: str) -> Sequence[VoteView]:
        """Return the votes on a match that stand, as their voter was answered, oldest first."""
        return self._db.rows(_STANDING, {"this": match_id}, vote_view)

    def counted_by_prompt(self, prompt_sha256: str, at_most: int) -> Sequence[Earlier]:
        """Return counted votes by a question, at most so many."""
        values = {"sha256": prompt_sha256, "at_most": at_most}
        return self._db.rows(_COUNTED_BY_PROMPT, values, _earlier)

    def lock_audit(self) -> Head:
        """Lock and return the end of the audit log.

        It is locked before the rows of Elo, so that two votes cannot wait for each other.
        """
        return lock_head(self._db)

    def insert_vote(self, head: Head, vote: VoteRow) -> None:
        """Insert a vote and its entry in the audit log, whose end is locked."""
        self._db.insert(vote)
        append_vote(self._db, head, vote)

    def replace(self, head: Head, vote_id: str, now: datetime) -> Head:
        """Replace a vote whose voter has changed their mind; return the audit log's new end."""
        self._db.run(_REPLACE, [{"this": vote_id}])
        return append_exclusion(self._db, head, vote_id, REPLACED, now)

    def vote(self, owner_id: str, vote_id: str, *, lock: bool = False) -> VoteRow:
        """Return a vote of the owner that was cast here. Raises NotFound."""
        query = select_rows(VoteRow).where(
            VoteRow.c.id == vote_id, VoteRow.c.owner_id == owner_id, VoteRow.c.origin == "here"
        )
        if lock:
            query = query.with_for_update()
        rows = self._db.select(VoteRow, query) if is_id(vote_id) else []
        if not rows:
            raise NotFound("This vote doesn't exist.")
        return rows[0]

    def withdraw(self, head: Head, vote: VoteRow, now: datetime) -> Head:
        """Exclude a vote that its voter takes back; return the audit log's new end."""
        vote.excluded_reason = WITHDRAWN
        self._db.update(vote, columns=("excluded_reason",))
        return append_exclusion(self._db, head, vote.id, WITHDRAWN, now)

    def mark_voted(self, match_id: str) -> None:
        """End a match by its vote."""
        self._db.run(_MARK_VOTED, [{"this": match_id}])

    def lock_elo(self, left: str, right: str, initial: float, now: datetime) -> dict[str, float]:
        """Lock the Elo of two models, in id order so that two votes cannot wait for each other.

        A model that has none gets its first one.
        """
        elos = self._locked_elo(left, right)
        if missing := [model_id for model_id in sorted((left, right)) if model_id not in elos]:
            fresh = [
                {"model_id": model_id, "rating": initial, "votes": 0, "updated_at": now}
                for model_id in missing
            ]
            self._db.run(insert_or_ignore(self._db, EloRow), fresh)
            elos = self._locked_elo(left, right)
        return elos

    def rate(self, ratings: Mapping[str, float], now: datetime) -> None:
        """Store new ratings; each counts one vote more."""
        rows = [{"this": model_id, "to_rating": rating, "now": now} for model_id, rating in ratings.items()]
        self._db.run(_RATE, rows)

    def move_back(self, gains: Mapping[str, float]) -> None:
        """Take from each rating what a vote has added; each counts one vote less."""
        self._locked_elo(*gains)
        self._db.run(_MOVE_BACK, [{"this": model_id, "gain": gain} for model_id, gain in gains.items()])

    def count_reasons(self, before: datetime | None) -> int:
        """Return how many votes have a reason and were cast before a time, or at all."""
        query = select(func.count()).select_from(VoteRow.table).where(_REASONED)
        return self._db.scalar(query if before is None else query.where(VoteRow.c.created_at < before)) or 0

    def forget_reasons(self, before: datetime, at_once: int) -> int:
        """Remove the reasons of some votes that were cast before a time; return of how many. The votes stay."""
        old = select(VoteRow.c.seq, VoteRow.c.id, VoteRow.c.result).where(
            _REASONED, VoteRow.c.created_at < before
        )
        rows = self._db.execute(old.limit(at_once)).all()
        for row in rows:
            without = {"reason": None, "result": {**row.result, "reason": None}}
            self._db.execute(update(VoteRow.table).where(VoteRow.c.seq == row.seq).values(without))
            # The receipt of a vote under an idempotency key repeats its reason.
            of_vote = ReceiptRow.c.result["vote_id"].as_string() == row.id
            self._db.execute(delete(ReceiptRow.table).where(of_vote))
        return len(rows)

    def _locked_elo(self, left: str, right: str) -> dict[str, float]:
        return dict(self._db.rows(_LOCKED_ELO, {"left": left, "right": right}, _values))


def _values(*values: Any) -> tuple[Any, ...]:
    return values


def _match(*values: Any) -> tuple[MatchRow, str]:
    *match, voter_id = values
    return MatchRow(*match), voter_id


def _earlier(voter_id: str, *models: str | None) -> Earlier:
    return Earlier(voter_id, frozenset(models))
