"""Routes of tables."""

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.sessions.service import SessionsService
from parley.features.tables.messages import QueryResult
from parley.features.tables.schemas import AskTables
from parley.features.tables.service import SessionTables, TablesService
from parley.kernel.caller import Scope

routes = Routes("/api/sessions/{session_id}/tables", tag="tables", needs=Scope.TALK)


@routes.get()
async def list_tables(session_id: str, app: App, caller: CallerDep) -> SessionTables:
    """Describe the tables among a session's files."""
    await app[SessionsService].check(caller, session_id)
    return await app[TablesService].describe_for(caller, session_id)


@routes.post(
    "/query",
    errors=("query_refused", "query_wrong", "query_too_slow", "query_too_large"),
    example={"sql": "SELECT region, sum(revenue) FROM orders GROUP BY region"},
    reads=True,
)
async def query_tables(session_id: str, body: AskTables, app: App, caller: CallerDep) -> QueryResult:
    """Run one SELECT over the tables of a session. It reads no other file and changes nothing."""
    return await app[TablesService].query(caller.person_id, session_id, body.sql)
