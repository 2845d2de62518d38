"""Recognising servers that draw: Stable Diffusion WebUI and ComfyUI."""

import msgspec

from parley.connectors.comfyui.connector import checkpoints_of
from parley.features.catalog.discovery.answers import Fields, entries_of, fields_of, text_of
from parley.features.catalog.discovery.findings import DiscoveredServer, OfferedModel
from parley.features.catalog.discovery.place import ServerAddress

LOADER = "/object_info/CheckpointLoaderSimple"


async def a1111(place: ServerAddress) -> DiscoveredServer | None:
    """Recognise Stable Diffusion WebUI by how it tells its progress; ask for its checkpoints."""
    progress = await place.get("/sdapi/v1/progress?skip_current_image=true")
    if progress is None or not progress.ok or not {"eta_relative", "state"} <= set(progress.fields):
        return None
    answer = await place.get("/sdapi/v1/sd-models")
    entries = entries_of(answer.body) if answer is not None and answer.ok else None
    names = [(text_of(each.get("title")), text_of(each.get("model_name"))) for each in entries or ()]
    models = [_painter(title, name or title) for title, name in names if title]
    return _server(place, "a1111", models)


async def comfyui(place: ServerAddress) -> DiscoveredServer | None:
    """Recognise ComfyUI by what it says of its system, and of its loader of checkpoints."""
    answer = await place.get("/system_stats")
    system: Fields = fields_of(answer.fields.get("system")) if answer and answer.ok else {}
    version = text_of(system.get("comfyui_version"))
    if version is None and "python_version" not in system:
        return None
    loader = await place.get(LOADER)
    known = checkpoints_of(loader.fields) if loader and loader.ok else []
    models = [_painter(name, name.rpartition(".")[0] or name) for name in known]
    return _server(place, "comfyui", models, version)


def _painter(model: str, name: str) -> OfferedModel:
    return OfferedModel(model=model, name=name, purpose="images", capabilities=("images",))


def _server(
    place: ServerAddress, kind: str, models: list[OfferedModel], version: str | None = None
) -> DiscoveredServer:
    server = place.server(kind, tuple(models), version)
    return msgspec.structs.replace(server, base_url=place.origin)


DRAWING = {"a1111": a1111, "comfyui": comfyui}
"""By the id of the known provider."""
