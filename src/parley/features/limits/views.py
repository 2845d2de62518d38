"""Views of limits: an allowance with its use, as the page shows it."""

from datetime import datetime
from typing import cast

from parley.features.limits.periods import PeriodKind, period_at
from parley.features.limits.schemas import LimitView, MeterKind, Subject, SubjectKind, Unpriced
from parley.features.limits.spending.pools import Pool
from parley.features.limits.spending.repository import cap_of
from parley.features.limits.tables import AllowancePeriodRow, AllowanceRow

STEPS = 100
"""Rounded figures are multiples of this part of the cap, so that none tells what one call cost."""


def view_of(
    row: AllowanceRow, use: AllowancePeriodRow, pool: Pool, name: str, now: datetime, *, rounded: bool
) -> LimitView:
    """Return a limit with its use in this period; `pool` has what this process has not reported yet."""
    cap = cap_of(row, now)
    spent, held = use.spent + pool.spent, pool.held
    if rounded and row.meter in ("money", "tokens"):
        step = max(1, cap // STEPS)
        spent, held = -(-spent // step) * step, -(-held // step) * step
    is_raised = cap != row.cap
    return LimitView(
        id=row.id,
        subject=Subject(cast("SubjectKind", row.subject_kind), row.subject_id, name),
        meter=cast("MeterKind", row.meter),
        period=cast("PeriodKind", row.period),
        cap=cap,
        warn_percent=row.warn_percent,
        unpriced=cast("Unpriced", row.unpriced),
        raised_by=row.raised_by if is_raised else None,
        raised_until=row.raised_until.isoformat() if is_raised and row.raised_until else None,
        spent=spent,
        held=held,
        left=max(0, cap - spent - held),
        unconfirmed=use.unconfirmed,
        resets_at=period_at(row.period, now).ends_at.isoformat(),
        is_near=(spent + held) * 100 >= cap * row.warn_percent,
        rounded=rounded,
    )
