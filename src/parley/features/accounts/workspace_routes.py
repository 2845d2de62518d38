"""Routes of workspaces."""

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.accounts.routes import require_shared
from parley.features.accounts.schemas import (
    AddMember,
    MoveSession,
    NameWorkspace,
    SpaceOf,
    WorkspaceList,
    WorkspaceView,
)
from parley.features.accounts.workspaces import Workspaces
from parley.features.data.service import DataService
from parley.kernel.caller import Scope, inside

spaces = Routes("/api/workspaces", tag="accounts", needs=Scope.TALK, personal=True, audited=True)


@spaces.get()
async def list_workspaces(app: App, caller: CallerDep) -> WorkspaceList:
    """List one's workspaces, with their members."""
    return WorkspaceList(list(await app[Workspaces].list(caller)))


@spaces.post(example={"name": "Kestrel Labs"}, errors=("personal_mode",))
async def create_workspace(body: NameWorkspace, app: App, caller: CallerDep) -> WorkspaceView:
    """Make a workspace of one's own."""
    require_shared(app)
    return await app[Workspaces].create(caller, body.name)


@spaces.patch(
    "/{workspace_id}",
    example={"name": "Kestrel"},
)
async def rename_workspace(
    workspace_id: str, body: NameWorkspace, app: App, caller: CallerDep
) -> WorkspaceView:
    """Give a workspace another name."""
    return await app[Workspaces].rename(caller, workspace_id, body.name)


@spaces.delete("/{workspace_id}")
async def remove_workspace(workspace_id: str, app: App, caller: CallerDep) -> None:
    """Delete a workspace with everything in it. Votes stay counted, without their texts."""
    await app[Workspaces].check_owner(caller, workspace_id)
    await app[DataService].erase(inside(workspace_id))
    await app[Workspaces].remove(caller, workspace_id)


@spaces.put(
    "/{workspace_id}/members",
    errors=("no_account", "last_owner"),
    example={"email": "jonas@example.org", "role": "editor"},
)
async def put_member(workspace_id: str, body: AddMember, app: App, caller: CallerDep) -> WorkspaceView:
    """Add a person to a workspace, or change their place in it."""
    return await app[Workspaces].put(caller, workspace_id, body)


@spaces.delete("/{workspace_id}/members/{member_id}", errors=("last_owner",))
async def remove_member(workspace_id: str, member_id: str, app: App, caller: CallerDep) -> None:
    """Take a person out of a workspace; everybody may leave. What they wrote stays in it."""
    await app[Workspaces].remove_member(caller, workspace_id, member_id)


@spaces.get("/of/{session_id}")
async def workspace_of(session_id: str, app: App, caller: CallerDep) -> SpaceOf:
    """Read in which of one's workspaces a session is."""
    owner_id = await app[Workspaces].of_session(caller, session_id)
    return SpaceOf(None if owner_id == caller.author_id else owner_id)


@spaces.post(
    "/of/{session_id}",
    errors=("turn_running",),
    example={"workspace_id": None},
)
async def move_session(session_id: str, body: MoveSession, app: App, caller: CallerDep) -> None:
    """Move a session into a workspace, or back into one's own space."""
    await app[Workspaces].move_session(caller, session_id, body.workspace_id or caller.author_id)
