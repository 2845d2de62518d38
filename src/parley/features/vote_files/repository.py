"""The queries of imports and exports."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, func, or_, select, text, update

from parley.storage.audit_imports import append_imports
from parley.storage.audit_log import (
    EXCLUSION,
    NewEntry,
    append_entries,
    canonical,
    exclusion_content,
    lock_head,
    time_text,
)
from parley.storage.bulk import stored_time, widen_cache
from parley.storage.database import Transaction
from parley.storage.sqlite_dialect import driver_of
from parley.storage.tables.conversations import Reply, Session, Turn, User
from parley.storage.tables.declared import core
from parley.storage.tables.narrow import staged
from parley.storage.tables.votes import STAGED, Vote
from parley.storage.vote_stages import StagedPart, insert_part

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

    def stage(self, part: StagedPart, status: str, now: datetime) -> None:
        """Insert votes with a status and their entries in the audit log, which get the time `now`."""
        head = lock_head(self._db)
        widen_cache(self._db)
        insert_part(self._db, part, status)
        stored = stored_time(time_text(now), sqlite=self._db.dialect == "sqlite")
        exclusions = [
            NewEntry(EXCLUSION, vote_id, canonical(exclusion_content(vote_id, reason, now)), stored)
            for vote_id, reason in part.excluded
        ]
        append_entries(self._db, append_imports(self._db, head, part.packed, now), exclusions)

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
