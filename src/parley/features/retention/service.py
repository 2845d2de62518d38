"""Use cases of retention: read and set the rules, see beforehand what goes, delete what is due."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from parley.features.feature import Retained
from parley.features.retention.kept import KEPT
from parley.features.retention.repository import RetentionRepository
from parley.features.retention.schemas import (
    KeptView,
    RetentionList,
    RetentionPreview,
    RetentionView,
    SetRetention,
)
from parley.kernel.errors import NotFound
from parley.kernel.parts import Parts
from parley.kernel.ports import Clock
from parley.storage.database import Database


class Retention:
    """Deletes what nobody has changed for longer than its kind is to be stored."""

    def __init__(self, parts: Parts, database: Database, clock: Clock, kinds: Mapping[str, Retained]) -> None:
        self._parts = parts
        self._database = database
        self._clock = clock
        self._kinds = kinds

    async def list(self) -> RetentionList:
        """Return every kind with its rule."""
        rules = await self._rules()
        return RetentionList(
            [
                RetentionView(kind=name, nouns=kind.nouns, about=kind.about, days=rules.get(name))
                for name, kind in self._kinds.items()
            ],
            [KeptView(nouns=each.nouns, why=each.why, days=each.days) for each in KEPT],
        )

    async def set(self, name: str, request: SetRetention) -> RetentionView:
        """Set the rule of a kind; what is due already goes within an hour. Raises NotFound."""
        kind, now = self._kind(name), self._now()
        await self._database.write(
            lambda transaction: RetentionRepository(transaction).put(name, request.days, now)
        )
        return RetentionView(kind=name, nouns=kind.nouns, about=kind.about, days=request.days)

    async def preview(self, name: str, days: int) -> RetentionPreview:
        """Count what a rule would delete now. Raises NotFound."""
        kind = self._kind(name)
        goes = await kind.count(self._parts, self._now() - timedelta(days=days))
        return RetentionPreview(goes, await kind.count(self._parts, None))

    async def apply(self) -> Mapping[str, int]:
        """Delete what is due; return how many of each kind."""
        rules = await self._rules()
        return {
            name: await kind.forget(self._parts, self._now() - timedelta(days=rules[name]))
            for name, kind in self._kinds.items()
            if name in rules
        }

    async def _rules(self) -> Mapping[str, int]:
        return await self._database.read(lambda transaction: RetentionRepository(transaction).rules())

    def _kind(self, name: str) -> Retained:
        if name not in self._kinds:
            raise NotFound(
                f"Nothing of the kind “{name}” is stored.", f"There are: {', '.join(self._kinds)}."
            )
        return self._kinds[name]

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)
