"""Routes of presets."""

from typing import Annotated

from fastapi import Query

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.presets.schemas import ChangePreset, PresetList, PresetView, SavePreset
from parley.features.presets.service import PresetsService
from parley.kernel.caller import Scope

SAVES = ("preset_exists", "ensemble_cycle", "ensemble_too_deep")
"""The errors of saving a preset."""

routes = Routes("/api/presets", tag="presets", needs=Scope.TALK)


@routes.get()
async def list_presets(
    app: App,
    caller: CallerDep,
    *,
    mode: Annotated[str | None, Query(max_length=64, description="Only items of this mode.")] = None,
) -> PresetList:
    """List presets by mode and name."""
    return PresetList(list(await app[PresetsService].list(caller, mode)))


@routes.get("/{preset_id}")
async def read_preset(preset_id: str, app: App, caller: CallerDep) -> PresetView:
    """Read a preset."""
    return await app[PresetsService].read(caller, preset_id)


@routes.post(errors=SAVES, example={"mode": "chat", "name": "Terse", "seats": {"assistant": "my-model"}})
async def save_preset(body: SavePreset, app: App, caller: CallerDep) -> PresetView:
    """Save a mode's settings and seats under a new name."""
    return await app[PresetsService].save(caller, body)


@routes.patch("/{preset_id}", errors=SAVES, example={"name": "Brief"})
async def change_preset(preset_id: str, body: ChangePreset, app: App, caller: CallerDep) -> PresetView:
    """Change the given fields of a preset."""
    return await app[PresetsService].change(caller, preset_id, body)


@routes.delete("/{preset_id}")
async def remove_preset(preset_id: str, app: App, caller: CallerDep) -> None:
    """Remove a preset. Sessions started with it are kept."""
    await app[PresetsService].remove(caller, preset_id)


@routes.post("/{preset_id}/restore", errors=SAVES)
async def restore_preset(preset_id: str, app: App, caller: CallerDep) -> PresetView:
    """Restore a preset that was removed since the server started."""
    return await app[PresetsService].restore(caller, preset_id)
