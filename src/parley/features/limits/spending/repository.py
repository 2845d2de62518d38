"""The statements that move an allowance: to processes in slices, and back as what was spent."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import delete, select, update

from parley.features.limits.tables import AllowanceGrantRow, AllowancePeriodRow, AllowanceRow
from parley.kernel.ids import random_id
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.tables.rows import select_rows

LAST_SHARE = 20
"""The last twentieth of a cap is handed out call by call."""

SLICE_SHARE = 50
SLICE_CALLS = 10
"""A process takes a fiftieth of a cap at a time, or as much as ten such calls need."""

_PERIOD, _GRANT = AllowancePeriodRow, AllowanceGrantRow


class Place(NamedTuple):
    """A period of an allowance, as one process sees it."""

    process_id: str
    allowance_id: str
    period_start: str


class SliceGone(Exception):
    """The slice of a process has expired: all of it counts as spent."""


class GrantedAmount(NamedTuple):
    """The answer to a process: the amount it may hand out; 0 if less than it needs is `left` of the `cap`."""

    amount: int
    left: int
    cap: int


def cap_of(row: AllowanceRow, now: datetime) -> int:
    """Return the cap at a time, raised or not."""
    raised = row.raised_by is not None and row.raised_until is not None and now < row.raised_until
    return row.cap + (row.raised_by or 0 if raised else 0)


class SpendingRepository:
    """Statements on one open transaction; each changes a period by a condition, so processes never pass its cap."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def take(
        self, place: Place, need: int, now: datetime, expires_at: datetime, *, has_slice: bool
    ) -> GrantedAmount | None:
        """Grant at least `need` to a process, and a slice while plenty is left; None without the allowance.

        `has_slice`: it adds to the one that the process has. Raises SliceGone, then nothing is granted.
        """
        row = self._db.find(AllowanceRow, AllowanceRow.c.id == place.allowance_id)
        if row is None:
            return None
        cap = cap_of(row, now)
        self._ensure(place)
        if not self._grant(place, need, cap):
            return GrantedAmount(0, max(0, cap - self._used(place)), cap)
        left = cap - self._used(place)
        slice_ = max(cap // SLICE_SHARE, SLICE_CALLS * need) - need
        extra = min(slice_, left - cap // LAST_SHARE)
        amount = need + (extra if extra > 0 and self._grant(place, extra, cap) else 0)
        self._add_to_grant(place, amount, expires_at, has_slice=has_slice)
        return GrantedAmount(amount, max(0, cap - self._used(place)), cap)

    def report(self, place: Place, spent: int, amount: int, expires_at: datetime) -> bool:
        """Settle what a process has spent of its slice, and shrink that to `amount`, which stays until `expires_at`.

        `spent` is all since the slice was taken, so a report counts once however often it is sent. Returns False if
        the slice is gone: all of it counts as spent already.
        """
        self._lock(place)
        where = _where(_GRANT, place)
        grant = self._db.find(AllowanceGrantRow, *where)
        if grant is None:
            return False
        if amount > 0:
            left = {"amount": amount, "reported": spent, "expires_at": expires_at}
            self._db.execute(update(_GRANT.table).where(*where).values(left))
        else:
            self._db.execute(delete(_GRANT.table).where(*where))
        self._change(place, spent=spent - grant.reported, granted=amount - grant.amount)
        return True

    def count(self, place: Place, spent: int) -> None:
        """Count what a process has spent without a slice."""
        self._ensure(place)
        self._change(place, spent=spent, granted=0)

    def settle_expired(self, now: datetime | None, process_id: str) -> Sequence[AllowanceGrantRow]:
        """Count the slices of processes that are gone as spent, unconfirmed; without a time, all but one's own."""
        gone = [_GRANT.c.process_id != process_id]
        if now is not None:
            gone.append(_GRANT.c.expires_at < now)
        # In one order: two processes that do this at once never wait for each other both.
        order = _GRANT.c.allowance_id, _GRANT.c.period_start
        expired: list[AllowanceGrantRow] = []
        for each in self._db.select(
            AllowanceGrantRow, select_rows(AllowanceGrantRow).where(*gone).order_by(*order)
        ):
            place = Place(each.process_id, each.allowance_id, each.period_start)
            self._lock(place)
            # Its process may have renewed it, or another one settled it.
            grant = self._db.find(AllowanceGrantRow, _GRANT.c.id == each.id, *gone)
            if grant is not None:
                self._db.delete(grant)
                self._change(place, spent=grant.amount, granted=-grant.amount, unconfirmed=grant.amount)
                expired.append(grant)
        return expired

    def _lock(self, place: Place) -> None:
        """Let no other process change a period or its slices until this transaction ends."""
        self._db.execute(select(_PERIOD.c.spent).where(*_of_period(place)).with_for_update())

    def _ensure(self, place: Place) -> None:
        row = {"allowance_id": place.allowance_id, "period_start": place.period_start}
        self._db.run(insert_or_ignore(self._db, AllowancePeriodRow), [row | _NOTHING])

    def _grant(self, place: Place, amount: int, cap: int) -> bool:
        fits = _PERIOD.c.spent + _PERIOD.c.granted + amount <= cap
        statement = update(_PERIOD.table).where(*_of_period(place), fits)
        return self._db.execute(statement.values(granted=_PERIOD.c.granted + amount)).rowcount > 0

    def _used(self, place: Place) -> int:
        query = select(_PERIOD.c.spent + _PERIOD.c.granted).where(*_of_period(place))
        return int(self._db.scalar(query) or 0)

    def _add_to_grant(self, place: Place, amount: int, expires_at: datetime, *, has_slice: bool) -> None:
        values = {"amount": _GRANT.c.amount + amount, "expires_at": expires_at}
        statement = update(_GRANT.table).where(*_where(_GRANT, place)).values(values)
        if not self._db.execute(statement).rowcount:
            if has_slice:
                raise SliceGone
            self._db.insert(AllowanceGrantRow(random_id(), *place, amount, expires_at))

    def _change(self, place: Place, *, spent: int, granted: int, unconfirmed: int = 0) -> None:
        statement = update(_PERIOD.table).where(*_of_period(place))
        self._db.execute(
            statement.values(
                spent=_PERIOD.c.spent + spent,
                granted=_PERIOD.c.granted + granted,
                unconfirmed=_PERIOD.c.unconfirmed + unconfirmed,
            )
        )


_NOTHING = {"spent": 0, "granted": 0, "unconfirmed": 0}


def _of_period(place: Place) -> tuple[Any, Any]:
    return _PERIOD.c.allowance_id == place.allowance_id, _PERIOD.c.period_start == place.period_start


def _where(kind: type[AllowanceGrantRow], place: Place) -> tuple[Any, Any, Any]:
    return (
        kind.c.process_id == place.process_id,
        kind.c.allowance_id == place.allowance_id,
        kind.c.period_start == place.period_start,
    )
