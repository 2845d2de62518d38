"""API keys: made, listed, revoked, and found by their secrets."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

from parley.features.accounts.tokens import digest, new_token
from parley.features.catalog.service import CatalogService
from parley.features.openai_api.key_schemas import MOST_KEYS, ApiKeyView, MadeApiKey, NewApiKey
from parley.features.openai_api.model_ids import names_of
from parley.features.openai_api.repository import ApiKeysRepository
from parley.features.openai_api.tables import ApiKeyRow
from parley.kernel.caller import DOOR_SCOPES, Caller, CallerKey, KeyScope
from parley.kernel.errors import Conflict, Invalid
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

PREFIX = "parley-"
SHOWN_CHARS = 4
NOTE_USE_AFTER = timedelta(minutes=1)


class ApiKeys:
    """Keeps people's keys. Each request looks its key up, so that a revoked one ends at once in every process."""

    def __init__(self, database: Database, catalog: CatalogService, clock: Clock) -> None:
        self._database = database
        self._catalog = catalog
        self._clock = clock

    async def key_of(self, secret: str) -> CallerKey | None:
        """Return the key with a secret; None if there is none, or it was revoked or has expired."""
        now, hashed = self._now(), digest(secret)
        row = await self._database.read(lambda it: ApiKeysRepository(it).of_secret(hashed))
        if row is None or (row.expires_at is not None and row.expires_at <= now):
            return None
        if row.last_used_at is None or now - row.last_used_at > NOTE_USE_AFTER:
            await self._database.write(lambda it: ApiKeysRepository(it).used(row.id, now))
        models = None if row.models is None else tuple(row.models)
        return CallerKey(row.id, row.user_id, models, _scopes(row))

    async def list(self, caller: Caller) -> Sequence[ApiKeyView]:
        """Return the caller's keys, the newest first."""
        rows = await self._database.read(lambda it: ApiKeysRepository(it).all(caller.author_id))
        return [_view(row) for row in rows]

    async def make(self, caller: Caller, request: NewApiKey) -> MadeApiKey:
        """Make a key. Raises Invalid for models that there are not, Conflict if there are too many keys."""
        self._check_models(request.models or ())
        now, secret = self._now(), PREFIX + new_token()
        row = ApiKeyRow(
            id=random_id(),
            user_id=caller.author_id,
            name=request.name,
            prefix=secret[: len(PREFIX) + SHOWN_CHARS],
            token_sha256=digest(secret),
            models=request.models,
            scopes=None if request.scopes is None else sorted(set(request.scopes)),
            created_at=now,
            expires_at=None if request.days is None else now + timedelta(days=request.days),
        )

        def store(transaction: Transaction) -> None:
            repository = ApiKeysRepository(transaction)
            if repository.count(caller.author_id) >= MOST_KEYS:
                raise Conflict(
                    f"You have {MOST_KEYS} API keys, which is the limit.",
                    "Nothing was saved. Revoke one that you no longer use.",
                    code="too_many_keys",
                )
            repository.add(row)

        await self._database.write(store)
        return MadeApiKey(_view(row), secret)

    async def revoke(self, caller: Caller, key_id: str) -> None:
        """Revoke one of the caller's keys; from now on it opens nothing. Raises NotFound."""
        now = self._now()

        def revoke(transaction: Transaction) -> None:
            repository = ApiKeysRepository(transaction)
            repository.revoke(repository.get(caller.author_id, key_id), now)

        await self._database.write(revoke)

    async def erase(self, caller: Caller) -> int:
        """Delete all keys of the caller; return how many there were."""
        return await self._database.write(lambda it: ApiKeysRepository(it).remove_all(caller.person_id))

    def _check_models(self, model_ids: Sequence[str]) -> None:
        known = {name for model in self._catalog.models() for name in names_of(model)}
        for model_id in model_ids:
            if model_id not in known:
                raise Invalid(
                    "models",
                    f"models: there is no model “{model_id}”.",
                    "Nothing was saved. Choose models of the list.",
                )

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _scopes(row: ApiKeyRow) -> frozenset[KeyScope]:
    return DOOR_SCOPES if row.scopes is None else frozenset(cast("list[KeyScope]", row.scopes))


def _view(row: ApiKeyRow) -> ApiKeyView:
    return ApiKeyView(
        id=row.id,
        name=row.name,
        prefix=row.prefix,
        models=row.models,
        scopes=sorted(_scopes(row)),
        created_at=row.created_at.isoformat(),
        expires_at=row.expires_at.isoformat() if row.expires_at else None,
        last_used_at=row.last_used_at.isoformat() if row.last_used_at else None,
    )
