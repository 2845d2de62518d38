"""The queries of data sets and their rows. Everything is looked up together with its owner."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, update

from parley.features.lab.tables import DatasetRow, LabRow
from parley.kernel.errors import NotFound
from parley.kernel.sealing import is_sealed, not_in_sealed
from parley.storage.database import Transaction
from parley.storage.tables.conversations import ReplyRow, TurnRow
from parley.storage.tables.rows import select_rows
from parley.storage.tables.votes import VoteRow

_MANY = 400
"""Ids in one statement."""


MOST_LOST = 500
"""The newest votes against a model that become rows."""


class LostBattle(NamedTuple):
    """A question that a model lost by a vote, and the answer that was preferred; None if all were bad."""

    source: str
    question: str
    preferred: str | None
    reason: str | None


class DatasetsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def all(self, owner_id: str) -> Sequence[DatasetRow]:
        """Return the owner's data sets by name."""
        query = select_rows(DatasetRow).where(DatasetRow.c.owner_id == owner_id)
        return self._db.select(DatasetRow, query.order_by(func.lower(DatasetRow.c.name), DatasetRow.c.id))

    def get(self, owner_id: str, dataset_id: str) -> DatasetRow:
        """Return a data set of the owner. Raises NotFound."""
        same = (DatasetRow.c.id == dataset_id, DatasetRow.c.owner_id == owner_id)
        row = self._db.find(DatasetRow, *same)
        if row is None:
            raise NotFound("This data set doesn't exist.", "It may have been deleted.")
        return row

    def named(self, owner_id: str, name: str) -> DatasetRow | None:
        """Return the owner's data set under a name, or None."""
        return self._db.find(DatasetRow, DatasetRow.c.owner_id == owner_id, DatasetRow.c.name == name)

    def count(self, owner_id: str) -> int:
        """Return how many data sets the owner has."""
        query = select(func.count()).select_from(DatasetRow.table).where(DatasetRow.c.owner_id == owner_id)
        return self._db.scalar(query) or 0

    def rows(
        self,
        dataset_id: str,
        number: int,
        *,
        splits: Sequence[str] = (),
        offset: int = 0,
        limit: int | None = None,
    ) -> list[LabRow]:
        """Return the rows of a version in their order, of all splits or of some."""
        query = select_rows(LabRow).where(_in_version(dataset_id, number))
        if splits:
            query = query.where(LabRow.c.split.in_(splits))
        return self._db.select(
            LabRow, query.order_by(LabRow.c.position, LabRow.c.id).offset(offset).limit(limit)
        )

    def row(self, dataset: DatasetRow, row_id: str) -> LabRow:
        """Return a row of the present version. Raises NotFound."""
        row = self._db.find(LabRow, LabRow.c.id == row_id, _in_version(dataset.id, dataset.number))
        if row is None:
            raise NotFound("This row doesn't exist.", "It may have been changed. Reload to see it.")
        return row

    def splits(self, dataset: DatasetRow) -> dict[str, int]:
        """Return the number of rows in each split of the present version."""
        query = select(LabRow.c.split, func.count()).where(_in_version(dataset.id, dataset.number))
        return {split: int(count) for split, count in self._db.execute(query.group_by(LabRow.c.split))}

    def digests(self, dataset_id: str, number: int) -> list[tuple[str, str, str | None]]:
        """Return hash and split of each row of a version, in their order."""
        query = select(LabRow.c.sha256, LabRow.c.split).where(_in_version(dataset_id, number))
        ordered = query.order_by(LabRow.c.position, LabRow.c.id)
        return [tuple(row) for row in self._db.execute(ordered)]

    def last_position(self, dataset: DatasetRow) -> int:
        """Return the position of the last row; 0 if there is none."""
        here = _in_version(dataset.id, dataset.number)
        return self._db.scalar(select(func.max(LabRow.c.position)).where(here)) or 0

    def add(self, *rows: DatasetRow | LabRow) -> None:
        """Insert a data set, or rows."""
        self._db.insert(*rows)

    def update(self, row: DatasetRow) -> None:
        """Store a changed data set."""
        self._db.update(row)

    def take_out(self, ids: Sequence[str], number: int) -> None:
        """Let rows end before a version."""
        for start in range(0, len(ids), _MANY):
            gone = update(LabRow.table).where(LabRow.c.id.in_(ids[start : start + _MANY]))
            self._db.execute(gone.values(removed_in=number))

    def remove(self, row: DatasetRow) -> None:
        """Delete a data set with its rows."""
        self._db.delete(row)

    def remove_all(self, owner_id: str) -> int:
        """Delete every data set of an owner; return how many."""
        removed = self.count(owner_id)
        self._db.execute(delete(DatasetRow.table).where(DatasetRow.c.owner_id == owner_id))
        return removed

    def question(self, owner_id: str, turn_id: str) -> str | None:
        """Return the question of a turn of the owner, or None."""
        query = select(TurnRow.c.input).where(TurnRow.c.id == turn_id, TurnRow.c.owner_id == owner_id)
        turn_input = self._db.scalar(query)
        if turn_input and is_sealed(turn_input.get("text")):
            raise not_in_sealed("A question can't be copied into a data set", "The copy would not be sealed.")
        return turn_input.get("text") if turn_input else None

    def lost(self, owner_id: str, model_id: str) -> list[LostBattle]:
        """Return what a model lost by the owner's votes that count, the oldest first."""
        columns = VoteRow.c
        query = select_rows(VoteRow).where(
            columns.owner_id == owner_id, columns.turn_id.is_not(None), columns.excluded_reason.is_(None)
        )
        votes = [
            vote
            for vote in self._db.select(VoteRow, query.order_by(columns.seq.desc()))
            if model_id in vote.seat_models.values()
            and vote.choice != "tie"
            and vote.seat_models.get(vote.choice) != model_id
        ]
        return [
            LostBattle(f"vote:{vote.id}", question, self._answer(vote), vote.reason)
            for vote in reversed(votes[:MOST_LOST])
            if vote.turn_id and (question := self.question(owner_id, vote.turn_id))
        ]

    def _answer(self, vote: VoteRow) -> str | None:
        """Return the preferred answer of a vote: the last step, if it called tools."""
        here = (
            ReplyRow.c.turn_id == vote.turn_id,
            ReplyRow.c.seat == vote.choice,
            ReplyRow.c.parent_reply_id.is_(None),
            ReplyRow.c.status == "completed",
        )
        last = (ReplyRow.c.order.desc(), ReplyRow.c.purpose.desc())
        return self._db.scalar(select(ReplyRow.c.text).where(*here).order_by(*last).limit(1))


def _in_version(dataset_id: str, number: int) -> ColumnElement[bool]:
    return and_(
        LabRow.c.dataset_id == dataset_id,
        LabRow.c.added_in <= number,
        or_(LabRow.c.removed_in.is_(None), LabRow.c.removed_in > number),
    )
