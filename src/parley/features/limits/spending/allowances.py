"""The budget of the model gateway: every call is held against all allowances that it falls under."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from parley.features.limits.spending.pools import Pools, Share
from parley.features.limits.spending.repository import GrantedAmount
from parley.features.limits.spending.wording import refused, unpriced
from parley.features.limits.tables import AllowanceRow
from parley.kernel.budget import Hold, Need, Spent
from parley.kernel.calls import Call
from parley.kernel.ports import Clock

HALVES = 3
"""The times that the usual limit of tokens is halved before a call is refused for want of allowance."""

INSTALLATION = ("installation", "")


class AllowanceHold(Hold, frozen=True):
    """A hold with its share of each allowance."""

    shares: tuple[tuple[AllowanceRow, Share], ...] = ()


class _TooLittle(Exception):
    """An allowance has too little left for a call."""

    def __init__(self, row: AllowanceRow, taken: GrantedAmount, need: int) -> None:
        super().__init__(row.id)
        self.row, self.taken, self.need = row, taken, need


class Allowances:
    """Holds and settles calls. The allowances are in memory; `set` replaces them when they change."""

    def __init__(self, pools: Pools, clock: Clock) -> None:
        self.pools = pools
        self._clock = clock
        self._rows: dict[tuple[str, str], list[AllowanceRow]] = {}
        self._name: Callable[[AllowanceRow], str] = lambda row: row.subject_kind

    def set(self, rows: Iterable[AllowanceRow], name: Callable[[AllowanceRow], str]) -> None:
        """Replace the allowances; `name` says whose one is."""
        by_subject: dict[tuple[str, str], list[AllowanceRow]] = {}
        for row in rows:
            by_subject.setdefault((row.subject_kind, row.subject_id), []).append(row)
        self._rows, self._name = by_subject, name

    def of(self, call: Call) -> list[AllowanceRow]:
        """Return the allowances that a call falls under: those of API keys alone, if somebody's own key pays it."""
        if call.payer != "installation":
            return self._rows.get(("api_key", call.key_id), []) if call.key_id else []
        return self.under(call.space_id or call.owner_id, call.author_id or call.owner_id, call.key_id)

    def under(self, space_id: str, author_id: str, key_id: str | None) -> list[AllowanceRow]:
        """Return the allowances that calls of a person fall under, in a space and with a key or none."""
        if not self._rows:
            return []
        subjects = [INSTALLATION, ("person", author_id), ("workspace", space_id)]
        if key_id:
            subjects.append(("api_key", key_id))
        return [row for subject in subjects for row in self._rows.get(subject, ())]

    def limits(self, call: Call) -> bool:
        """Return whether a call falls under any allowance."""
        return bool(self._rows) and bool(self.of(call))

    async def reserve(self, call: Call, need: Need) -> Hold:
        """Hold what a call may use of every allowance. Raises OverBudget, Unavailable; then nothing is held."""
        rows = self.of(call)
        self._check_priced(call, rows, need)
        tokens, fallbacks = _limits_to_try(rows, need)
        for number, limit in enumerate((tokens, *fallbacks)):
            try:
                shares = await self._hold_all(rows, need, limit)
            except _TooLittle as short:
                # A smaller limit helps only if the allowance is one of tokens or money.
                if number < len(fallbacks) and short.row.meter in ("money", "tokens"):
                    continue
                now = datetime.fromtimestamp(self._clock.now(), UTC)
                whose = self._name(short.row)
                raise refused(short.row, whose, short.taken, short.need, now, blind=call.blind) from None
            return AllowanceHold(call, limit if fallbacks or need.output_tokens is None else None, shares)
        raise AssertionError("one of the limits was tried last")

    def settle(self, hold: Hold, spent: Spent) -> None:
        """Replace a hold with what the call used."""
        if isinstance(hold, AllowanceHold):
            for row, share in hold.shares:
                self.pools.settle(share, _used(row, spent))

    async def _hold_all(
        self, rows: Sequence[AllowanceRow], need: Need, limit: int | None
    ) -> tuple[tuple[AllowanceRow, Share], ...]:
        """Hold a call's part of all allowances, or of none. Raises _TooLittle."""
        shares: list[tuple[AllowanceRow, Share]] = []
        try:
            for row in rows:
                amount = _needed(row, need, limit or 0)
                share = await self.pools.hold(row, amount) if amount else self.pools.counted(row)
                if isinstance(share, GrantedAmount):
                    raise _TooLittle(row, share, amount)
                shares.append((row, share))
        except BaseException:
            for _, share in shares:
                self.pools.release(share)
            raise
        return tuple(shares)

    def _check_priced(self, call: Call, rows: Sequence[AllowanceRow], need: Need) -> None:
        for row in rows:
            if row.meter == "money" and row.unpriced == "refuse" and need.prices is None:
                raise unpriced(self._name(row), blind=call.blind)


def _limits_to_try(rows: Sequence[AllowanceRow], need: Need) -> tuple[int | None, tuple[int, ...]]:
    """Return the limit of tokens for a call, and smaller ones to try where the question sets none.

    Only allowances of tokens, and of money for models that are not free, need a limit.
    """
    if need.output_tokens is not None:
        return need.output_tokens, ()
    costs = need.prices is not None and not need.prices.is_free
    if not any(row.meter == "tokens" or (row.meter == "money" and costs) for row in rows):
        return None, ()
    smaller = tuple(need.usual_tokens >> times for times in range(1, HALVES + 1))
    return need.usual_tokens, tuple(tokens for tokens in smaller if tokens > 0)


def _needed(row: AllowanceRow, need: Need, output_tokens: int) -> int:
    match row.meter:
        case "money":
            return need.micros(output_tokens) or 0
        case "tokens":
            return need.tokens(output_tokens)
        case "images":
            return need.images
        case _:
            return 1


def _used(row: AllowanceRow, spent: Spent) -> int:
    match row.meter:
        case "money":
            return spent.micros or 0
        case "tokens":
            return spent.tokens
        case "images":
            return spent.images
        case _:
            return int(spent.sent)
