"""The queries of imports and exports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from msgspec import Raw
from sqlalchemy import and_, func, or_, select, text, update

from parley.storage.audit_imports import VOTES_TOGETHER, append_imports, pack_votes
from parley.storage.audit_log import (
    EXCLUSION,
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
from parley.storage.packed_votes import style_text
from parley.storage.sqlite_dialect import driver_of
from parley.storage.tables.conversations import Reply, Session, Turn, User
from parley.storage.tables.declared import core
from parley.storage.tables.narrow import STATUSES, staged
from parley.storage.tables.votes import STAGED, Vote
from parley.workspace.vote_files.staging import ID, StagedVote, VoteRecords

_EMPTY = ("seq", "block", "match_id", "turn_id", "session_id")
"""What an imported vote has none of, or gets from the database."""

_COLUMNS = tuple(column.name for column in core(Vote).columns if column.name not in _EMPTY)
"""The columns of `VoteRecords.rows`, in order."""

_EXISTING = "SELECT id FROM votes WHERE id IN ({})"
_EXISTING_ON_SERVER = text("SELECT id FROM votes WHERE id = ANY(:ids)")
_PUBLISH = (
    update(core(Vote))
    .where(core(Vote).c.processing_status == staged())
    .values(processing_status="pending")
    # Otherwise SQLite keeps every row's old state in memory, to be able to undo this one statement.
    .prefix_with("OR FAIL", dialect="sqlite")
)
_EXPORTABLE = (
    or_(Vote.rated, Vote.kind == "open"),
    Vote.left_model_id.is_not(None),
    Vote.right_model_id.is_not(None),
)
"""LMArena's files have two sides, and every blind vote in them is rated."""
_COUNTED = and_(Vote.rated, Vote.counted, Vote.excluded_reason.is_(None))


class Extent(NamedTuple):
    """The votes at one moment: up to `last`, without those of a running import, which begin at `staged`."""

    last: int
    staged: int | None


@dataclass
class MatchTexts:
    """A match's prompts by turn, in order, and its replies by turn and seat."""

    turns: int = 0
    prompts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    replies: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def conversation(self, seat: str, judged: str | None) -> list[dict[str, str]]:
        """Return one side's conversation as in LMArena's files, up to the judged turn, if that is known."""
        messages: list[dict[str, str]] = []
        for turn_id, prompt in self.prompts:
            messages.append({"role": "user", "content": prompt})
            if (reply := self.replies.get((turn_id, seat))) is not None:
                messages.append({"role": "assistant", "content": reply})
            if turn_id == judged:
                break
        return messages


class VoteFilesRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def own_voters(self) -> dict[str, str]:
        """Return the owner of every pseudonym of this installation."""
        rows = self._db.execute(select(User.voter_id, User.id)).all()
        return {row.voter_id: row.id for row in rows}

    def is_empty(self) -> bool:
        """Return whether there are no votes."""
        return self._db.scalar(select(Vote.seq).limit(1)) is None

    def has_cast_here(self) -> bool:
        """Return whether there are votes on matches."""
        return self._db.scalar(select(Vote.seq).where(Vote.match_id.is_not(None)).limit(1)) is not None

    def existing(self, ids: Sequence[str]) -> set[str]:
        """Return which of the ids are votes already, staged ones included."""
        if self._db.dialect != "sqlite":
            return set(self._db.scalars(_EXISTING_ON_SERVER, {"ids": list(ids)}))
        given, driver = list(map(bytes.fromhex, ids)), driver_of(self._db.connection())
        return {it.hex() for (it,) in driver.execute(_EXISTING.format(", ".join("?" * len(given))), given)}

    def stage(self, votes: VoteRecords, now: datetime) -> None:
        """Insert staged votes and their entries in the audit log, which get the time `now`."""
        head = lock_head(self._db)
        widen_cache(self._db)
        bulk_insert(self._db, Vote, _COLUMNS, votes.rows)
        exclusions = [NewEntry(*it) for it in votes.exclusions]
        append_entries(self._db, append_imports(self._db, head, votes.packed, now), exclusions)

    def publish(self) -> None:
        """Make every staged vote pending, so that all of them appear at once."""
        widen_cache(self._db)
        self._db.execute(_PUBLISH)

    def count(self, *, counted: bool) -> tuple[int, int]:
        """Return how many votes an export holds, and how many it leaves out because they have no two sides."""
        query = select(func.count(), func.count().filter(and_(*_EXPORTABLE))).select_from(Vote)
        query = query.where(Vote.processing_status != STAGED)
        every, held = self._db.execute(query.where(_COUNTED) if counted else query).one()
        return held, every - held

    def extent(self) -> Extent:
        """Return the range of current votes."""
        first_staged = select(func.min(Vote.seq)).where(Vote.processing_status == staged())
        return Extent(self._db.scalar(select(func.max(Vote.seq))) or 0, self._db.scalar(first_staged))

    def page(self, after: int, extent: Extent, limit: int, *, include_uncounted: bool) -> Sequence[Vote]:
        """Return the next votes to export, oldest first."""
        query = select(Vote).where(
            Vote.seq > after, Vote.seq <= extent.last, Vote.processing_status != STAGED, *_EXPORTABLE
        )
        if extent.staged is not None:
            query = query.where(or_(Vote.origin != "import", Vote.seq < extent.staged))
        if not include_uncounted:
            query = query.where(_COUNTED)
        return self._db.scalars(query.order_by(Vote.seq).limit(limit)).all()

    def match_texts(self, match_ids: Sequence[str], *, texts: bool) -> dict[str, MatchTexts]:
        """Return prompts and replies by match, except of deleted sessions; without `texts` no replies."""
        query = (
            select(Turn.id, Turn.match_id, Turn.input)
            .join(Session, Session.id == Turn.session_id)
            .where(Turn.match_id.in_(match_ids), Session.deleted_at.is_(None))
            .order_by(Turn.match_id, Turn.index)
        )
        by_match: dict[str, MatchTexts] = {}
        by_turn: dict[str, MatchTexts] = {}
        for turn_id, match_id, asked in self._db.execute(query):
            found = by_turn[turn_id] = by_match.setdefault(match_id, MatchTexts())
            found.turns += 1
            found.prompts.append((turn_id, str(asked.get("text") or "")))
        if texts:
            replies = select(Reply.turn_id, Reply.seat, Reply.text).where(
                Reply.turn_id.in_(list(by_turn)), Reply.parent_reply_id.is_(None)
            )
            for turn_id, seat, reply in self._db.execute(replies.order_by(Reply.order)):
                by_turn[turn_id].replies[turn_id, seat] = reply
        return by_match


