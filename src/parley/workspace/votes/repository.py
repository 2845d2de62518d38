"""The queries of votes that were cast. Votes that are `staged` (see `importing`) are not there yet."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, TypeAlias

from msgspec import Raw
from sqlalchemy import ColumnElement, and_, func, literal, not_, or_, select, text, true, update
from sqlalchemy.dialects.postgresql import JSONB

from parley.kernel.errors import NotFound
from parley.storage.audit_log import (
    EXCLUSION,
    VOTE,
    VOTE_ENTRY,
    NewEntry,
    VoteEntry,
    append_entries,
    canonical,
    exclusion_content,
    lock_head,
    time_text,
)
from parley.storage.bulk import bulk_insert, stored_time, widen_cache
from parley.storage.database import Transaction
from parley.storage.documents import encode_document
from parley.storage.seated import chosen_model
from parley.storage.tables.conversations import Match, Reply, SearchText, Session, Turn, User
from parley.storage.tables.declared import core
from parley.storage.tables.judgements import Vote
from parley.text.folding import folded
from parley.workspace.votes.schemas import VoteFilter
from parley.workspace.votes.staged import StagedVote
from parley.workspace.voting.hygiene import OPEN, UNRATED

Condition: TypeAlias = ColumnElement[bool]

STAGED = "staged"
"""The processing status of votes of an import that is not finished: for every reader they are not there."""

EXCERPT_CHARS = 280

_COLUMNS = tuple(column.name for column in core(Vote).columns if column.name != "seq")
_EXISTING = text("SELECT id FROM votes WHERE id IN (SELECT value FROM json_each(:ids))")
_EXISTING_ON_SERVER = text("SELECT id FROM votes WHERE id = ANY(:ids)")
_PUBLISH = (
    update(core(Vote))
    .where(core(Vote).c.processing_status == STAGED)
    .values(processing_status="pending")
    # Else SQLite keeps in memory how every vote was before, to be able to undo this statement alone.
    .prefix_with("OR FAIL", dialect="sqlite")
)
_EXPORTABLE = (
    or_(Vote.rated, Vote.kind == "open"),
    Vote.left_model_id.is_not(None),
    Vote.right_model_id.is_not(None),
)
"""LMArena's files have two sides, and call every vote that is blind a rated one."""
_WHY_NOT = func.coalesce(Vote.excluded_reason, Vote.not_counted_reason)


class Prepared(NamedTuple):
    """Votes of a file as the database takes them: rows in the order of the table, and entries of the audit log."""

    rows: Sequence[tuple[object, ...]]
    entries: Sequence[NewEntry]


class Extent(NamedTuple):
    """Which votes are there at a moment: up to `last`, but for those of an import that begin at `staged`."""

    last: int
    staged: int | None


@dataclass
class Said:
    """What was said in a match: prompts by turn in their order, and replies by turn and seat."""

    turns: int = 0
    prompts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    replies: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def conversation(self, seat: str) -> list[dict[str, str]]:
        """Return one side's conversation, as LMArena's files have it."""
        messages: list[dict[str, str]] = []
        for turn_id, prompt in self.prompts:
            messages.append({"role": "user", "content": prompt})
            if (reply := self.replies.get((turn_id, seat))) is not None:
                messages.append({"role": "assistant", "content": reply})
        return messages


class VotesRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def page(self, owner_id: str, wanted: VoteFilter, limit: int, before: int | None) -> Sequence[Vote]:
        """Return a person's votes, newest first; `wanted.search` is folded."""
        # There is an index by pseudonym: among a million votes of others a person's own are found at once.
        voter = select(User.voter_id).where(User.id == owner_id).scalar_subquery()
        asked = [Vote.voter_id == voter, Vote.owner_id == owner_id, Vote.processing_status != STAGED]
        asked += _conditions(wanted, self._db.get_bind().dialect.name)
        if before is not None:
            asked.append(Vote.seq < before)
        if wanted.search:
            asked.append(
                or_(_found(wanted.search), Vote.seq.in_(self._by_reason(asked, wanted.search, limit)))
            )
        return self._db.scalars(select(Vote).where(*asked).order_by(Vote.seq.desc()).limit(limit)).all()

    def _by_reason(self, asked: Sequence[Condition], search: str, limit: int) -> Sequence[int]:
        """Return the newest votes of a page whose reason holds a folded text; no database folds as Parley does."""
        query = select(Vote.seq, Vote.reason).where(*asked, Vote.reason.is_not(None))
        rows = self._db.execute(query.order_by(Vote.seq.desc()))
        return list(islice((seq for seq, reason in rows if search in folded(reason or "")), limit))

    def vote(self, owner_id: str, vote_id: str) -> Vote:
        """Return a person's vote. Raises NotFound."""
        query = select(Vote).where(
            Vote.id == vote_id, Vote.owner_id == owner_id, Vote.processing_status != STAGED
        )
        row = self._db.scalar(query)
        if row is None:
            raise NotFound("There is no such vote.")
        return row

    def beginnings(self, votes: Sequence[Vote]) -> dict[str, Turn]:
        """Return by vote the turn that it is about, of a match that is judged as a whole its first one.

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
        about = {vote.id: judged.get(vote.turn_id or "") or first.get(vote.match_id) for vote in votes}
        return {vote_id: turn for vote_id, turn in about.items() if turn is not None}

    def own_voters(self) -> dict[str, str]:
        """Return the owner of every pseudonym of this installation's people."""
        rows = self._db.execute(select(User.voter_id, User.id)).all()
        return {row.voter_id: row.id for row in rows}

    def is_empty(self) -> bool:
        """Tell whether there is no vote at all."""
        return self._db.scalar(select(Vote.seq).limit(1)) is None

    def existing(self, ids: Sequence[str]) -> set[str]:
        """Return those of the ids that are votes already, staged ones too."""
        server = self._db.get_bind().dialect.name == "postgresql"
        given: object = list(ids) if server else encode_document(ids)
        return set(self._db.scalars(_EXISTING_ON_SERVER if server else _EXISTING, {"ids": given}))

    def stage(self, votes: Prepared) -> None:
        """Insert votes of a file, and their entries in the audit log, for nobody to see yet."""
        head = lock_head(self._db)
        widen_cache(self._db)
        bulk_insert(self._db, Vote, _COLUMNS, votes.rows)
        append_entries(self._db, head, votes.entries)

    def publish(self) -> None:
        """Show every staged vote, all at once."""
        widen_cache(self._db)
        self._db.execute(_PUBLISH)

    def count(self, *, counted: bool) -> tuple[int, int]:
        """Return how many votes an export holds, and how many it leaves out since they have no two sides."""
        query = select(func.count(), func.count().filter(and_(*_EXPORTABLE))).select_from(Vote)
        query = query.where(Vote.processing_status != STAGED)
        every, held = self._db.execute(query.where(_is_counted()) if counted else query).one()
        return held, every - held

    def extent(self) -> Extent:
        """Return which votes are there now."""
        staged = select(func.min(Vote.seq)).where(Vote.processing_status == STAGED)
        return Extent(self._db.scalar(select(func.max(Vote.seq))) or 0, self._db.scalar(staged))

    def exported(self, after: int, extent: Extent, limit: int, *, include_uncounted: bool) -> Sequence[Vote]:
        """Return the next votes between two models, oldest first, of those that were there at a moment."""
        query = select(Vote).where(
            Vote.seq > after,
            Vote.seq <= extent.last,
            Vote.processing_status != STAGED,
            *_EXPORTABLE,
        )
        if extent.staged is not None:
            query = query.where(or_(Vote.origin != "import", Vote.seq < extent.staged))
        if not include_uncounted:
            query = query.where(_is_counted())
        return self._db.scalars(query.order_by(Vote.seq).limit(limit)).all()

    def said(self, match_ids: Sequence[str], *, texts: bool) -> dict[str, Said]:
        """Return what was said in matches whose session is not deleted; without `texts` only how many turns."""
        query = (
            select(Turn.id, Turn.match_id, Turn.input)
            .join(Session, Session.id == Turn.session_id)
            .where(Turn.match_id.in_(match_ids), Session.deleted_at.is_(None))
            .order_by(Turn.match_id, Turn.index)
        )
        found: dict[str, Said] = {}
        turns: dict[str, Said] = {}
        for turn_id, match_id, asked in self._db.execute(query):
            said = turns[turn_id] = found.setdefault(match_id, Said())
            said.turns += 1
            said.prompts.append((turn_id, str(asked.get("text") or "")))
        if texts:
            replies = select(Reply.turn_id, Reply.seat, Reply.text).where(
                Reply.turn_id.in_(list(turns)), Reply.parent_reply_id.is_(None)
            )
            for turn_id, seat, words in self._db.execute(replies.order_by(Reply.order)):
                turns[turn_id].replies[turn_id, seat] = words
        return found

    def replies(self, turn_id: str) -> Sequence[Reply]:
        """Return the replies of a turn, inner ones of ensembles left out, in their order."""
        query = select(Reply).where(Reply.turn_id == turn_id, Reply.parent_reply_id.is_(None))
        return self._db.scalars(query.order_by(Reply.order)).all()


