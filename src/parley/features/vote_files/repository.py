"""The queries of exports."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import and_, func, or_, select

from parley.storage.database import Transaction
from parley.storage.tables.conversations import ReplyRow, SessionRow, TurnRow
from parley.storage.tables.rows import select_rows
from parley.storage.tables.votes import VoteRow

_EXPORTABLE = (
    or_(VoteRow.c.rated, VoteRow.c.kind == "open"),
    VoteRow.c.left_model_id.is_not(None),
    VoteRow.c.right_model_id.is_not(None),
)
"""LMArena's files have two sides, and every blind vote in them is rated."""
_COUNTED = and_(VoteRow.c.rated, VoteRow.c.counted, VoteRow.c.excluded_reason.is_(None))


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

    def count(self, *, counted: bool) -> tuple[int, int]:
        """Return how many votes an export holds, and how many it leaves out because they have no two sides."""
        query = select(func.count(), func.count().filter(and_(*_EXPORTABLE))).select_from(VoteRow.table)
        query = query.where(VoteRow.c.origin == "here")
        every, held = self._db.execute(query.where(_COUNTED) if counted else query).one()
        return held, every - held

    def last(self) -> int:
        """Return the last vote's number."""
        return self._db.scalar(select(func.max(VoteRow.c.seq))) or 0

    def page(self, after: int, last: int, limit: int, *, include_uncounted: bool) -> Sequence[VoteRow]:
        """Return the next votes to export, oldest first; those of imports are in their files."""
        query = select_rows(VoteRow).where(
            VoteRow.c.seq > after, VoteRow.c.seq <= last, VoteRow.c.origin == "here", *_EXPORTABLE
        )
        if not include_uncounted:
            query = query.where(_COUNTED)
        return self._db.select(VoteRow, query.order_by(VoteRow.c.seq).limit(limit))

    def match_texts(self, match_ids: Sequence[str], *, texts: bool) -> dict[str, MatchTexts]:
        """Return prompts and replies by match, except of deleted sessions; without `texts` no replies."""
        query = (
            select(TurnRow.c.id, TurnRow.c.match_id, TurnRow.c.input)
            .join(SessionRow.table, SessionRow.c.id == TurnRow.c.session_id)
            .where(TurnRow.c.match_id.in_(match_ids), SessionRow.c.deleted_at.is_(None))
            .order_by(TurnRow.c.match_id, TurnRow.c.index)
        )
        by_match: dict[str, MatchTexts] = {}
        by_turn: dict[str, MatchTexts] = {}
        for turn_id, match_id, turn_input in self._db.execute(query):
            match_text = by_turn[turn_id] = by_match.setdefault(match_id, MatchTexts())
            match_text.turns += 1
            match_text.prompts.append((turn_id, str(turn_input.get("text") or "")))
        if texts:
            replies = select(ReplyRow.c.turn_id, ReplyRow.c.seat, ReplyRow.c.text).where(
                ReplyRow.c.turn_id.in_(list(by_turn)), ReplyRow.c.parent_reply_id.is_(None)
            )
            for turn_id, seat, reply in self._db.execute(
                replies.order_by(ReplyRow.c.order, ReplyRow.c.purpose)
            ):
                by_turn[turn_id].replies[turn_id, seat] = reply
        return by_match