def narrowed(row: Sequence[object]) -> tuple[object, ...]:
    """Return a row for SQLite from one as earlier versions put it into stage files."""
    values = dict(zip(_COLUMNS, row, strict=True))
    ids = {name: bytes.fromhex(str(values[name])) for name in ("id", "voter_id")}
    return tuple({**values, **ids, "processing_status": STATUSES[STAGED]}.values())


def vote_records(votes: Sequence[StagedVote], now: datetime, *, sqlite: bool) -> VoteRecords:
    """Return the rows and entries of votes; exclusions get the time `now`."""
    rows: list[tuple[object, ...]] = []
    entries: list[VoteEntry] = []
    exclusions: list[tuple[object, ...]] = []
    for vote in votes:
        moment = stored_time(vote.created_at, sqlite=sqlite)
        rows.append(_narrow_values(vote, moment) if sqlite else _values(vote, moment))
        entries.append(_entry(vote))
        if vote.excluded_reason is not None:
            content = canonical(exclusion_content(vote.id, vote.excluded_reason, now))
            stored = stored_time(time_text(now), sqlite=sqlite)
            exclusions.append(NewEntry(EXCLUSION, vote.id, content, stored))
    packed = [pack_votes(entries[at : at + VOTES_TOGETHER]) for at in range(0, len(entries), VOTES_TOGETHER)]
    return VoteRecords(rows, packed, exclusions)


def _entry(vote: StagedVote) -> VoteEntry:
    # Keyword arguments would make this five times slower.
    return VoteEntry(
        Raw(_categories(tuple(vote.categories))),
        vote.categories_by,
        vote.choice,
        vote.counted,
        vote.created_at,
        VOTE_ENTRY,
        vote.kind,
        vote.left,
        None,
        vote.not_counted_reason,
        "import",
        vote.prompt_sha256,
        vote.propensity,
        vote.kind == "blind",
        vote.read_ms,
        vote.right,
        Raw(_seats(vote.left, vote.right)),
        Raw(_style_said(vote.style)),
        None,
        vote.id,
        vote.voter_id,
    )


def _values(vote: StagedVote, moment: object) -> tuple[object, ...]:
    """Return a vote's row in the order of `_COLUMNS`."""
    result = f'{{"question_id":{encode_document(vote.source)}}}' if vote.source else "{}"
    return _row(vote, moment, vote.id, vote.voter_id, result, STAGED)


def _narrow_values(vote: StagedVote, moment: object) -> tuple[object, ...]:
    """Return a vote's row as SQLite stores it."""
    source = vote.source
    if source and ID.fullmatch(source):
        result: object = bytes.fromhex(source)
    else:
        result = f'{{"question_id":{encode_document(source)}}}' if source else "{}"
    ids = bytes.fromhex(vote.id), bytes.fromhex(vote.voter_id)
    return _row(vote, moment, *ids, result, STATUSES[STAGED])


def _row(
    vote: StagedVote, moment: object, vote_id: object, voter_id: object, result: object, status: object
) -> tuple[object, ...]:
    return (
        vote_id,
        vote.kind,
        vote.kind == "blind",
        vote.owner_id,
        voter_id,
        vote.choice,
        vote.comment,
        vote.left,
        vote.right,
        None,
        vote.propensity,
        vote.counted,
        vote.not_counted_reason,
        status,
        result,
        moment,
        vote.excluded_reason,
        _categories(tuple(vote.categories)),
        vote.categories_by,
        vote.prompt_sha256,
        _style_stored(vote.style),
        vote.read_ms,
        "import",
    )


def _style_stored(style: Mapping[str, Mapping[str, int]] | None) -> str | None:
    """Return `packed_style` as JSON."""
    if style is None:
        return None
    left, right = style["left"], style["right"]
    return (
        f"[{left['tokens']},{left['headers']},{left['lists']},{left['bold']},"
        f"{right['tokens']},{right['headers']},{right['lists']},{right['bold']}]"
    )


def _style_said(style: Mapping[str, Mapping[str, int]] | None) -> str:
    """Return `canonical` of features of style."""
    if style is None:
        return "null"
    left, right = style["left"], style["right"]
    return style_text(
        *(left["bold"], left["headers"], left["lists"], left["tokens"]),
        *(right["bold"], right["headers"], right["lists"], right["tokens"]),
    )


@lru_cache(4096)
def _seats(left: str, right: str) -> str:
    return encode_document({"left": left, "right": right})


@lru_cache(4096)
def _categories(categories: tuple[str, ...]) -> str:
    return encode_document(categories)
