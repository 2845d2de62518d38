"""The queries by which ended turns come into the library."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import delete, select

from parley.storage.database import Transaction
from parley.storage.tables.assets import AssetRow, AssetTagRow, EndedTurnRow
from parley.storage.tables.conversations import MatchRow, ReplyRow, TurnRow
from parley.storage.tables.rows import select_rows


class EndedTurn(NamedTuple):
    """A turn that has ended, with its own replies, and the numbers under which it waits."""

    turn: TurnRow
    match: MatchRow
    replies: Sequence[ReplyRow]
    numbers: Sequence[int]


class CollectingRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def waiting(self, limit: int) -> list[EndedTurn]:
        """Return turns that have ended and are not in the library yet."""
        query = select_rows(EndedTurnRow).order_by(EndedTurnRow.c.id.desc()).limit(limit)
        numbers: dict[str, list[int]] = {}
        for row in self._db.select(EndedTurnRow, query):
            numbers.setdefault(row.turn_id, []).append(row.id)
        turns = self._db.select(TurnRow, select_rows(TurnRow).where(TurnRow.c.id.in_(numbers)))
        matches = {
            row.id: row
            for row in self._db.select(
                MatchRow, select_rows(MatchRow).where(MatchRow.c.id.in_({each.match_id for each in turns}))
            )
        }
        replies = self._db.select(
            ReplyRow,
            select_rows(ReplyRow)
            .where(ReplyRow.c.turn_id.in_(numbers), ReplyRow.c.parent_reply_id.is_(None))
            .order_by(ReplyRow.c.order),
        )
        return [
            EndedTurn(
                turn,
                matches[turn.match_id],
                [reply for reply in replies if reply.turn_id == turn.id],
                numbers[turn.id],
            )
            for turn in turns
        ]

    def store(self, ended: EndedTurn, rows: Sequence[AssetRow]) -> None:
        """Bring the library up to date with a turn; what was there before stays, with its tags."""
        self._db.execute(delete(EndedTurnRow.table).where(EndedTurnRow.c.id.in_(ended.numbers)))
        query = select_rows(AssetRow).where(AssetRow.c.turn_id == ended.turn.id, AssetRow.c.origin == "reply")
        before = {_key(row): row for row in self._db.select(AssetRow, query)}
        fresh = {_key(row): row for row in rows}
        gone = [row.id for key, row in before.items() if key not in fresh]
        self._db.execute(delete(AssetTagRow.table).where(AssetTagRow.c.asset_id.in_(gone)))
        self._db.execute(delete(AssetRow.table).where(AssetRow.c.id.in_(gone)))
        self._db.insert(*(row for key, row in fresh.items() if key not in before))

    def prompts(self, turn: TurnRow) -> str:
        """Return the latest question of a match up to a turn."""
        query = (
            select(TurnRow.c.input)
            .where(TurnRow.c.match_id == turn.match_id, TurnRow.c.index <= turn.index)
            .order_by(TurnRow.c.index.desc())
            .limit(20)
        )
        texts = (row[0].get("text") for row in self._db.execute(query))
        return next((text for text in texts if text), "")


def _key(row: AssetRow) -> tuple[object, ...]:
    return (row.reply_id, row.kind, row.part, row.sha256)
