"""Use cases of limits: list, add, change, raise and remove them; the use that a person sees of their own."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, TypeAlias

from parley.features.limits.periods import period_at
from parley.features.limits.rates.keeper import RateKeeper
from parley.features.limits.rates.places import Places
from parley.features.limits.rates.rules import NO_RULE, RateRule, Who
from parley.features.limits.repository import LimitsRepository
from parley.features.limits.schemas import (
    MOST_LIMITS,
    ChangeLimit,
    LimitView,
    NewLimit,
    RaiseLimit,
    RatesView,
    SetRate,
    Subject,
)
from parley.features.limits.spending.allowances import Allowances
from parley.features.limits.subjects.repository import INSTALLATION, SubjectsRepository
from parley.features.limits.tables import AllowancePeriodRow, AllowanceRow, RequestRateRow
from parley.features.limits.views import view_of
from parley.kernel.caller import Caller, Scope
from parley.kernel.errors import Conflict, Invalid
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

BLIND_FOR = timedelta(days=1)
"""The age of a blind match up to which its vote is still expected."""

KEPT_FOR = timedelta(days=400)

GONE = {
    "installation": INSTALLATION.name,
    "person": "A removed account",
    "workspace": "A deleted workspace",
    "api_key": "A revoked key",
}
"""The names of subjects that are not there any more."""


_Used: TypeAlias = list[tuple[AllowanceRow, AllowancePeriodRow]]


class _Stored(NamedTuple):
    rows: Sequence[AllowanceRow]
    subjects: Sequence[Subject]
    rates: Sequence[RequestRateRow]


class Limits:
    """Keeps the allowances in the database and in memory, where the model gateway reads them."""

    def __init__(
        self, database: Database, allowances: Allowances, clock: Clock, keeper: RateKeeper, places: Places
    ) -> None:
        self._database = database
        self._keeper = keeper
        self._places = places
        self._allowances = allowances
        self._clock = clock
        self._names: dict[tuple[str, str], str] = {}
        self._known: Sequence[AllowanceRow] = ()

    async def open(self) -> None:
        """Read the allowances; count the slices that a killed process has left as spent."""
        is_alone = self._database.is_sqlite
        await self._allowances.pools.settle_expired(is_alone=is_alone)
        await self.reload()

    async def reload(self) -> None:
        """Read all allowances; those that changed give their slices back."""

        def read(transaction: Transaction) -> _Stored:
            limits = LimitsRepository(transaction)
            rows = limits.all()
            return _Stored(rows, SubjectsRepository(transaction).all() if rows else (), limits.rates())

        rows, subjects, rates = await self._database.read(read)
        self._keeper.rules = self._places.rules = {
            rate.who: RateRule(rate.per_minute, rate.at_once) for rate in rates
        }
        self._names = {(each.kind, each.id): each.name for each in subjects}
        before = {row.id: row for row in self._known}
        changed = [row.id for row in rows if row.id in before and row != before[row.id]]
        self._known = rows
        self._allowances.set(rows, self._whose)
        await self._allowances.pools.give_back(changed)

    async def report(self) -> None:
        """Write what was spent, and read what another process has changed."""
        await self._allowances.pools.report()
        if not self._database.is_sqlite:
            await self._allowances.pools.settle_expired(is_alone=False)
            await self.reload()

    async def forget_old(self) -> None:
        """Delete the use of periods of over a year ago."""
        before = (self._now() - KEPT_FOR).date().isoformat()
        await self._database.write(lambda it: LimitsRepository(it).forget_before(before))

    async def list(self, caller: Caller) -> Sequence[LimitView]:
        """Return every limit with its use."""
        now = self._now()

        def read(transaction: Transaction) -> tuple[bool, _Used, Sequence[Subject]]:
            limits = LimitsRepository(transaction)
            blind = limits.is_blind([caller.person_id, caller.author_id], now - BLIND_FOR)
            used = [(row, _use_of(limits, row, now)) for row in limits.all()]
            return blind, used, SubjectsRepository(transaction).all()

        blind, rows, subjects = await self._database.read(read)
        self._names = {(each.kind, each.id): each.name for each in subjects}
        return [self._view(row, use, rounded=blind) for row, use in rows]

    async def mine(self, caller: Caller) -> Sequence[LimitView]:
        """Return the limits that the caller's calls fall under, in figures that tell no model's price.

        Only administrators see that of the installation before it is near.
        """
        now, person_id = self._now(), caller.author_id
        if not self._known:
            return []

        def read(transaction: Transaction) -> list[tuple[AllowanceRow, AllowancePeriodRow]]:
            limits = LimitsRepository(transaction)
            subjects = {("installation", ""), *SubjectsRepository(transaction).of_person(person_id)}
            mine = [row for row in limits.all() if (row.subject_kind, row.subject_id) in subjects]
            return [(row, _use_of(limits, row, now)) for row in mine]

        views = [self._view(row, use, rounded=True) for row, use in await self._database.read(read)]
        manages = Scope.MANAGE in caller.scopes
        return [view for view in views if manages or view.is_near or view.subject.kind != "installation"]

    def rates(self) -> RatesView:
        """Return the rates of each person and each API key."""
        rules = self._keeper.rules
        return RatesView(rules.get("person", NO_RULE), rules.get("api_key", NO_RULE))

    async def set_rate(self, who: Who, request: SetRate) -> RatesView:
        """Set the rates of each person, or of each API key."""
        row = RequestRateRow(who, request.per_minute, request.at_once)
        await self._database.write(lambda it: LimitsRepository(it).set_rate(row))
        await self.reload()
        return self.rates()

    async def subjects(self) -> Sequence[Subject]:
        """Return everything that a limit can be for."""
        return await self._database.read(lambda it: SubjectsRepository(it).all())

    async def add(self, caller: Caller, request: NewLimit) -> LimitView:
        """Add a limit; what was spent before does not count. Raises Invalid for an unknown subject, Conflict."""
        now = self._now()
        row = AllowanceRow(
            id=random_id(),
            subject_kind=request.subject_kind,
            subject_id=request.subject_id,
            meter=request.meter,
            period=request.period,
            cap=request.cap,
            warn_percent=request.warn_percent,
            unpriced=request.unpriced,
            raised_by=None,
            raised_until=None,
            created_by=caller.author_id,
            created_at=now,
            updated_at=now,
        )

        def store(transaction: Transaction) -> None:
            limits = LimitsRepository(transaction)
            _check_new(transaction, limits, request)
            limits.add(row)

        await self._database.write(store)
        await self.reload()
        return await self._one(row.id)

    async def change(self, limit_id: str, request: ChangeLimit) -> LimitView:
        """Change a limit's cap, warning, or what happens to models without a price. Raises NotFound."""
        fields = {name: getattr(request, name) for name in request.model_fields_set}
        return await self._change(limit_id, {name: it for name, it in fields.items() if it is not None})

    async def raise_for_now(self, limit_id: str, request: RaiseLimit) -> LimitView:
        """Add an amount to a cap until a time. Raises NotFound, Invalid for a time that has passed."""
        until = request.until
        if until.tzinfo is None or until <= self._now():
            raise Invalid(
                "until",
                "until: must be a time to come, with its zone.",
                "Nothing was changed. Choose a later time.",
            )
        return await self._change(limit_id, {"raised_by": request.by, "raised_until": until.astimezone(UTC)})

    async def end_raise(self, limit_id: str) -> LimitView:
        """End the raise of a cap. Raises NotFound."""
        return await self._change(limit_id, {"raised_by": None, "raised_until": None})

    async def forgive(self, limit_id: str) -> LimitView:
        """Subtract what is unconfirmed from what was spent: the provider did not bill it. Raises NotFound."""
        now = self._now()

        def store(transaction: Transaction) -> None:
            limits = LimitsRepository(transaction)
            row = limits.get(limit_id)
            limits.forgive(limit_id, period_at(row.period, now).start)

        await self._database.write(store)
        return await self._one(limit_id)

    async def remove(self, limit_id: str) -> None:
        """Remove a limit. Raises NotFound."""

        def store(transaction: Transaction) -> None:
            limits = LimitsRepository(transaction)
            limits.remove(limits.get(limit_id))

        await self._database.write(store)
        await self.reload()

    async def close(self) -> None:
        """Write what was spent, and give all slices back."""
        await self._allowances.pools.close()
        await self._places.close()
        await self._keeper.close()

    async def _change(self, limit_id: str, fields: dict[str, object]) -> LimitView:
        now = self._now()

        def store(transaction: Transaction) -> None:
            limits = LimitsRepository(transaction)
            row = limits.get(limit_id)
            for name, value in fields.items():
                setattr(row, name, value)
            row.updated_at = now
            limits.update(row)

        await self._database.write(store)
        await self.reload()
        return await self._one(limit_id)

    async def _one(self, limit_id: str) -> LimitView:
        now = self._now()

        def read(transaction: Transaction) -> tuple[AllowanceRow, AllowancePeriodRow]:
            limits = LimitsRepository(transaction)
            row = limits.get(limit_id)
            return row, _use_of(limits, row, now)

        return self._view(*await self._database.read(read), rounded=False)

    def _view(self, row: AllowanceRow, use: AllowancePeriodRow, *, rounded: bool) -> LimitView:
        pool = self._allowances.pools.of(row)
        return view_of(row, use, pool, self._name(row), self._now(), rounded=rounded)

    def _whose(self, row: AllowanceRow) -> str:
        name = self._name(row)
        return f"The API key {name}" if row.subject_kind == "api_key" else name

    def _name(self, row: AllowanceRow) -> str:
        return self._names.get((row.subject_kind, row.subject_id)) or GONE[row.subject_kind]

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _use_of(limits: LimitsRepository, row: AllowanceRow, now: datetime) -> AllowancePeriodRow:
    return limits.use(row.id, period_at(row.period, now).start)


def _check_new(transaction: Transaction, limits: LimitsRepository, request: NewLimit) -> None:
    """Raise Invalid if the subject is unknown, Conflict if it has such a limit or there are too many."""
    known = {(each.kind, each.id): each for each in SubjectsRepository(transaction).all()}
    subject = known.get((request.subject_kind, request.subject_id))
    if subject is None:
        raise Invalid(
            "subject_id",
            "subject_id: this person, workspace or API key doesn’t exist.",
            "Nothing was saved. GET /api/limits/subjects lists all.",
        )
    if limits.of_kind(request.subject_kind, request.subject_id, request.meter, request.period):
        raise Conflict(
            f"{subject.name} has a limit in {request.meter} a {request.period} already.",
            "Nothing was saved. Change that one, or remove it first.",
            code="limit_exists",
        )
    if limits.count() >= MOST_LIMITS:
        raise Conflict(
            f"There are {MOST_LIMITS:,} limits, which is the most.",
            "Nothing was saved. Remove some that nobody needs.",
            code="too_many_limits",
        )
