"""Limits: allowances that the model gateway keeps, for the installation, people, workspaces and API keys."""

from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.engine.later_budget import LaterBudget
from parley.features.feature import Feature, every
from parley.features.limits.call_limits import CallLimits
from parley.features.limits.quotas import StoredQuotas
from parley.features.limits.rates.keeper import RateKeeper
from parley.features.limits.rates.leases import Leases
from parley.features.limits.rates.places import RENEW_S, Places
from parley.features.limits.routes import everyones, mine
from parley.features.limits.service import Limits
from parley.features.limits.spending.allowances import Allowances
from parley.features.limits.spending.pools import Pools
from parley.features.limits.tables import (
    AllowanceGrantRow,
    AllowancePeriodRow,
    AllowanceRow,
    RequestRateRow,
)
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.database import Database

REPORT_S = 2.0
DAY_S = 24 * 3600.0


def _build(parts: Parts) -> Sequence[object]:
    database, clock = parts[Database], parts[WallClock]
    allowances = Allowances(Pools(database, clock), clock)
    url = parts[Settings].redis_url or parts[Settings].cache_url
    places = Places(None if url == "memory" else Leases(url))
    keeper = RateKeeper(url)
    quotas = StoredQuotas(database, allowances, keeper, clock)
    parts[LaterBudget].admit(CallLimits(places, allowances))
    return keeper, places, quotas, Limits(database, allowances, clock, keeper, places)


FEATURE = Feature(
    name="limits",
    needs=("accounts", "openai_api"),
    tables=(AllowanceRow, AllowancePeriodRow, AllowanceGrantRow, RequestRateRow),
    build=_build,
    routes=(mine, everyones),
    start=lambda parts: parts[Limits].open(),
    stop=lambda parts: parts[Limits].close(),
    background=(
        every(RENEW_S, lambda parts: parts[Places].renew(), "renew the places of running calls", once=False),
        every(REPORT_S, lambda parts: parts[Limits].report(), "write what allowances have spent", once=False),
        every(DAY_S, lambda parts: parts[Limits].forget_old(), "delete old periods of allowances"),
    ),
)
