"""Preferences: instructions and a model for a person's new chats."""

from collections.abc import AsyncIterator

from parley.engine.clock import WallClock
from parley.features.feature import Feature, Personal
from parley.features.preferences.routes import routes
from parley.features.preferences.schemas import PreferencesView
from parley.features.preferences.service import PreferencesService
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.storage.database import Database
from parley.storage.tables.preferences import PreferencesRow


async def _export(parts: Parts, caller: Caller) -> AsyncIterator[PreferencesView]:
    preferences = await parts[PreferencesService].read(caller)
    if preferences != PreferencesView():
        yield preferences


async def _count(parts: Parts, caller: Caller) -> int:
    return int(await parts[PreferencesService].read(caller) != PreferencesView())


FEATURE = Feature(
    name="preferences",
    tables=(PreferencesRow,),
    build=lambda parts: (PreferencesService(parts[Database], parts[WallClock]),),
    routes=(routes,),
    personal=(
        Personal(
            noun="preference",
            count=_count,
            export=_export,
            erase=lambda parts, caller: parts[PreferencesService].erase(caller),
        ),
    ),
)
