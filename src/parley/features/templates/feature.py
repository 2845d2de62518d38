"""Prompt templates: texts of a person's own, for the composer."""

from collections.abc import AsyncIterator

from parley.engine.clock import WallClock
from parley.features.feature import Feature, Personal
from parley.features.templates.routes import routes
from parley.features.templates.schemas import TemplateView
from parley.features.templates.service import TemplatesService
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.storage.database import Database
from parley.storage.tables.presets import Template


async def _count(parts: Parts, caller: Caller) -> int:
    return len(await parts[TemplatesService].list(caller))


async def _export(parts: Parts, caller: Caller) -> AsyncIterator[TemplateView]:
    for template in await parts[TemplatesService].list(caller):
        yield template


FEATURE = Feature(
    name="templates",
    tables=(Template,),
    build=lambda parts: (TemplatesService(parts[Database], parts[WallClock]),),
    routes=(routes,),
    personal=(
        Personal(
            noun="template",
            count=_count,
            export=_export,
            erase=lambda parts, caller: parts[TemplatesService].erase(caller),
        ),
    ),
)
