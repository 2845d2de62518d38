"""The words of amounts, and of a call that an allowance refuses."""

from datetime import datetime

from parley.features.limits.periods import period_at
from parley.features.limits.spending.repository import GrantedAmount
from parley.features.limits.tables import AllowanceRow
from parley.kernel.errors import OverBudget, UsedUp


def amount_text(meter: str, amount: int) -> str:
    """Return an amount with its unit, as in “$4.10” or “40,000 tokens”."""
    if meter == "money":
        return (
            f"${amount / 1e6:,.2f}" if amount >= 10_000 or not amount else f"${amount / 1e6:.6f}".rstrip("0")
        )
    return f"{amount:,} {meter[:-1] if amount == 1 else meter}"


def wait_text(seconds: float) -> str:
    """Return a time to wait in words: “8 h 12 min”, “3 d 8 h”."""
    minutes = max(1, round(seconds / 60))
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {rest} min" if hours else f"{rest} min"


def refused(
    row: AllowanceRow, whose: str, taken: GrantedAmount, need: int, now: datetime, *, blind: bool
) -> UsedUp:
    """Return the error of a call that does not fit: what is left, what was needed, when it resets, what to do.

    Of a blind call it does not say what was needed: that tells a model by its price.
    """
    wait_s = (period_at(row.period, now).ends_at - now).total_seconds()
    left = amount_text(row.meter, taken.left)
    period = "today" if row.period == "day" else "this month"
    if taken.left <= 0:
        cap = amount_text(row.meter, taken.cap)
        title = f"{whose} has used up its {cap} of {period}."
    elif blind:
        title = f"{whose} has too little left of its limit {period} for this call."
    else:
        title = f"{whose} has {left} left {period}, and this call may take {amount_text(row.meter, need)}."
    advice = "Lower the limit of tokens, or ask" if row.meter in ("money", "tokens") and not blind else "Ask"
    return UsedUp(
        title,
        f"Nothing was sent, and everything so far is saved. The limit resets in {wait_text(wait_s)}. "
        f"{advice} an administrator for a raise.",
        retry_after_s=max(1, round(wait_s)),
    )


def unpriced(whose: str, *, blind: bool) -> OverBudget:
    """Return the error of a call whose cost nobody knows."""
    return OverBudget(
        "This model has no price, so its calls can’t be counted."
        if not blind
        else "A model without a price can’t be asked.",
        f"Nothing was sent. {whose} has a limit in money that refuses models without a price. Enter its prices under "
        "Models, or choose another model.",
        code="model_without_price",
    )
