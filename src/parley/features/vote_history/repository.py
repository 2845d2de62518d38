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
from parley.storage.tables.compact_types import bytes_of, is_id
from parley.storage.tables.conversations import MatchRow, ReplyRow, SessionRow, TurnRow, UserRow
from parley.storage.tables.rows import select_rows
from parley.storage.tables.search import SearchTextRow
from parley.storage.tables.votes import REPLACED, STAGED, WITHDRAWN, VoteRow
from parley.storage.voter_blocks import of_voter
from parley.text.folding import folded

Condition: TypeAlias = ColumnElement[bool]

_WHY_NOT = func.coalesce(VoteRow.c.excluded_reason, VoteRow.c.not_counted_reason)
_STANDS = func.coalesce(VoteRow.c.excluded_reason, "").not_in((WITHDRAWN, REPLACED))


class VotesRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def page(
        self, owner_id: str, author_id: str, wanted: VoteFilter, limit: int, before: int | None
    ) -> Sequence[VoteRow]:
        """Return a person's votes, newest first; `wanted.search` is folded.

        Those taken back or replaced by a later one are left out, unless what does not count is asked for.
        """
        # The index is by pseudonym, so a person's votes are found fast among a million.
        voter = select(bytes_of(UserRow.c.voter_id)).where(UserRow.c.id == author_id).scalar_subquery()
        conditions = [of_voter(voter), VoteRow.c.owner_id == owner_id, VoteRow.c.processing_status != STAGED]
        conditions += _conditions(wanted, self._db.dialect)
        if wanted.counted is not False and wanted.reason is None:
            conditions.append(_STANDS)
        if before is not None:
            conditions.append(VoteRow.c.seq < before)
        if wanted.search:
            conditions.append(
                or_(
                    _found(wanted.search),
                    VoteRow.c.seq.in_(self._by_reason(conditions, wanted.search, limit)),
                )
            )
        query = select_rows(VoteRow).where(*conditions).order_by(VoteRow.c.seq.desc()).limit(limit)
        return self._db.select(VoteRow, query)

    def _by_reason(self, conditions: Sequence[Condition], search: str, limit: int) -> Sequence[int]:
        """Return the newest votes whose reason contains a folded text; databases fold differently."""
        query = select(VoteRow.c.seq, VoteRow.c.reason).where(*conditions, VoteRow.c.reason.is_not(None))
        rows = self._db.execute(query.order_by(VoteRow.c.seq.desc()))
        return list(islice((seq for seq, reason in rows if search in folded(reason or "")), limit))

    def newest(self, owner_id: str, author_id: str, limit: int) -> Sequence[VoteRow]:
        """Return a person's newest current votes: neither withdrawn nor replaced."""
        voter = select(bytes_of(UserRow.c.voter_id)).where(UserRow.c.id == author_id).scalar_subquery()
        mine = (of_voter(voter), VoteRow.c.owner_id == owner_id, VoteRow.c.processing_status != STAGED)
        query = select_rows(VoteRow).where(*mine, _STANDS).order_by(VoteRow.c.seq.desc()).limit(limit)
        return self._db.select(VoteRow, query)

    def vote(self, owner_id: str, vote_id: str) -> VoteRow:
        """Return a person's vote. Raises NotFound."""
        this = (
            VoteRow.c.id == vote_id,
            VoteRow.c.owner_id == owner_id,
            VoteRow.c.processing_status != STAGED,
        )
        row = self._db.find(VoteRow, *this) if is_id(vote_id) else None
        if row is None:
            raise NotFound("This vote doesn't exist.")
        return row

    def beginnings(self, votes: Sequence[VoteRow]) -> dict[str, TurnRow]:
        """Return by vote the judged turn, or the first one of a match that is judged as a whole.

        Votes whose session is deleted have none.
        """
        query = (
            select_rows(TurnRow)
            .add_columns(MatchRow.c.ballot)
            .join(MatchRow.table, MatchRow.c.id == TurnRow.c.match_id)
            .join(SessionRow.table, SessionRow.c.id == TurnRow.c.session_id)
            .where(
                TurnRow.c.match_id.in_([vote.match_id for vote in votes]), SessionRow.c.deleted_at.is_(None)
            )
            .order_by(TurnRow.c.index.desc())
        )
        first: dict[str, TurnRow] = {}
        judged: dict[str, TurnRow] = {}
        for *values, ballot in self._db.execute(query):
            turn = TurnRow(*values)
            first[turn.match_id] = turn
            if ballot is not None and ballot["each_turn"]:
                judged[turn.id] = turn
        about = {vote.id: judged.get(vote.turn_id or "") or first.get(vote.match_id or "") for vote in votes}
        return {vote_id: turn for vote_id, turn in about.items() if turn is not None}

    def replies(self, turn_id: str) -> Sequence[ReplyRow]:
        """Return the replies of a turn, inner ones of ensembles left out, in their order."""
        query = select_rows(ReplyRow).where(
            ReplyRow.c.turn_id == turn_id, ReplyRow.c.parent_reply_id.is_(None)
        )
        return self._db.select(ReplyRow, query.order_by(ReplyRow.c.order, ReplyRow.c.purpose))


