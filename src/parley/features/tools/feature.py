"""Tools: what models may call in a person's session."""

from collections.abc import AsyncIterator, Sequence

from parley.engine.clock import WallClock
from parley.engine.runner import Runner
from parley.features.catalog.connections import outgoing_of
from parley.features.catalog.opening import secrets_of
from parley.features.catalog.providers import ProvidersService
from parley.features.feature import Feature, Personal
from parley.features.tools.mcp_server import McpServer
from parley.features.tools.routes import routes, server_routes, session_routes
from parley.features.tools.schemas import ExportedSignIn
from parley.features.tools.service import SessionToolbox
from parley.features.tools.sign_in.service import ToolSignIns
from parley.features.tools.tables import ToolChoiceRow, ToolGrantRow, ToolRunRow, ToolSignInRow
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.plugins.registry import Registry
from parley.settings import Settings
from parley.storage.database import Database
from parley.wire.http import HttpClient, WireOptions
from parley.wire.tool_servers import ToolServerSetting
from parley.wire.tool_sign_in import ToolSignIn


def _build(parts: Parts) -> Sequence[object]:
    settings, providers = parts[Settings], parts[ProvidersService]
    sign_ins = ToolSignIns(
        parts[Database],
        parts[WallClock],
        secrets_of(settings),
        providers.sealing,
        [
            (each, ToolSignIn(each, _http(settings, each)))
            for each in settings.tool_servers
            if each.takes_sign_in
        ],
    )
    providers.also_seal(sign_ins.seal_again)
    toolbox = SessionToolbox(parts[Database], parts[WallClock], sign_ins)
    parts[Runner].toolbox = toolbox
    for setting in settings.tool_servers:
        toolbox.add(McpServer(setting, sign_ins))
    for source in parts[Registry].tools:
        toolbox.add(source)
    return toolbox, sign_ins


def _http(settings: Settings, server: ToolServerSetting) -> HttpClient:
    """Return the client for one server's sign-in: another server's address in a private network is closed to it."""
    allowed = frozenset((server.url or "", *server.sign_in_at))
    return HttpClient(WireOptions(allowed_origins=allowed, outgoing=outgoing_of(settings)))


async def _stop(parts: Parts) -> None:
    await parts[SessionToolbox].close()
    await parts[ToolSignIns].close()


async def _export(parts: Parts, caller: Caller) -> AsyncIterator[ExportedSignIn]:
    for sign_in in await parts[ToolSignIns].export(caller.person_id):
        yield sign_in


FEATURE = Feature(
    name="tools",
    needs=("catalog",),
    tables=(ToolChoiceRow, ToolGrantRow, ToolRunRow, ToolSignInRow),
    build=_build,
    routes=(routes, server_routes, session_routes),
    stop=_stop,
    personal=(
        Personal(
            noun="choice of tools",
            count=lambda parts, caller: parts[SessionToolbox].count(caller),
            erase=lambda parts, caller: parts[SessionToolbox].erase(caller),
        ),
        Personal(
            noun="tool_sign_in",
            count=lambda parts, caller: parts[ToolSignIns].count(caller.person_id),
            export=_export,
            erase=lambda parts, caller: parts[ToolSignIns].erase(caller.person_id),
        ),
    ),
)
