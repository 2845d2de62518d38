"""Own keys: provider keys of people and workspaces. A personal installation has none beside its own."""

from collections.abc import AsyncIterator, Sequence

from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway
from parley.features.catalog.connections import Connectors
from parley.features.catalog.opening import secrets_of
from parley.features.catalog.providers import ProvidersService
from parley.features.catalog.service import CatalogService
from parley.features.feature import Feature, Personal, every
from parley.features.own_keys.routes import mine, spaces
from parley.features.own_keys.schemas import ExportedOwnKey
from parley.features.own_keys.service import LOOK_AGAIN_S, OwnKeyService
from parley.features.own_keys.tables import OwnKeyRow
from parley.kernel.bus import Bus
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.database import Database


def _build(parts: Parts) -> Sequence[object]:
    settings = parts[Settings]
    keys = OwnKeyService(
        parts[Database].patient(),
        parts[CatalogService],
        secrets_of(settings),
        parts[WallClock],
        parts[Bus],
        parts[Connectors].forget_keys_of,
        parts[ProvidersService].sealing,
    )
    parts[ProvidersService].also_seal(keys.seal_again)
    if settings.is_shared:
        parts[Gateway].payments.admit(keys)
    return (keys,)


async def _export(parts: Parts, caller: Caller) -> AsyncIterator[ExportedOwnKey]:
    for key in await parts[OwnKeyService].export(caller.person_id):
        yield key


FEATURE = Feature(
    name="own_keys",
    needs=("accounts", "catalog"),
    tables=(OwnKeyRow,),
    build=_build,
    routes=(mine, spaces),
    start=lambda parts: parts[OwnKeyService].reload(),
    background=(
        lambda parts: parts[OwnKeyService].listen(),
        every(
            LOOK_AGAIN_S, lambda parts: parts[OwnKeyService].reload(), "read own provider keys", once=False
        ),
    ),
    personal=(
        Personal(
            noun="provider_key",
            count=lambda parts, caller: parts[OwnKeyService].count(caller.person_id),
            export=_export,
            erase=lambda parts, caller: parts[OwnKeyService].erase(caller.person_id),
        ),
    ),
)
