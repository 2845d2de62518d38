"""Routes about the installation: health, version, modes and models."""

import asyncio
from collections.abc import Collection

from fastapi import Request, Response

from parley import __version__
from parley.api.contract import ANYONE, Routes, as_response
from parley.api.deps import App, CallerDep
from parley.api.openapi import build
from parley.engine.replicas import Replicas
from parley.features.about.views import About, ModeCard, ModeList, Readiness
from parley.features.attachments.limits import PER_QUESTION
from parley.features.attachments.service import AttachmentsService
from parley.features.catalog.service import CatalogService
from parley.features.presets.service import PresetsService
from parley.kernel.caller import Scope
from parley.kernel.inputs import INPUT_TYPES
from parley.kernel.request import MAX_PROMPT_CHARS
from parley.plugins.registry import Registry
from parley.settings import Settings
from parley.storage.database import Database
from parley.storage.disk_space import check_disks, data_folders

routes = Routes(tag="about", needs=Scope.READ)


@routes.get("/healthz", needs=ANYONE)
async def healthz() -> Readiness:
    """Check that the server runs."""
    return Readiness("ok")


@routes.get("/readyz", needs=ANYONE)
async def readyz(app: App) -> Readiness:
    """Check that the database can store votes and the disk has space. Raises Unavailable."""
    await app[Database].check_ready()
    await asyncio.to_thread(check_disks, data_folders(app[Settings].data_dir, app[Database]))
    replicas = app[Replicas]
    if not replicas.are_several:
        return Readiness("ready")
    return Readiness("ready", redis="away" if replicas.bus_is_away else "there")


@routes.get("/api/about")
async def about(app: App, caller: CallerDep) -> About:
    """Describe this installation."""
    settings = app[Settings]
    return About(
        name="Parley",
        version=__version__,
        mode=settings.mode,
        demo=app[CatalogService].demo_only,
        pacing=settings.battle_pacing,
        sampling=settings.battle_sampling,
        models=sum(model.enabled for model in app[CatalogService].models()),
        config_path=str(settings.models_file) if Scope.MANAGE in caller.scopes else "",
        max_prompt_chars=MAX_PROMPT_CHARS,
        max_attachment_bytes=app[AttachmentsService].limits.size,
        max_attachments=PER_QUESTION,
    )


@routes.get("/api/openapi.json", downloads=("application/json",))
async def openapi(request: Request) -> Response:
    """Read this document."""
    return as_response(build(request.app))


@routes.get("/api/modes")
async def modes(app: App, caller: CallerDep) -> ModeList:
    """List the modes."""
    defaults = await app[PresetsService].defaults(caller)
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
                sealable=mode.sealable,
                voice=mode.voice,
                brief_schema=mode.brief.model_json_schema(),
                default_preset=defaults.get(mode.name),
            )
            for mode in app[Registry].modes.values()
        ]
    )


def _in_order(types: Collection[str]) -> list[str]:
    return [name for name in INPUT_TYPES if name in types]
