"""Routes of plug-ins."""

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.plug_ins.schemas import AddPlugIn, ChangePlugIn, PlugInList, PlugInView
from parley.features.plug_ins.service import PlugIns
from parley.kernel.caller import Scope

SAVES = ("plug_in_exists", "too_many_plug_ins")
"""The errors of saving a plug-in."""

EXAMPLE = "kind: check\nname: short\ntitle: Short answer\ncheck:\n  kind: length\n  most: 50\n  unit: words\n"

routes = Routes("/api/plug-ins", tag="plug-ins", needs=Scope.TALK, audited=True)


@routes.get()
async def list_plug_ins(app: App, caller: CallerDep) -> PlugInList:
    """List the plug-ins that the caller sees, and those that are installed."""
    return await app[PlugIns].list(caller)


@routes.post(errors=SAVES, example={"text": EXAMPLE})
async def add_plug_in(body: AddPlugIn, app: App, caller: CallerDep) -> PlugInView:
    """Add a plug-in for where the caller is, or for everybody; it takes effect at once."""
    return await app[PlugIns].add(caller, body)


@routes.patch("/{plug_in_id}", errors=SAVES, example={"enabled": False})
async def change_plug_in(plug_in_id: str, body: ChangePlugIn, app: App, caller: CallerDep) -> PlugInView:
    """Change a plug-in's text, or switch it on or off."""
    return await app[PlugIns].change(caller, plug_in_id, body)


@routes.delete("/{plug_in_id}")
async def delete_plug_in(plug_in_id: str, app: App, caller: CallerDep) -> None:
    """Delete a plug-in. It can be restored until the server stops."""
    await app[PlugIns].delete(caller, plug_in_id)


@routes.post("/{plug_in_id}/restore", errors=SAVES)
async def restore_plug_in(plug_in_id: str, app: App, caller: CallerDep) -> PlugInView:
    """Restore a plug-in that was deleted since the server started."""
    return await app[PlugIns].restore(caller, plug_in_id)