def prepared(votes: Sequence[StagedVote], now: datetime, *, sqlite: bool) -> Prepared:
    """Return votes as `stage` takes them; `now` is the time of exclusions that a file tells of."""
    rows: list[tuple[object, ...]] = []
    entries: list[NewEntry] = []
    for vote in votes:
        moment = stored_time(vote.created_at, sqlite=sqlite)
        seats = _seats(vote.left, vote.right)
        rows.append(_values(vote, moment, seats))
        entries.append(NewEntry(VOTE, vote.id, _entry(vote, seats).canonical(), moment))
        if vote.excluded_reason is not None:
            content = canonical(exclusion_content(vote.id, vote.excluded_reason, now))
            entries.append(NewEntry(EXCLUSION, vote.id, content, stored_time(time_text(now), sqlite=sqlite)))
    return Prepared(rows, entries)


def _entry(vote: StagedVote, seats: str) -> VoteEntry:
    # In the order of its fields: without their names it is made five times as fast.
    return VoteEntry(
        Raw(_list(tuple(vote.categories))),
        vote.categories_by,
        vote.choice,
        vote.counted,
        vote.created_at,
        VOTE_ENTRY,
        vote.kind,
        vote.left,
        vote.id,
        vote.not_counted_reason,
        "import",
        vote.prompt_sha256,
        vote.propensity,
        vote.kind == "blind",
        vote.read_ms,
        vote.right,
        Raw(seats),
        Raw(canonical(vote.style) if vote.style is not None else "null"),
        None,
        vote.id,
        vote.voter_id,
    )


def _values(vote: StagedVote, moment: object, seats: str) -> tuple[object, ...]:
    """Return a vote's row, in the order of `_COLUMNS`."""
    return (
        vote.id,
        vote.kind,
        vote.id,  # no match was here; one voter votes on it once
        None,
        vote.kind == "blind",
        None,
        vote.owner_id,
        vote.voter_id,
        vote.choice,
        vote.comment,
        vote.left,
        vote.right,
        seats,
        vote.propensity,
        vote.counted,
        vote.not_counted_reason,
        STAGED,
        f'{{"question_id":{encode_document(vote.source)}}}' if vote.source else "{}",
        moment,
        vote.excluded_reason,
        _list(tuple(vote.categories)),
        vote.categories_by,
        vote.prompt_sha256,
        None if vote.style is None else encode_document(vote.style),
        vote.read_ms,
        "import",
    )


@lru_cache(4096)
def _seats(left: str, right: str) -> str:
    return encode_document({"left": left, "right": right})


@lru_cache(4096)
def _list(categories: tuple[str, ...]) -> str:
    return encode_document(categories)


def _conditions(wanted: VoteFilter, dialect: str) -> list[Condition]:
    given = {
        "model": lambda: _sat(wanted.model, dialect),
        "opponent": lambda: _sat(wanted.opponent, dialect),
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


def _sat(model_id: str | None, dialect: str) -> Condition:
    each = (func.jsonb_each_text if dialect == "postgresql" else func.json_each)(Vote.seats)
    among = each.table_valued("key", "value")
    sat = select(literal(1)).select_from(among).where(among.c.value == model_id).exists()
    one_of_two = or_(Vote.left_model_id == model_id, Vote.right_model_id == model_id)
    return or_(one_of_two, and_(Vote.left_model_id.is_(None), sat))


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
    return chosen == wanted.model if won else and_(_sat(wanted.model, dialect), chosen != wanted.model)


def _in_category(category: str, dialect: str) -> Condition:
    if category == "overall":
        return true()
    if dialect == "postgresql":
        return Vote.categories.cast(JSONB).contains([category])
    each = func.json_each(Vote.categories).table_valued("value")
    return select(literal(1)).select_from(each).where(each.c.value == category).exists()


def _found(search: str) -> Condition:
    """Look for folded text in the prompts and title of the vote's session."""
    return (
        select(literal(1))
        .where(SearchText.session_id == Vote.session_id, SearchText.text.contains(search, autoescape=True))
        .exists()
    )
