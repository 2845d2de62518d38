"""Permissions: a route is open to callers with the scope of its contract; one without a contract is closed."""

from starlette.requests import Request

from parley.api.contract import contract_of
from parley.api.deps import CallerDep
from parley.kernel.errors import Forbidden


async def authorise(request: Request, caller: CallerDep) -> None:
    """Check that the caller has permission for the route. Raises Forbidden."""
    contract = contract_of(request.scope.get("route"))
    if contract is not None and contract.allows(caller):
        return
    raise Forbidden(
        "You don't have permission for this.",
        "In personal mode Parley serves only this computer. Use an SSH tunnel from elsewhere.",
    )
