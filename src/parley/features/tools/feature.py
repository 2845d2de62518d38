"""Tools: what models may call in a person's session."""

from parley.engine.clock import WallClock
from parley.engine.runner import Runner
from parley.features.feature import Feature, Personal
from parley.features.tools.mcp_server import McpServer
from parley.features.tools.routes import routes, session_routes
from parley.features.tools.service import SessionToolbox
from parley.features.tools.tables import ToolChoiceRow, ToolGrantRow, ToolRunRow
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.database import Database


def _build(parts: Parts) -> tuple[SessionToolbox]:
    toolbox = SessionToolbox(parts[Database], parts[WallClock])
    parts[Runner].toolbox = toolbox
    for setting in parts[Settings].tool_servers:
        toolbox.add(McpServer(setting))
    return (toolbox,)


FEATURE = Feature(
    name="tools",
    tables=(ToolChoiceRow, ToolGrantRow, ToolRunRow),
    build=_build,
    routes=(routes, session_routes),
    stop=lambda parts: parts[SessionToolbox].close(),
    personal=(
        Personal(
            noun="choice of tools",
            count=lambda parts, caller: parts[SessionToolbox].count(caller),
            erase=lambda parts, caller: parts[SessionToolbox].erase(caller),
        ),
    ),
)
