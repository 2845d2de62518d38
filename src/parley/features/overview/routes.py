"""The route of the overview."""

from parley.api.contract import Routes
from parley.api.deps import App
from parley.features.overview.schemas import Overview
from parley.features.overview.service import OverviewService
from parley.kernel.caller import Scope

routes = Routes("/api", tag="overview", needs=Scope.MANAGE)


@routes.get("/overview")
async def read_overview(app: App) -> Overview:
    """Read what runs and waits now, how many people there are, what is stored, and which providers fail."""
    return await app[OverviewService].read()
