"""The queries of a vote, all in one transaction: what it is cast on, the rules it is held against, and its row."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import BindParameter, Select, bindparam, insert, or_, select, update

from parley.kernel.errors import NotFound
from parley.storage.audit_log import Head, append_exclusion, append_vote, lock_head
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.tables.conversations import Match, Reply, Seat, Session, Turn, User
from parley.storage.tables.declared import Table, core
from parley.storage.tables.judgements import REPLACED, Elo, Vote
from parley.workspace.arena.views import MatchShown, SeatShown
from parley.workspace.voting.hygiene import Earlier


class VotedMatch(MatchShown, frozen=True):
    """A match as far as a vote looks at it, and the pseudonym under which its owner's votes are kept."""

    propensity: float | None
    voter_id: str


class VotedTurn(msgspec.Struct, frozen=True):
    """A turn of such a match."""

    id: str
    index: int
    input: dict[str, Any]
    status: str


class VotedReply(msgspec.Struct, frozen=True):
    """What a seat said in such a turn."""

    turn_id: str
    seat: str
    status: str
    text: str
    metrics: dict[str, Any] | None


class StandingVote(msgspec.Struct, frozen=True):
    """A vote that stands on such a match; `result` is what its voter was answered."""

    id: str
    turn_id: str | None
    result: dict[str, Any]


def _columns(table: type[Table], kind: type[msgspec.Struct]) -> list[Any]:
    return [core(table).c[name] for name in kind.__struct_fields__ if name in core(table).c]


_THIS: BindParameter[str] = bindparam("this")

# Made once: a statement remembers how it is compiled.
_UNLOCKED_MATCH = (
    select(*_columns(Match, VotedMatch), core(User).c.voter_id)
    .join(core(Session), core(Session).c.id == core(Match).c.session_id)
    .join(core(User), core(User).c.id == core(Match).c.owner_id)
    .where(
        core(Match).c.id == _THIS,
        core(Match).c.owner_id == bindparam("owner_id"),
        core(Session).c.deleted_at.is_(None),
    )
)
_MATCH = _UNLOCKED_MATCH.with_for_update(of=core(Match))
_SEATS = select(*_columns(Seat, SeatShown)).where(core(Seat).c.match_id == _THIS).order_by(core(Seat).c.index)
_TURNS = select(*_columns(Turn, VotedTurn)).where(core(Turn).c.match_id == _THIS).order_by(core(Turn).c.index)
_REPLIES = (
    select(*_columns(Reply, VotedReply))
    .join(core(Turn), core(Turn).c.id == core(Reply).c.turn_id)
    .where(core(Turn).c.match_id == _THIS, core(Reply).c.parent_reply_id.is_(None))
    .order_by(core(Turn).c.index)
)
_STANDING = (
    select(*(core(Vote).c[name] for name in ("id", "turn_id", "result")))
    .where(core(Vote).c.match_id == _THIS, core(Vote).c.excluded_reason.is_distinct_from(REPLACED))
    .order_by(core(Vote).c.seq)
)
_COUNTED_BY_PROMPT = (
    select(core(Vote).c.voter_id, core(Vote).c.left_model_id, core(Vote).c.right_model_id)
    .where(core(Vote).c.prompt_sha256 == bindparam("sha256"), core(Vote).c.counted.is_(True))
    .limit(bindparam("at_most"))
)
_LOCKED_ELO = (
    select(core(Elo).c.model_id, core(Elo).c.rating)
    .where(or_(core(Elo).c.model_id == bindparam("left"), core(Elo).c.model_id == bindparam("right")))
    .order_by(core(Elo).c.model_id)
    .with_for_update()
)
_INSERT = insert(core(Vote))
_REPLACE = update(core(Vote)).where(core(Vote).c.id == _THIS).values(excluded_reason=REPLACED)
_MARK_VOTED = update(core(Match)).where(core(Match).c.id == _THIS).values(status="voted")
_RATE = (
    update(core(Elo))
    .where(core(Elo).c.model_id == _THIS)
    .values(rating=bindparam("to_rating"), votes=core(Elo).c.votes + 1, updated_at=bindparam("now"))
)


