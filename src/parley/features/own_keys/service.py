"""Use cases of provider keys of one's own: list, put, remove; and the model gateway's view of them."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from parley.features.catalog.secrets import KeyLost, Secrets
from parley.features.catalog.service import CatalogService
from parley.features.own_keys.repository import OwnKeysRepository
from parley.features.own_keys.schemas import ExportedOwnKey, OwnKeyView
from parley.features.own_keys.tables import OwnKeyRow
from parley.kernel.bus import Bus
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid, NotFound
from parley.kernel.models import Provider
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.wire.egress import origin_of

log = logging.getLogger(__name__)

CHANNEL = "own_keys"
LOOK_AGAIN_S = 30.0
SHORTEST = 8
SHOWN_CHARS = 4


class OwnKeyService:
    """Keeps everybody's keys, sealed in the database and open in memory, where the gateway finds them."""

    def __init__(
        self,
        database: Database,
        catalog: CatalogService,
        secrets: Secrets,
        clock: Clock,
        bus: Bus,
        changed: Callable[[str], None],
        sealing: asyncio.Lock,
    ) -> None:
        """`changed` is called with the holder of keys that have changed. `sealing` keeps a rotation out."""
        self._database = database
        self._catalog = catalog
        self._secrets = secrets
        self._clock = clock
        self._bus = bus
        self._changed = changed
        self._sealing = sealing
        self._rows: dict[tuple[str, str], OwnKeyRow] = {}
        self._opened: dict[bytes, str | None] = {}

    # ── for the gateway ──────────────────────────────────────────────────────────────────────────

    def key_of(self, holder_id: str, provider: Provider) -> str | None:
        """Return a person's or workspace's key for a provider at its present origin; None if they have none."""
        row = self._rows.get((holder_id, provider.id)) if self._rows else None
        if row is None or row.origin != _origin(provider):
            return None
        return self._opened.get(row.sealed)

    async def reload(self) -> None:
        """Read all keys, and open those that are new."""
        rows = await self._database.read(lambda it: OwnKeysRepository(it).all())
        known = self._opened
        self._opened = await asyncio.to_thread(
            lambda: {
                row.sealed: known[row.sealed] if row.sealed in known else self._open(row) for row in rows
            }
        )
        before, self._rows = self._rows, {(row.holder_id, row.provider_id): row for row in rows}
        gone = {place for place, row in before.items() if self._rows.get(place) != row}
        for holder_id in {holder_id for holder_id, _ in gone}:
            self._changed(holder_id)

    async def listen(self) -> None:
        """Read the keys again when another process has changed them, until the bus closes."""
        async with self._bus.subscribe(CHANNEL) as messages:
            async for _ in messages:
                await self.reload()

    # ── for people ───────────────────────────────────────────────────────────────────────────────

    async def read(self, holder_id: str) -> list[OwnKeyView]:
        """Return the providers that a key can be added for, with the holder's keys."""
        rows = await self._database.read(lambda it: OwnKeysRepository(it).of(holder_id))
        known = {row.provider_id: row for row in rows}
        listed = [each for each in self._catalog.providers() if each.id in known or _takes_key(each)]
        return [self._view(holder_id, provider, known.get(provider.id)) for provider in listed]

    async def put(self, caller: Caller, holder_id: str, provider_id: str, key: str) -> None:
        """Save a key for a provider in place of the one before. Raises NotFound, Invalid, KeyLost."""
        provider = self._provider(provider_id)
        if len(key) < SHORTEST:
            raise Invalid(
                "key", f"key: has fewer than {SHORTEST} characters.", "Nothing was saved. Copy it again."
            )

        def store(transaction: Transaction) -> None:
            place = _place(holder_id, provider_id)
            row = OwnKeyRow(
                holder_id=holder_id,
                provider_id=provider_id,
                origin=_origin(provider),
                sealed=self._secrets.seal(key, place, provider.base_url),
                last_four=key[-SHOWN_CHARS:],
                added_by=caller.author_id,
                created_at=datetime.fromtimestamp(self._clock.now(), UTC),
            )
            OwnKeysRepository(transaction).put(row)

        async with self._sealing:
            await self._database.write(store)
        await self._announce()

    async def remove(self, holder_id: str, provider_id: str) -> None:
        """Delete a key; calls that run go on. Raises NotFound."""
        if not await self._database.write(lambda it: OwnKeysRepository(it).remove(holder_id, provider_id)):
            raise NotFound("There is no key for this provider.", "It may have been removed already.")
        await self._announce()

    # ── for data and rotation ────────────────────────────────────────────────────────────────────

    async def count(self, holder_id: str) -> int:
        """Return how many keys a person or workspace has."""
        return await self._database.read(lambda it: OwnKeysRepository(it).count(holder_id))

    async def export(self, holder_id: str) -> Sequence[ExportedOwnKey]:
        """Return that the keys are there, without them."""
        rows = await self._database.read(lambda it: OwnKeysRepository(it).of(holder_id))
        return [
            ExportedOwnKey(
                provider_id=row.provider_id,
                origin=row.origin,
                last_four=row.last_four,
                created_at=row.created_at.isoformat(),
            )
            for row in rows
        ]

    async def erase(self, holder_id: str) -> int:
        """Delete all keys of a person or workspace; return how many there were."""
        removed = await self._database.write(lambda it: OwnKeysRepository(it).remove(holder_id))
        await self._announce()
        return removed

    def seal_again(self, transaction: Transaction) -> list[str]:
        """Seal every key with the installation's next secret; return whose can't be read, with the provider."""
        repository, lost = OwnKeysRepository(transaction), list[str]()
        for row in repository.all():
            place = _place(row.holder_id, row.provider_id)
            try:
                key = self._secrets.open(row.sealed, place, row.origin or None)
            except KeyLost:
                lost.append(place)
                continue
            row.sealed = self._secrets.seal(key, place, row.origin or None)
            repository.update(row)
        return lost

    async def _announce(self) -> None:
        """Read the keys again, here and in every other process."""
        await self.reload()
        try:
            await self._bus.publish(CHANNEL, b"")
        except OSError as error:
            log.warning("other processes notice changed keys within %.0f s: %s", LOOK_AGAIN_S, error)

    def _open(self, row: OwnKeyRow) -> str | None:
        try:
            return self._secrets.open(row.sealed, _place(row.holder_id, row.provider_id), row.origin or None)
        except KeyLost as error:
            log.warning("An own key for %s is not used: %s", row.provider_id, error.title)
            return None

    def _view(self, holder_id: str, provider: Provider, row: OwnKeyRow | None) -> OwnKeyView:
        return OwnKeyView(
            provider_id=provider.id,
            name=provider.name or provider.id,
            origin=_origin(provider) or None,
            shared_key=provider.shared_key,
            last_four=row.last_four if row else None,
            created_at=row.created_at.isoformat() if row else None,
            is_used=self.key_of(holder_id, provider) is not None,
        )

    def _provider(self, provider_id: str) -> Provider:
        provider = self._catalog.provider(provider_id)
        if not _takes_key(provider):
            raise NotFound(f"{provider.name or provider.id} takes no key.", "Nothing was saved.")
        return provider


def _takes_key(provider: Provider) -> bool:
    """Return whether people may bring a key: not for the demo, nor for a server here that needs none."""
    needs_key = not provider.local or provider.api_key is not None or not provider.shared_key
    return provider.connector != "demo" and needs_key


def _origin(provider: Provider) -> str:
    """Return where a provider's key is sent; empty for the address that its connector knows."""
    return origin_of(provider.base_url) if provider.base_url else ""


def _place(holder_id: str, provider_id: str) -> str:
    return f"own:{holder_id}:{provider_id}"
