"""Plug-ins: YAML files of people, workspaces and everybody, and the list of those that are installed."""

from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.features.feature import Feature, Personal
from parley.features.moderation.service import Moderation
from parley.features.plug_ins.folder import PlugInFolder
from parley.features.plug_ins.installed import installed_plug_ins
from parley.features.plug_ins.routes import routes
from parley.features.plug_ins.service import PlugIns
from parley.features.plug_ins.tables import PlugInRow
from parley.features.usage.service import UsageService
from parley.kernel.parts import Parts
from parley.plugins.registry import Registry
from parley.settings import Settings
from parley.storage.database import Database

FOLDER = "plugins"
"""The folder within the data folder."""


def _build(parts: Parts) -> Sequence[object]:
    moderation = parts[Moderation]
    service = PlugIns(
        parts[Database],
        parts[WallClock],
        PlugInFolder(parts[Settings].data_dir / FOLDER),
        parts[UsageService],
        installed_plug_ins(parts[Registry]),
        moderation.announce,
        moderates=moderation.is_on,
    )
    moderation.also(service.word_lists)
    return (service,)


FEATURE = Feature(
    name="plug_ins",
    needs=("catalog", "lab", "moderation", "usage"),
    tables=(PlugInRow,),
    build=_build,
    routes=(routes,),
    personal=(
        Personal(
            noun="plug_in",
            count=lambda parts, caller: parts[PlugIns].count(caller),
            export=lambda parts, caller: parts[PlugIns].export(caller),
            erase=lambda parts, caller: parts[PlugIns].erase(caller),
        ),
    ),
)
