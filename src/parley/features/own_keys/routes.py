"""Routes of provider keys of one's own, and of a workspace's."""

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.accounts.routes import require_shared
from parley.features.accounts.workspaces import Workspaces
from parley.features.own_keys.schemas import OwnKeyList, PutOwnKey
from parley.features.own_keys.service import OwnKeyService
from parley.kernel.caller import Scope

mine = Routes(
    "/api/me/provider-keys", tag="own_keys", needs=Scope.TALK, personal=True, strict=True, audited=True
)
spaces = Routes(
    "/api/workspaces/{workspace_id}/provider-keys",
    tag="own_keys",
    needs=Scope.TALK,
    personal=True,
    strict=True,
    audited=True,
)
EXAMPLE = {"key": "sk-0123456789abcdef"}


@mine.get(errors=("personal_mode",))
async def list_own_keys(app: App, caller: CallerDep) -> OwnKeyList:
    """List the providers, with the end of one's own key for each."""
    require_shared(app)
    return OwnKeyList(await app[OwnKeyService].read(caller.author_id))


@mine.put("/{provider_id}", errors=("personal_mode", "key_lost", "provider_not_found"), example=EXAMPLE)
async def put_own_key(provider_id: str, body: PutOwnKey, app: App, caller: CallerDep) -> OwnKeyList:
    """Save a provider key of one's own, which one's questions use from now on. It is never shown again."""
    require_shared(app)
    await app[OwnKeyService].put(caller, caller.author_id, provider_id, body.plain)
    return OwnKeyList(await app[OwnKeyService].read(caller.author_id))


@mine.delete("/{provider_id}", errors=("personal_mode",))
async def remove_own_key(provider_id: str, app: App, caller: CallerDep) -> None:
    """Remove a provider key of one's own."""
    require_shared(app)
    await app[OwnKeyService].remove(caller.author_id, provider_id)


@spaces.get()
async def list_workspace_keys(workspace_id: str, app: App, caller: CallerDep) -> OwnKeyList:
    """List the providers, with the end of a workspace's key for each. Only its owners may."""
    await app[Workspaces].check_owner(caller, workspace_id)
    return OwnKeyList(await app[OwnKeyService].read(workspace_id))


@spaces.put("/{provider_id}", errors=("key_lost", "provider_not_found"), example=EXAMPLE)
async def put_workspace_key(
    workspace_id: str, provider_id: str, body: PutOwnKey, app: App, caller: CallerDep
) -> OwnKeyList:
    """Save a workspace's provider key, which questions in it use, but for members with a key of their own."""
    await app[Workspaces].check_owner(caller, workspace_id)
    await app[OwnKeyService].put(caller, workspace_id, provider_id, body.plain)
    return OwnKeyList(await app[OwnKeyService].read(workspace_id))


@spaces.delete("/{provider_id}")
async def remove_workspace_key(workspace_id: str, provider_id: str, app: App, caller: CallerDep) -> None:
    """Remove a workspace's provider key."""
    await app[Workspaces].check_owner(caller, workspace_id)
    await app[OwnKeyService].remove(workspace_id, provider_id)
