"""Use cases of learning: remember which model a person used instead, and make lessons of that."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from parley.features.auto.choosing import Decision
from parley.features.auto.kinds import NEEDS_TOOLS, Kind
from parley.features.auto.learning import MOST, Choice, Lessons
from parley.features.auto.replaying import DAYS
from parley.features.auto.repository import AutoRepository, PastChoice
from parley.features.auto.schemas import AutoRecord
from parley.features.auto.tables import AutoLessonRow
from parley.features.catalog.service import CatalogService
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid, NotFound
from parley.kernel.inputs import TurnInput, text_of
from parley.kernel.ports import Clock
from parley.storage.database import Database

MOST_CONFIRMED = 100
KNOWN_FOR_S = 60.0
MOST_PEOPLE = 200


class AutoLessons:
    """Keeps what people used instead, and learns from it. Lessons of a person are at most a minute old."""

    def __init__(self, database: Database, catalog: CatalogService, clock: Clock) -> None:
        self._database = database
        self._catalog = catalog
        self._clock = clock
        self._known: OrderedDict[str, tuple[float, Lessons]] = OrderedDict()

    async def of(self, caller: Caller) -> Lessons:
        """Return what was learned from the caller."""
        at, lessons = self._known.get(caller.person_id, (float("-inf"), None))
        if lessons is None or time.monotonic() - at > KNOWN_FOR_S:
            lessons = await asyncio.to_thread(Lessons, await self._choices(caller.person_id))
            self._known[caller.person_id] = (time.monotonic(), lessons)
            while len(self._known) > MOST_PEOPLE:
                self._known.popitem(last=False)
        return lessons

    async def use_instead(self, caller: Caller, session_id: str, turn_id: str, model_id: str) -> None:
        """Remember which model the caller used instead of the one that Auto chose. Raises NotFound, Invalid."""
        self._catalog.model(model_id)
        now = datetime.fromtimestamp(self._clock.now(), UTC)

        def store(repository: AutoRepository) -> None:
            decision = repository.decision(caller.person_id, session_id, turn_id)
            if decision is None or decision.target is None:
                raise NotFound("Auto chose no model for this turn.", "Nothing was changed.")
            if decision.target == model_id:
                raise Invalid("model", "Auto chose this model itself.", "Name another one.")
            repository.teach(AutoLessonRow(turn_id, caller.person_id, model_id, now))

        await self._database.write(lambda transaction: store(AutoRepository(transaction)))
        self._known.pop(caller.person_id, None)

    async def forget(self, caller: Caller) -> None:
        """Delete what was learned from the caller; the decisions stay."""
        await self._database.write(lambda transaction: AutoRepository(transaction).forget(caller.person_id))
        self._known.pop(caller.person_id, None)

    async def record(self, caller: Caller) -> AutoRecord:
        """Return where the caller's questions went, and how far their choices are understood."""
        since = datetime.fromtimestamp(self._clock.now(), UTC) - timedelta(days=DAYS)
        routed = await self._database.read(
            lambda transaction: AutoRepository(transaction).routed(caller.person_id, since)
        )
        lessons = await self.of(caller)
        work = sum(number for kind, _, number in routed if kind in NEEDS_TOOLS)
        arena = sum(number for kind, battle, number in routed if battle and kind not in NEEDS_TOOLS)
        return AutoRecord(
            days=DAYS,
            tool_work=work,
            arena=arena,
            other=sum(number for *_, number in routed) - work - arena,
            learning=lessons.learning,
        )

    async def _choices(self, owner_id: str) -> list[Choice]:
        """Return what an owner used instead, and what they confirmed, oldest first."""

        def read(repository: AutoRepository) -> tuple[Sequence[PastChoice], Sequence[PastChoice]]:
            return (
                repository.choices(owner_id, confirmed=True, most=MOST_CONFIRMED),
                repository.choices(owner_id, confirmed=False, most=MOST - MOST_CONFIRMED),
            )

        confirmed, others = await self._database.read(lambda transaction: read(AutoRepository(transaction)))
        return [choice for row in (*reversed(confirmed), *reversed(others)) if (choice := _choice(row))]


def _choice(row: PastChoice) -> Choice | None:
    """Return a choice between two models; None if there was only one."""
    decision = msgspec.convert(row.decision, Decision)
    text, kind = text_of(msgspec.convert(row.input, TurnInput)), msgspec.convert(row.kind, Kind)
    if decision.target is None:
        return None
    if row.used is not None:
        return Choice(text, kind, row.used, decision.target)
    others = [option.model for option in decision.options if option.model != decision.target]
    return Choice(text, kind, decision.target, others[0], confirmed=True) if others else None
