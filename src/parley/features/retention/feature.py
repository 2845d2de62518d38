"""Retention: how long things are stored, by kind, for everybody."""

from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.features.feature import Feature, Features, every
from parley.features.retention.routes import routes
from parley.features.retention.service import Retention
from parley.features.retention.tables import RetentionRow
from parley.kernel.parts import Parts
from parley.storage.database import Database

EVERY_S = 1800.0


def _build(parts: Parts) -> Sequence[object]:
    retained = (kind for feature in parts[Features] for kind in feature.retained)
    kinds = {kind.name: kind for kind in retained if kind.exists(parts)}
    return (Retention(parts, parts[Database], parts[WallClock], kinds),)


FEATURE = Feature(
    name="retention",
    build=_build,
    tables=(RetentionRow,),
    routes=(routes,),
    background=(
        every(EVERY_S, lambda parts: parts[Retention].apply(), "delete what is due", at_start=False),
    ),
)