def _conditions(wanted: VoteFilter, dialect: str) -> list[Condition]:
    conditions = {
        "model": lambda: _has_model(wanted.model, dialect),
        "opponent": lambda: _has_model(wanted.opponent, dialect),
        "outcome": lambda: _outcome(wanted, dialect),
        "choice": lambda: VoteRow.c.choice == wanted.choice,
        "category": lambda: _in_category(str(wanted.category), dialect),
        "counted": lambda: _is_counted() if wanted.counted else ~_is_counted(),
        "reason": lambda: _not_counted(str(wanted.reason)),
        "origin": lambda: VoteRow.c.origin == wanted.origin,
        "since": lambda: VoteRow.c.created_at >= wanted.since,
        "until": lambda: VoteRow.c.created_at < wanted.until,
    }
    return [make() for name, make in conditions.items() if getattr(wanted, name) not in (None, "")]


def _has_model(model_id: str | None, dialect: str) -> Condition:
    each = (func.jsonb_each_text if dialect == "postgresql" else func.json_each)(VoteRow.c.seats)
    among = each.table_valued("key", "value")
    listed = select(literal(1)).select_from(among).where(among.c.value == model_id).exists()
    one_of_two = or_(VoteRow.c.left_model_id == model_id, VoteRow.c.right_model_id == model_id)
    return or_(one_of_two, and_(VoteRow.c.left_model_id.is_(None), listed))


def _is_counted() -> Condition:
    return and_(VoteRow.c.rated, VoteRow.c.counted, VoteRow.c.excluded_reason.is_(None))


def _not_counted(reason: str) -> Condition:
    if reason == OPEN:
        return VoteRow.c.kind == "open"
    if reason == UNRATED:
        return and_(VoteRow.c.kind == "blind", not_(VoteRow.c.rated))
    return _WHY_NOT.in_([reason])


def _outcome(wanted: VoteFilter, dialect: str) -> Condition:
    chosen = chosen_model()
    if wanted.outcome == "both_bad":
        return VoteRow.c.choice == wanted.outcome
    if wanted.outcome == "tie":
        return and_(chosen.is_(None), VoteRow.c.choice != "both_bad")
    won = wanted.outcome == "won"
    if wanted.model is None:
        return chosen == (VoteRow.c.left_model_id if won else VoteRow.c.right_model_id)
    return chosen == wanted.model if won else and_(_has_model(wanted.model, dialect), chosen != wanted.model)


def _in_category(category: str, dialect: str) -> Condition:
    if category == "overall":
        return true()
    if dialect == "postgresql":
        return VoteRow.c.categories.cast(JSONB).contains([category])
    each = func.json_each(VoteRow.c.categories).table_valued("value")
    return select(literal(1)).select_from(each).where(each.c.value == category).exists()


def _found(search: str) -> Condition:
    """Match folded text in the prompts and title of the vote's session."""
    return (
        select(literal(1))
        .where(
            SearchTextRow.c.session_id == VoteRow.c.session_id,
            SearchTextRow.c.text.contains(search, autoescape=True),
        )
        .exists()
    )
