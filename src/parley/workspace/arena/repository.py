"""The arena's queries. Everything that belongs to somebody is looked up together with its owner."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from parley.kernel.errors import NotFound
from parley.storage.dialects import insert_or_ignore
from parley.storage.tables.bookkeeping import Receipt
from parley.storage.tables.conversations import Match, Reply, Seat, Session, Turn, TurnEvent, User
from parley.storage.tables.judgements import Elo, Vote


class ArenaRepository:
    """Queries on one open transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._db = session

    def add(self, *rows: Session | Match | Seat | Turn | Vote | Receipt | Elo) -> None:
        """Insert rows with the transaction."""
        self._db.add_all(rows)

    async def flush(self) -> None:
        """Send what was added, so that later rows may refer to it."""
        await self._db.flush()

    async def session(self, owner_id: str, session_id: str) -> Session:
        """Return a session of the owner that is not deleted. Raises NotFound."""
        query = select(Session).where(
            Session.id == session_id, Session.owner_id == owner_id, Session.deleted_at.is_(None)
        )
        row = await self._db.scalar(query)
        if row is None:
            raise NotFound("There is no such session.", "It may have been deleted.")
        return row

    async def match(self, owner_id: str, match_id: str, *, lock: bool = False) -> Match:
        """Return a match of the owner in a session that is not deleted. Raises NotFound."""
        query = (
            select(Match)
            .join(Session, Session.id == Match.session_id)
            .where(Match.id == match_id, Match.owner_id == owner_id, Session.deleted_at.is_(None))
        )
        row = await self._db.scalar(query.with_for_update(of=Match) if lock else query)
        if row is None:
            raise NotFound("There is no such match.", "Its session may have been deleted.")
        return row

    async def turn(self, owner_id: str, turn_id: str) -> Turn:
        """Return a turn of the owner in a session that is not deleted. Raises NotFound."""
        query = (
            select(Turn)
            .join(Session, Session.id == Turn.session_id)
            .where(Turn.id == turn_id, Turn.owner_id == owner_id, Session.deleted_at.is_(None))
        )
        row = await self._db.scalar(query)
        if row is None:
            raise NotFound("There is no such turn.", "Its session may have been deleted.")
        return row

    async def matches(self, session_id: str) -> Sequence[Match]:
        """Return a session's matches, oldest first."""
        query = select(Match).where(Match.session_id == session_id).order_by(Match.index)
        return (await self._db.scalars(query)).all()

    async def seats(self, match_ids: Sequence[str]) -> Sequence[Seat]:
        """Return the seats of matches, in their order."""
        query = select(Seat).where(Seat.match_id.in_(match_ids)).order_by(Seat.match_id, Seat.index)
        return (await self._db.scalars(query)).all()

    async def turns(self, match_ids: Sequence[str]) -> Sequence[Turn]:
        """Return the turns of matches, oldest first."""
        query = select(Turn).where(Turn.match_id.in_(match_ids)).order_by(Turn.match_id, Turn.index)
        return (await self._db.scalars(query)).all()

    async def replies(self, turn_ids: Sequence[str]) -> Sequence[Reply]:
        """Return the replies of turns; inner replies of ensembles are left out."""
        query = select(Reply).where(Reply.turn_id.in_(turn_ids), Reply.parent_reply_id.is_(None))
        return (await self._db.scalars(query)).all()

    async def notes(self, turn_ids: Sequence[str]) -> Sequence[tuple[str, dict[str, Any]]]:
        """Return (turn id, event data) of the turns' notes, in order."""
        query = (
            select(TurnEvent.turn_id, TurnEvent.data)
            .where(TurnEvent.turn_id.in_(turn_ids), TurnEvent.kind == "note.added")
            .order_by(TurnEvent.turn_id, TurnEvent.seq)
        )
        return [(turn_id, data) for turn_id, data in (await self._db.execute(query)).all()]

    async def votes(self, match_ids: Sequence[str]) -> Sequence[Vote]:
        """Return the votes on matches."""
        return (await self._db.scalars(select(Vote).where(Vote.match_id.in_(match_ids)))).all()

    async def next_match_index(self, session_id: str) -> int:
        """Return the index that the session's next match gets."""
        query = select(func.coalesce(func.max(Match.index) + 1, 0)).where(Match.session_id == session_id)
        return int(await self._db.scalar(query) or 0)

    async def touch(self, session_id: str, now: datetime, mode: str | None = None) -> None:
        """Move a session to the top of the list."""
        values: dict[str, Any] = {"updated_at": now, **({"mode": mode} if mode else {})}
        await self._db.execute(update(Session).where(Session.id == session_id).values(values))

    async def claim_receipt(self, owner_id: str, key: str, request_sha256: str, now: datetime) -> bool:
        """Take an idempotency key; False where it is taken. Waits for another transaction that is taking it."""
        row: dict[str, Any] = {
            "owner_id": owner_id,
            "key": key,
            "request_sha256": request_sha256,
            "result": {},
            "created_at": now,
        }
        taken = await self._db.execute(insert_or_ignore(self._db, Receipt, row).returning(Receipt.key))
        return taken.first() is not None

    async def fill_receipt(self, owner_id: str, key: str, result: dict[str, Any]) -> None:
        """Store what an idempotency key stands for."""
        query = update(Receipt).where(Receipt.owner_id == owner_id, Receipt.key == key)
        await self._db.execute(query.values(result=result))

    async def receipt(self, owner_id: str, key: str) -> Receipt:
        """Return what an idempotency key that is taken stands for."""
        return await self._db.get_one(Receipt, (owner_id, key))

    async def voter_id(self, owner_id: str) -> str:
        """Return the pseudonym under which a person's votes are kept."""
        return str(await self._db.scalar(select(User.voter_id).where(User.id == owner_id)))

    async def ensure_elo(self, model_ids: Sequence[str], rating: float, now: datetime) -> None:
        """Give models their first Elo where they have none."""
        for model_id in sorted(model_ids):
            row = {"model_id": model_id, "rating": rating, "votes": 0, "updated_at": now}
            await self._db.execute(insert_or_ignore(self._db, Elo, row))

    async def lock_elo(self, model_ids: Sequence[str]) -> dict[str, Elo]:
        """Lock the Elo rows of models, in id order so that two votes cannot wait for each other."""
        query = select(Elo).where(Elo.model_id.in_(model_ids)).order_by(Elo.model_id).with_for_update()
        return {row.model_id: row for row in await self._db.scalars(query)}
