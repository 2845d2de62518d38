"""Permissions: a route is open to callers with the scope of its contract; one without a contract is closed."""

from starlette.requests import Request

from parley.api.contract import contract_of
from parley.api.deps import App, CallerDep
from parley.api.quota_headers import remember_asker
from parley.kernel.caller import Callers
from parley.kernel.rates import RequestRates


async def authorise(request: Request, app: App, caller: CallerDep) -> None:
    """Check that the caller has permission for the route. Raises Unknown, Forbidden, TooMany."""
    contract = contract_of(request.scope.get("route"))
    if contract is not None and contract.allows(caller):
        if contract.asks:
            remember_asker(request, app, caller)
            await app[RequestRates].count(caller)
        return
    raise app[Callers].refusal(caller)
