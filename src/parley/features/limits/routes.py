"""Routes of limits: an administrator's, and what a person sees of their own."""

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.limits.rates.rules import Who
from parley.features.limits.schemas import (
    ChangeLimit,
    LimitList,
    LimitView,
    NewLimit,
    RaiseLimit,
    RatesView,
    SetRate,
    SubjectList,
)
from parley.features.limits.service import Limits
from parley.kernel.caller import Scope

everyones = Routes("/api/limits", tag="limits", needs=Scope.MANAGE)
mine = Routes("/api/me/limits", tag="limits", needs=Scope.READ)


@mine.get(personal=True)
async def list_my_limits(app: App, caller: CallerDep) -> LimitList:
    """List the limits that your calls fall under."""
    return LimitList(list(await app[Limits].mine(caller)))


@everyones.get()
async def list_limits(app: App, caller: CallerDep) -> LimitList:
    """List all limits with their use."""
    return LimitList(list(await app[Limits].list(caller)))


@everyones.get("/subjects")
async def list_limit_subjects(app: App) -> SubjectList:
    """List everything that a limit can be for: the installation, people, workspaces and API keys."""
    return SubjectList(list(await app[Limits].subjects()))


@everyones.get("/rates")
async def read_rates(app: App) -> RatesView:
    """Read how many questions a minute, and calls at once, each person and each API key may make."""
    return app[Limits].rates()


@everyones.put("/rates/{who}", example={"per_minute": 60, "at_once": 4})
async def set_rate(who: Who, body: SetRate, app: App) -> RatesView:
    """Set the questions a minute and the calls at once of each `person`, or of each `api_key`."""
    return await app[Limits].set_rate(who, body)


@everyones.post(
    errors=("limit_exists", "too_many_limits"),
    example={"subject_kind": "installation", "meter": "money", "period": "month", "cap": 600_000_000},
)
async def add_limit(body: NewLimit, app: App, caller: CallerDep) -> LimitView:
    """Add a limit; what was used before does not count."""
    return await app[Limits].add(caller, body)


@everyones.patch("/{limit_id}", example={"cap": 700_000_000})
async def change_limit(limit_id: str, body: ChangeLimit, app: App) -> LimitView:
    """Change the cap, the warning, or what happens to models without a price."""
    return await app[Limits].change(limit_id, body)


@everyones.put("/{limit_id}/raise", example={"by": 50_000_000, "until": "2099-12-01T00:00:00Z"})
async def raise_limit(limit_id: str, body: RaiseLimit, app: App) -> LimitView:
    """Raise a cap until a time."""
    return await app[Limits].raise_for_now(limit_id, body)


@everyones.delete("/{limit_id}/raise")
async def end_raise(limit_id: str, app: App) -> LimitView:
    """End a raise."""
    return await app[Limits].end_raise(limit_id)


@everyones.delete("/{limit_id}/unconfirmed")
async def forgive_unconfirmed(limit_id: str, app: App) -> LimitView:
    """Subtract what a killed process may not have used from what was spent."""
    return await app[Limits].forgive(limit_id)


@everyones.delete("/{limit_id}")
async def remove_limit(limit_id: str, app: App) -> None:
    """Remove a limit."""
    await app[Limits].remove(limit_id)