class BallotRepository:
    """Queries on one open transaction, as plain values: a vote holds SQLite's only writer."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    def prepare(self) -> None:
        """Let what only reads be compiled, which takes as long as many votes; it looks for what is not there."""
        for look in (self.seats, self.turns, self.replies, self.standing):
            look("")
        self.counted_by_prompt("", 1)

    def match(self, owner_id: str, match_id: str) -> VotedMatch:
        """Lock and return a match of the owner in a session that is not deleted. Raises NotFound."""
        return self._match(_MATCH, owner_id, match_id)

    def peek(self, owner_id: str, match_id: str) -> VotedMatch:
        """Return such a match without locking it. Raises NotFound."""
        return self._match(_UNLOCKED_MATCH, owner_id, match_id)

    def seats(self, match_id: str) -> Sequence[SeatShown]:
        """Return the seats of a match, in their order."""
        return self._db.rows(_SEATS, {"this": match_id}, SeatShown)

    def turns(self, match_id: str) -> Sequence[VotedTurn]:
        """Return the turns of a match, oldest first."""
        return self._db.rows(_TURNS, {"this": match_id}, VotedTurn)

    def replies(self, match_id: str) -> Sequence[VotedReply]:
        """Return the replies of a match by their turns, oldest first; inner replies of ensembles are left out."""
        return self._db.rows(_REPLIES, {"this": match_id}, VotedReply)

    def standing(self, match_id: str) -> Sequence[StandingVote]:
        """Return the votes on a match that stand, oldest first."""
        return self._db.rows(_STANDING, {"this": match_id}, StandingVote)

    def counted_by_prompt(self, prompt_sha256: str, at_most: int) -> Sequence[Earlier]:
        """Return counted votes by a question, at most so many."""
        values = {"sha256": prompt_sha256, "at_most": at_most}
        return self._db.rows(_COUNTED_BY_PROMPT, values, _earlier)

    def lock_audit(self) -> Head:
        """Lock the end of the audit log; before the Elo rows, so that two votes cannot wait for each other."""
        return lock_head(self._db)

    def insert_vote(self, head: Head, vote: Vote) -> None:
        """Insert a vote and its entry in the audit log, whose end is locked."""
        values = {name: value for name, value in vars(vote).items() if name != "_sa_instance_state"}
        self._db.run(_INSERT, [values])
        append_vote(self._db, head, vote)

    def replace(self, head: Head, vote_id: str, now: datetime) -> Head:
        """Let a vote stand no more, since its voter has changed their mind; returns the new end of the audit log."""
        self._db.run(_REPLACE, [{"this": vote_id}])
        return append_exclusion(self._db, head, vote_id, REPLACED, now)

    def mark_voted(self, match_id: str) -> None:
        """End a match by its vote."""
        self._db.run(_MARK_VOTED, [{"this": match_id}])

    def lock_elo(self, left: str, right: str, initial: float, now: datetime) -> dict[str, float]:
        """Lock the Elo of two models, in id order so that two votes cannot wait for each other.

        A model that has none gets its first one.
        """
        found = self._locked_elo(left, right)
        if missing := [model_id for model_id in sorted((left, right)) if model_id not in found]:
            fresh = [
                {"model_id": model_id, "rating": initial, "votes": 0, "updated_at": now}
                for model_id in missing
            ]
            self._db.run(insert_or_ignore(self._db, Elo), fresh)
            found = self._locked_elo(left, right)
        return found

    def rate(self, ratings: Mapping[str, float], now: datetime) -> None:
        """Store new ratings; each counts one vote more."""
        rows = [{"this": model_id, "to_rating": rating, "now": now} for model_id, rating in ratings.items()]
        self._db.run(_RATE, rows)

    def _match(self, query: Select[*tuple[Any, ...]], owner_id: str, match_id: str) -> VotedMatch:
        found = self._db.rows(query, {"this": match_id, "owner_id": owner_id}, VotedMatch)
        if not found:
            raise NotFound("There is no such match.", "Its session may have been deleted.")
        return found[0]

    def _locked_elo(self, left: str, right: str) -> dict[str, float]:
        return dict(self._db.rows(_LOCKED_ELO, {"left": left, "right": right}, _values))


def _values(*values: Any) -> tuple[Any, ...]:
    return values


def _earlier(voter_id: str, *models: str | None) -> Earlier:
    return Earlier(voter_id, frozenset(models))
