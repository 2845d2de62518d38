"""The queries of allowances and of their use."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import case, delete, func, select, update

from parley.features.limits.tables import AllowancePeriodRow, AllowanceRow, RequestRateRow
from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_replace
from parley.storage.tables.conversations import MatchRow
from parley.storage.tables.rows import select_rows

_ROW, _PERIOD = AllowanceRow.c, AllowancePeriodRow.c
_KINDS = ("installation", "workspace", "person", "api_key")


class LimitsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def all(self) -> Sequence[AllowanceRow]:
        """Return every allowance, those of the installation first."""
        order = case({kind: place for place, kind in enumerate(_KINDS)}, value=_ROW.subject_kind)
        query = select_rows(AllowanceRow).order_by(order, _ROW.subject_id, _ROW.created_at, _ROW.id)
        return self._db.select(AllowanceRow, query)

    def rates(self) -> Sequence[RequestRateRow]:
        """Return the rates that are set."""
        return self._db.select(RequestRateRow, select_rows(RequestRateRow))

    def set_rate(self, row: RequestRateRow) -> None:
        """Store a rate in place of the one before."""
        columns = ("per_minute", "at_once")
        values = {name: getattr(row, name) for name in ("who", *columns)}
        self._db.run(insert_or_replace(self._db, RequestRateRow, "who", columns), [values])

    def get(self, limit_id: str) -> AllowanceRow:
        """Return an allowance. Raises NotFound."""
        row = self._db.find(AllowanceRow, _ROW.id == limit_id)
        if row is None:
            raise NotFound("This limit doesn't exist.", "It may have been removed.")
        return row

    def count(self) -> int:
        """Return how many allowances there are."""
        return self._db.scalar(select(func.count()).select_from(AllowanceRow.table)) or 0

    def of_kind(self, subject_kind: str, subject_id: str, meter: str, period: str) -> AllowanceRow | None:
        """Return a subject's allowance of a meter and period."""
        return self._db.find(
            AllowanceRow,
            _ROW.subject_kind == subject_kind,
            _ROW.subject_id == subject_id,
            _ROW.meter == meter,
            _ROW.period == period,
        )

    def add(self, row: AllowanceRow) -> None:
        """Insert an allowance."""
        self._db.insert(row)

    def update(self, row: AllowanceRow) -> None:
        """Store a changed allowance."""
        self._db.update(row)

    def remove(self, row: AllowanceRow) -> None:
        """Delete an allowance with its use."""
        self._db.execute(delete(AllowancePeriodRow.table).where(_PERIOD.allowance_id == row.id))
        self._db.delete(row)

    def use(self, limit_id: str, period_start: str) -> AllowancePeriodRow:
        """Return the use of an allowance in a period."""
        row = self._db.find(
            AllowancePeriodRow, _PERIOD.allowance_id == limit_id, _PERIOD.period_start == period_start
        )
        return row or AllowancePeriodRow(limit_id, period_start)

    def forgive(self, limit_id: str, period_start: str) -> None:
        """Subtract what is unconfirmed from what was spent."""
        where = (_PERIOD.allowance_id == limit_id, _PERIOD.period_start == period_start)
        left = {"spent": _PERIOD.spent - _PERIOD.unconfirmed, "unconfirmed": 0}
        self._db.execute(update(AllowancePeriodRow.table).where(*where).values(left))

    def forget_before(self, period_start: str) -> None:
        """Delete the use of periods that began before a day."""
        self._db.execute(delete(AllowancePeriodRow.table).where(_PERIOD.period_start < period_start))

    def is_blind(self, owner_ids: Sequence[str], since: datetime) -> bool:
        """Return whether a blind match of some owners is open, of those that began since a time."""
        match = MatchRow.c
        query = select(match.id).where(
            match.owner_id.in_(owner_ids), match.blind, match.status == "open", match.created_at > since
        )
        return self._db.scalar(query.limit(1)) is not None
