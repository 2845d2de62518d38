"""Quotas: what rates and allowances leave a caller, for the headers of the door's answers."""

from collections.abc import Iterable
from datetime import UTC, datetime

from parley.features.limits.periods import period_at
from parley.features.limits.rates.keeper import RateKeeper
from parley.features.limits.repository import LimitsRepository
from parley.features.limits.schemas import LimitView
from parley.features.limits.spending.allowances import Allowances
from parley.features.limits.tables import AllowancePeriodRow, AllowanceRow
from parley.features.limits.views import view_of
from parley.kernel.caller import Caller, Scope
from parley.kernel.ports import Clock
from parley.kernel.rates import CallerQuotas, Quota, Quotas
from parley.storage.database import Database, Transaction


class StoredQuotas(CallerQuotas):
    """Reads the rate of a caller, and their allowances."""

    def __init__(self, database: Database, allowances: Allowances, keeper: RateKeeper, clock: Clock) -> None:
        self._database = database
        self._allowances = allowances
        self._keeper = keeper
        self._clock = clock

    async def of(self, caller: Caller) -> Quotas:
        """Return what is left; the installation's allowance counts once it is near, as on the page."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        views = [view for view in await self._views(caller, now) if _is_shown(view, caller)]
        rate = await self._keeper.quota(caller)
        requests = _quotas(views, "requests", now)
        return Quotas(
            _tightest([rate, *requests] if rate else requests),
            _tightest(_quotas(views, "tokens", now)),
            _tightest(_quotas(views, "money", now)),
        )

    async def _views(self, caller: Caller, now: datetime) -> list[LimitView]:
        key_id = caller.key.id if caller.key else None
        rows = self._allowances.under(caller.space_id, caller.author_id, key_id)
        if not rows:
            return []

        def read(transaction: Transaction) -> list[tuple[AllowanceRow, AllowancePeriodRow]]:
            limits = LimitsRepository(transaction)
            return [(row, limits.use(row.id, period_at(row.period, now).start)) for row in rows]

        pools = self._allowances.pools
        # No blind call counts against an API key alone, so only its figures are exact.
        return [
            view_of(row, use, pools.of(row), "", now, rounded=row.subject_kind != "api_key")
            for row, use in await self._database.read(read)
        ]


def _is_shown(view: LimitView, caller: Caller) -> bool:
    return view.subject.kind != "installation" or view.is_near or Scope.MANAGE in caller.scopes


def _quotas(views: Iterable[LimitView], meter: str, now: datetime) -> list[Quota]:
    return [
        Quota(view.cap, view.left, (datetime.fromisoformat(view.resets_at) - now).total_seconds())
        for view in views
        if view.meter == meter
    ]


def _tightest(quotas: list[Quota]) -> Quota | None:
    """Return the quota with the least left; of two with as little, the one that takes longer."""
    return min(quotas, key=lambda quota: (quota.left, -quota.resets_in_s), default=None)
