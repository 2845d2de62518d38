"""Routes of presets."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from parley.api.answers import as_json, documented
from parley.api.deps import CallerDep, HouseDep
from parley.workspace.presets.schemas import ChangePreset, PresetList, SavePreset

router = APIRouter(prefix="/api/presets", tags=["presets"])


@router.get("", responses=documented("PresetList"))
async def list_presets(
    house: HouseDep, caller: CallerDep, *, mode: Annotated[str | None, Query(max_length=64)] = None
) -> Response:
    """List presets by mode and name."""
    return as_json(PresetList(list(await house.presets.list(caller, mode))))


@router.post("", responses=documented("PresetView"))
async def save_preset(asked: SavePreset, house: HouseDep, caller: CallerDep) -> Response:
    """Save a mode's settings and seats under a name that is free."""
    return as_json(await house.presets.save(caller, asked))


@router.get("/{preset_id}", responses=documented("PresetView"))
async def read_preset(preset_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Read a preset."""
    return as_json(await house.presets.read(caller, preset_id))


@router.patch("/{preset_id}", responses=documented("PresetView"))
async def change_preset(preset_id: str, asked: ChangePreset, house: HouseDep, caller: CallerDep) -> Response:
    """Change a preset; what is not given stays."""
    return as_json(await house.presets.change(caller, preset_id, asked))


@router.delete("/{preset_id}", status_code=204)
async def remove_preset(preset_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Remove a preset; sessions that were begun with it stay."""
    await house.presets.remove(caller, preset_id)
    return Response(status_code=204)


@router.post("/{preset_id}/restore", responses=documented("PresetView"))
async def restore_preset(preset_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Bring a preset back that was removed since the server started, as what it was."""
    return as_json(await house.presets.restore(caller, preset_id))
