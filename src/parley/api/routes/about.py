"""Routes about the installation: health, version, modes and models."""

import asyncio
from collections.abc import Collection

from fastapi import APIRouter, Response

from parley import __version__
from parley.api.answers import as_json, documented
from parley.api.deps import App, CallerDep
from parley.api.shapes import About, ModeCard, ModeList, ModelList
from parley.kernel.inputs import INPUT_TYPES
from parley.storage.disk_space import check_disks
from parley.workspace.arena.schemas import MAX_PROMPT_CHARS
from parley.workspace.attachments.limits import PER_QUESTION

router = APIRouter(tags=["about"])


@router.get("/healthz")
async def healthz() -> Response:
    """Check that the server runs."""
    return as_json({"status": "ok"})


@router.get("/readyz")
async def readyz(app: App) -> Response:
    """Check that the database can store votes and the disk has space. Raises Unavailable."""
    await app.database.check_ready()
    await asyncio.to_thread(check_disks, app.folders)
    return as_json({"status": "ready"})


@router.get("/api/about", responses=documented("About"))
async def about(app: App) -> Response:
    """Describe this installation."""
    settings = app.settings
    return as_json(
        About(
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
    )


@router.get("/api/modes", responses=documented("ModeList"))
async def modes(app: App, caller: CallerDep) -> Response:
    """List the modes."""
    defaults = await app.presets.defaults(caller)
    return as_json(
        ModeList(
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
    )


def _in_order(types: Collection[str]) -> list[str]:
    return [name for name in INPUT_TYPES if name in types]


@router.get("/api/models", responses=documented("ModelList"))
async def models(app: App) -> Response:
    """List the models of the catalog and the state of their providers."""
    return as_json(ModelList(list(app.catalog.cards()), app.provider_health()))
