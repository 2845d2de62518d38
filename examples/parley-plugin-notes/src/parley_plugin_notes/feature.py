"""Notes: short texts of a person's own."""

from collections.abc import AsyncIterator

from parley.engine.clock import WallClock
from parley.features.feature import Feature, Personal
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.storage.database import Database
from parley_plugin_notes.commands import commands
from parley_plugin_notes.routes import routes
from parley_plugin_notes.service import NotesService, NoteView
from parley_plugin_notes.tables import NoteRow


async def _export(parts: Parts, caller: Caller) -> AsyncIterator[NoteView]:
    for note in await parts[NotesService].list(caller):
        yield note


FEATURE = Feature(
    name="notes",
    tables=(NoteRow,),
    build=lambda parts: (NotesService(parts[Database], parts[WallClock]),),
    routes=(routes,),
    commands={"notes": commands},
    personal=(
        Personal(
            noun="note",
            count=lambda parts, caller: parts[NotesService].count(caller),
            export=_export,
            erase=lambda parts, caller: parts[NotesService].erase(caller),
        ),
    ),
)
