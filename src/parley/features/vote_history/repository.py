"""The queries of a person's votes; staged ones are left out."""

from collections.abc import Sequence
from itertools import islice
from typing import TypeAlias

from sqlalchemy import ColumnElement, and_, func, literal, not_, or_, select, true
from sqlalchemy.dialects.postgresql import JSONB

from parley.features.vote_history.schemas import VoteFilter
from parley.features.voting.hygiene import OPEN, UNRATED
from parley.kernel.errors import NotFound
from parley.storage.chosen_model import chosen_model
from parley.storage.database import Transaction
from parley.storage.tables.conversations import Match, Reply, Session, Turn, User
from parley.storage.tables.narrow import bytes_of, is_id
from parley.storage.tables.search import SearchText
from parley.storage.tables.votes import REPLACED, STAGED, WITHDRAWN, Vote
from parley.storage.voter_blocks import of_voter
from parley.text.folding import folded

Condition: TypeAlias = ColumnElement[bool]

_WHY_NOT = func.coalesce(Vote.excluded_reason, Vote.not_counted_reason)
_STANDS = func.coalesce(Vote.excluded_reason, "").not_in((WITHDRAWN, REPLACED))


class VotesRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def page(self, owner_id: str, wanted: VoteFilter, limit: int, before: int | None) -> Sequence[Vote]:
        """Return a person's votes, newest first; `wanted.search` is folded.

        Those taken back or replaced by a later one are left out, unless what does not count is asked for.
        """
        # The index is by pseudonym, so a person's votes are found fast among a million.
        voter = select(bytes_of(User.voter_id)).where(User.id == owner_id).scalar_subquery()
        asked = [of_voter(voter), Vote.owner_id == owner_id, Vote.processing_status != STAGED]
        asked += _conditions(wanted, self._db.get_bind().dialect.name)
        if wanted.counted is not False and wanted.reason is None:
            asked.append(_STANDS)
        if before is not None:
            asked.append(Vote.seq < before)
        if wanted.search:
            asked.append(
                or_(_found(wanted.search), Vote.seq.in_(self._by_reason(asked, wanted.search, limit)))
            )
        return self._db.scalars(select(Vote).where(*asked).order_by(Vote.seq.desc()).limit(limit)).all()

    def _by_reason(self, asked: Sequence[Condition], search: str, limit: int) -> Sequence[int]:
        """Return the newest votes whose reason contains a folded text; databases fold differently."""
        query = select(Vote.seq, Vote.reason).where(*asked, Vote.reason.is_not(None))
        rows = self._db.execute(query.order_by(Vote.seq.desc()))
        return list(islice((seq for seq, reason in rows if search in folded(reason or "")), limit))

    def newest(self, owner_id: str, limit: int) -> Sequence[Vote]:
        """Return a person's newest current votes: neither withdrawn nor replaced."""
        voter = select(bytes_of(User.voter_id)).where(User.id == owner_id).scalar_subquery()
        mine = (of_voter(voter), Vote.owner_id == owner_id, Vote.processing_status != STAGED)
        query = select(Vote).where(*mine, _STANDS).order_by(Vote.seq.desc()).limit(limit)
        return self._db.scalars(query).all()

    def vote(self, owner_id: str, vote_id: str) -> Vote:
        """Return a person's vote. Raises NotFound."""
        query = select(Vote).where(
            Vote.id == vote_id, Vote.owner_id == owner_id, Vote.processing_status != STAGED
        )
        row = self._db.scalar(query) if is_id(vote_id) else None
        if row is None:
            raise NotFound("This vote doesn't exist.")
        return row

    def beginnings(self, votes: Sequence[Vote]) -> dict[str, Turn]:
        """Return by vote the judged turn, or the first one of a match that is judged as a whole.

        Votes whose session is deleted have none.
        """
        query = (
            select(Turn, Match.ballot)
            .join(Match, Match.id == Turn.match_id)
            .join(Session, Session.id == Turn.session_id)
            .where(Turn.match_id.in_([vote.match_id for vote in votes]), Session.deleted_at.is_(None))
            .order_by(Turn.index.desc())
        )
        first: dict[str, Turn] = {}
        judged: dict[str, Turn] = {}
        for turn, ballot in self._db.execute(query):
            first[turn.match_id] = turn
            if ballot is not None and ballot["each_turn"]:
                judged[turn.id] = turn
        about = {vote.id: judged.get(vote.turn_id or "") or first.get(vote.match_id or "") for vote in votes}
        return {vote_id: turn for vote_id, turn in about.items() if turn is not None}

    def replies(self, turn_id: str) -> Sequence[Reply]:
        """Return the replies of a turn, inner ones of ensembles left out, in their order."""
        query = select(Reply).where(Reply.turn_id == turn_id, Reply.parent_reply_id.is_(None))
        return self._db.scalars(query.order_by(Reply.order)).all()


def _conditions(wanted: VoteFilter, dialect: str) -> list[Condition]:
    given = {
        "model": lambda: _has_model(wanted.model, dialect),
        "opponent": lambda: _has_model(wanted.opponent, dialect),
        "outcome": lambda: _outcome(wanted, dialect),
        "choice": lambda: Vote.choice == wanted.choice,
        "category": lambda: _in_category(str(wanted.category), dialect),
        "counted": lambda: _is_counted() if wanted.counted else ~_is_counted(),
        "reason": lambda: _not_counted(str(wanted.reason)),
        "origin": lambda: Vote.origin == wanted.origin,
        "since": lambda: Vote.created_at >= wanted.since,
        "until": lambda: Vote.created_at < wanted.until,
    }
    return [make() for name, make in given.items() if getattr(wanted, name) not in (None, "")]


def _has_model(model_id: str | None, dialect: str) -> Condition:
    each = (func.jsonb_each_text if dialect == "postgresql" else func.json_each)(Vote.stored_seats)
    among = each.table_valued("key", "value")
    listed = select(literal(1)).select_from(among).where(among.c.value == model_id).exists()
    one_of_two = or_(Vote.left_model_id == model_id, Vote.right_model_id == model_id)
    return or_(one_of_two, and_(Vote.left_model_id.is_(None), listed))


def _is_counted() -> Condition:
    return and_(Vote.rated, Vote.counted, Vote.excluded_reason.is_(None))


def _not_counted(reason: str) -> Condition:
    if reason == OPEN:
        return Vote.kind == "open"
    if reason == UNRATED:
        return and_(Vote.kind == "blind", not_(Vote.rated))
    return _WHY_NOT.in_([reason])


def _outcome(wanted: VoteFilter, dialect: str) -> Condition:
    chosen = chosen_model()
    if wanted.outcome == "both_bad":
        return Vote.choice == wanted.outcome
    if wanted.outcome == "tie":
        return and_(chosen.is_(None), Vote.choice != "both_bad")
    won = wanted.outcome == "won"
    if wanted.model is None:
        return chosen == (Vote.left_model_id if won else Vote.right_model_id)
    return chosen == wanted.model if won else and_(_has_model(wanted.model, dialect), chosen != wanted.model)


def _in_category(category: str, dialect: str) -> Condition:
    if category == "overall":
        return true()
    if dialect == "postgresql":
        return Vote.categories.cast(JSONB).contains([category])
    each = func.json_each(Vote.categories).table_valued("value")
    return select(literal(1)).select_from(each).where(each.c.value == category).exists()


def _found(search: str) -> Condition:
    """Match folded text in the prompts and title of the vote's session."""
    return (
        select(literal(1))
        .where(SearchText.session_id == Vote.session_id, SearchText.text.contains(search, autoescape=True))
        .exists()
    )
