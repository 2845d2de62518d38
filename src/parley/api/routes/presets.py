"""Routes of presets."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from parley.api.answers import as_json, documented
from parley.api.deps import App, CallerDep
from parley.workspace.presets.schemas import ChangePreset, PresetList, SavePreset

router = APIRouter(prefix="/api/presets", tags=["presets"])


@router.get("", responses=documented("PresetList"))
async def list_presets(
    app: App, caller: CallerDep, *, mode: Annotated[str | None, Query(max_length=64)] = None
) -> Response:
    """List presets by mode and name."""
    return as_json(PresetList(list(await app.presets.list(caller, mode))))


@router.get("/{preset_id}", responses=documented("PresetView"))
async def read_preset(preset_id: str, app: App, caller: CallerDep) -> Response:
    """Read a preset."""
    return as_json(await app.presets.read(caller, preset_id))


@router.post("", responses=documented("PresetView"))
async def save_preset(asked: SavePreset, app: App, caller: CallerDep) -> Response:
    """Save a mode's settings and seats under a new name."""
    return as_json(await app.presets.save(caller, asked))


@router.patch("/{preset_id}", responses=documented("PresetView"))
async def change_preset(preset_id: str, asked: ChangePreset, app: App, caller: CallerDep) -> Response:
    """Change the given fields of a preset."""
    return as_json(await app.presets.change(caller, preset_id, asked))


@router.delete("/{preset_id}", status_code=204)
async def remove_preset(preset_id: str, app: App, caller: CallerDep) -> Response:
    """Remove a preset. Sessions started with it are kept."""
    await app.presets.remove(caller, preset_id)
    return Response(status_code=204)


@router.post("/{preset_id}/restore", responses=documented("PresetView"))
async def restore_preset(preset_id: str, app: App, caller: CallerDep) -> Response:
    """Restore a preset that was removed since the server started."""
    return as_json(await app.presets.restore(caller, preset_id))
