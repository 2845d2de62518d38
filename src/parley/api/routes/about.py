"""Routes about the installation: health, version, modes and models."""

import asyncio
from collections.abc import Collection

from fastapi import Request, Response

from parley import __version__
from parley.api.contract import ANYONE, Routes, as_response
from parley.api.deps import App, CallerDep
from parley.api.openapi import build
from parley.api.shapes import About, Health, ModeCard, ModeList, ModelList
from parley.kernel.caller import Scope
from parley.kernel.inputs import INPUT_TYPES
from parley.storage.disk_space import check_disks
from parley.workspace.arena.schemas import MAX_PROMPT_CHARS
from parley.workspace.attachments.limits import PER_QUESTION

routes = Routes(tag="about", needs=Scope.READ)


@routes.get("/healthz", needs=ANYONE)
async def healthz() -> Health:
    """Check that the server runs."""
    return Health("ok")


@routes.get("/readyz", needs=ANYONE)
async def readyz(app: App) -> Health:
    """Check that the database can store votes and the disk has space. Raises Unavailable."""
    await app.database.check_ready()
    await asyncio.to_thread(check_disks, app.folders)
    return Health("ready")


@routes.get("/api/about")
async def about(app: App) -> About:
    """Describe this installation."""
    settings = app.settings
    return About(
        name="Parley",
        version=__version__,
        mode=settings.mode,
        demo=app.catalog.demo_only,
        pacing=settings.battle_pacing,
        sampling=settings.battle_sampling,
        models=sum(model.enabled for model in app.catalog.models()),
        config_path=str(settings.models_file),
        max_prompt_chars=MAX_PROMPT_CHARS,
        max_attachment_bytes=app.attachments.limits.size,
        max_attachments=PER_QUESTION,
    )


@routes.get("/api/openapi.json", downloads=("application/json",))
async def openapi(request: Request) -> Response:
    """Read this document."""
    return as_response(build(request.app))


@routes.get("/api/modes")
async def modes(app: App, caller: CallerDep) -> ModeList:
    """List the modes."""
    defaults = await app.presets.defaults(caller)
    return ModeList(
        [
            ModeCard(
                name=mode.name,
                title=mode.title,
                summary=mode.summary,
                seating=mode.seating,
                ballot=mode.ballot,
                inputs=_in_order(mode.inputs),
                listens=_in_order(mode.listens),
                takes_files=mode.takes_files,
                voice=mode.voice,
                brief_schema=mode.brief.model_json_schema(),
                default_preset=defaults.get(mode.name),
            )
            for mode in app.registry.modes.values()
        ]
    )


def _in_order(types: Collection[str]) -> list[str]:
    return [name for name in INPUT_TYPES if name in types]


@routes.get("/api/models")
async def models(app: App) -> ModelList:
    """List the models of the catalog and the state of their providers."""
    return ModelList(list(app.catalog.cards()), app.provider_health())
