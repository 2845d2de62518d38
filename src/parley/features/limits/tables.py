"""The tables of allowances: their terms, the use of each period, and the slices that processes hold."""

from typing import Annotated

from sqlalchemy import Integer, String, UniqueConstraint

from parley.storage.tables.rows import Id, Key, Name, Row, Time, column, stored_in


@stored_in("allowances", UniqueConstraint("subject_kind", "subject_id", "meter", "period"))
class AllowanceRow(Row):
    """A cap on what one subject may use in a day or a month; see `limits.schemas.NewLimit` for its fields.

    `cap` is in the unit of its meter, money in micro-dollars. `raised_by` is added to it until `raised_until`.
    """

    id: Key
    subject_kind: Annotated[str, String(16)]
    subject_id: Id
    meter: Annotated[str, String(16)]
    period: Annotated[str, String(8)]
    cap: int
    warn_percent: Annotated[int, Integer]
    unpriced: Annotated[str, String(8)]
    raised_by: int | None
    raised_until: Time | None
    created_by: Id
    created_at: Time
    updated_at: Time


@stored_in("request_rates")
class RequestRateRow(Row):
    """The questions a minute and the calls at once of each person, or of each API key; null is no limit."""

    who: Annotated[str, String(16), column(primary_key=True)]
    per_minute: Annotated[int | None, Integer]
    at_once: Annotated[int | None, Integer]


@stored_in("allowance_periods")
class AllowancePeriodRow(Row):
    """The use of an allowance in one period, named by its first day.

    `spent` is settled, `granted` is with processes. `unconfirmed` is the part of `spent` that a killed process may or
    may not have used.
    """

    allowance_id: Annotated[
        str, String(32), column(primary_key=True, references="allowances.id", ondelete="CASCADE")
    ]
    period_start: Annotated[str, String(10), column(primary_key=True)]
    spent: int = 0
    granted: int = 0
    unconfirmed: int = 0


@stored_in("allowance_grants", UniqueConstraint("process_id", "allowance_id", "period_start"))
class AllowanceGrantRow(Row):
    """The slice of an allowance that a process may hand out; it counts as spent if the process is gone at its end.

    `amount` is what is left of it. `reported` was spent of it before, and is counted.
    """

    id: Key
    process_id: Name
    allowance_id: Annotated[Id, column(references="allowances.id", ondelete="CASCADE")]
    period_start: Annotated[str, String(10)]
    amount: int
    expires_at: Time
    reported: int = 0
