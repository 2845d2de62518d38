"""Use cases of moderation: the rules, the review queue, and what is a person's own of it."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from parley.features.moderation.moderating import Moderating
from parley.features.moderation.repository import Findings, ModerationRepository
from parley.features.moderation.schemas import (
    MOST_RULES,
    ExportedItem,
    ItemPage,
    ItemView,
    RuleBody,
    RuleList,
    RuleView,
    State,
)
from parley.features.moderation.tables import ItemRow, RuleRow
from parley.kernel.bus import Bus
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, NotFound
from parley.kernel.ids import ordered_id
from parley.kernel.moderation import Moment, reply_held
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

log = logging.getLogger(__name__)

CHANNEL = "moderation"
LOOK_AGAIN_S = 30.0
PAGE = 50
_NOTHING = Findings(0, 0)


class Moderation:
    """Keeps the rules in the database and in the moderator of the gateway, and the queue of what they find."""

    def __init__(
        self, database: Database, clock: Clock, bus: Bus, moderating: Moderating, *, is_on: bool
    ) -> None:
        """`is_on`: rules are applied here."""
        self._database = database
        self._clock = clock
        self._bus = bus
        self._moderating = moderating
        self.is_on = is_on
        self._others: list[Callable[[], Awaitable[Sequence[RuleRow]]]] = []
        self._known: Sequence[RuleRow] = ()

    def also(self, source: Callable[[], Awaitable[Sequence[RuleRow]]]) -> None:
        """Apply rules of another source beside those of the table."""
        self._others.append(source)

    # ── rules ────────────────────────────────────────────────────────────────────────────────────

    async def reload(self) -> None:
        """Read the rules, and apply them from now on."""
        if not self.is_on:
            return
        rows = list(await self._database.read(lambda it: ModerationRepository(it).rules()))
        for source in self._others:
            rows += await source()
        if rows != self._known:
            self._moderating.set_rules(rows)
            self._known = rows

    async def listen(self) -> None:
        """Read the rules again when another process has changed them, until the bus closes."""
        async with self._bus.subscribe(CHANNEL) as messages:
            async for _ in messages:
                await self.reload()

    async def rules(self) -> RuleList:
        """Return every rule."""
        rows, findings = await self._database.read(
            lambda it: (ModerationRepository(it).rules(), ModerationRepository(it).findings())
        )
        return RuleList(
            rules=[_rule_view(row, findings.get(row.id, _NOTHING)) for row in rows],
            on=self.is_on,
            open=sum(each.open for each in findings.values()),
        )

    async def add(self, body: RuleBody) -> RuleList:
        """Store a new rule. Raises Conflict."""
        self._check_on()
        row = RuleRow(id=ordered_id(), created_at=self._now(), **_fields(body))

        def store(transaction: Transaction) -> None:
            repository = ModerationRepository(transaction)
            if len(repository.rules()) >= MOST_RULES:
                raise Conflict(
                    f"There are {MOST_RULES} rules already.",
                    "Nothing was saved. Remove one first, or put your words into one of them.",
                    code="too_many_rules",
                )
            repository.put(row)

        await self._database.write(store)
        return await self._announced()

    async def change(self, rule_id: str, body: RuleBody) -> RuleList:
        """Store a rule in place of the one before. Raises NotFound, Conflict."""
        self._check_on()

        def store(transaction: Transaction) -> None:
            repository = ModerationRepository(transaction)
            before = repository.rule(rule_id)
            repository.put(RuleRow(id=rule_id, created_at=before.created_at, **_fields(body)))

        await self._database.write(store)
        return await self._announced()

    async def remove(self, rule_id: str) -> RuleList:
        """Delete a rule; what it has found stays in the queue. Raises NotFound."""
        if not await self._database.write(lambda it: ModerationRepository(it).remove(rule_id)):
            raise NotFound("This rule doesn't exist.", "It may have been removed already.")
        return await self._announced()

    # ── the queue ────────────────────────────────────────────────────────────────────────────────

    async def items(
        self, state: State | None, rule_id: str | None, moment: Moment | None, before: str | None
    ) -> ItemPage:
        """Return a page of what rules have found, the newest first."""

        def read(transaction: Transaction) -> tuple[Sequence[ItemRow], Sequence[ItemView]]:
            repository = ModerationRepository(transaction)
            rows = repository.page(state, rule_id, moment, before, PAGE + 1)
            return rows, _views(repository, rows[:PAGE])

        rows, views = await self._database.read(read)
        return ItemPage(items=list(views), before=rows[PAGE - 1].id if len(rows) > PAGE else None)

    async def decide(self, caller: Caller, item_id: str, state: State) -> ItemView:
        """Release something, or keep it held. A released reply is shown in its conversation. Raises NotFound."""

        def store(transaction: Transaction) -> ItemView:
            repository = ModerationRepository(transaction)
            item = repository.item(item_id)
            if state == "released" and item.restores is not None:
                repository.restore(item, reply_held().leaf_code)
                item.restores = None
            item.state, item.decided_by, item.decided_at = state, caller.author_id, self._now()
            repository.update(item)
            return _views(repository, [item])[0]

        return await self._database.write(store)

    async def delete(self, item_id: str) -> None:
        """Delete something found, with its text; what was held stays held. Raises NotFound."""

        def remove(transaction: Transaction) -> None:
            repository = ModerationRepository(transaction)
            repository.delete(repository.item(item_id))

        await self._database.write(remove)

    # ── a person's own, and what is old ──────────────────────────────────────────────────────────

    async def count(self, person_id: str) -> int:
        """Return how much was found of a person, or in a workspace."""
        return await self._database.read(lambda it: ModerationRepository(it).count(person_id))

    async def export(self, person_id: str) -> AsyncIterator[ExportedItem]:
        """Yield what was found of a person; not the texts of replies that are still held."""
        for row in await self._database.read(lambda it: ModerationRepository(it).of(person_id)):
            hidden = row.moment == "reply" and row.verdict == "hold" and row.state != "released"
            yield msgspec.convert(
                {
                    "moment": row.moment,
                    "verdict": row.verdict,
                    "state": row.state,
                    "text": None if hidden else row.text,
                    "created_at": row.created_at.isoformat(),
                },
                ExportedItem,
            )

    async def erase(self, person_id: str) -> int:
        """Delete all that was found of a person, or in a workspace; return how much."""
        return await self._database.write(lambda it: ModerationRepository(it).erase(person_id))

    async def count_older(self, before: datetime | None) -> int:
        """Return how much was found before a time, or at all."""
        return await self._database.read(lambda it: ModerationRepository(it).count_older(before))

    async def forget_older(self, before: datetime) -> int:
        """Delete what was found before a time; return how much."""
        return await self._database.write(lambda it: ModerationRepository(it).forget_older(before))

    async def announce(self) -> None:
        """Apply the rules anew, here and in every other process."""
        await self.reload()
        try:
            await self._bus.publish(CHANNEL, b"")
        except OSError as error:
            log.warning("other processes notice changed rules within %.0f s: %s", LOOK_AGAIN_S, error)

    async def _announced(self) -> RuleList:
        await self.announce()
        return await self.rules()

    def _check_on(self) -> None:
        if not self.is_on:
            raise Conflict(
                "Moderation is off where only you use Parley.",
                "Nothing was saved. Start Parley with `PARLEY_MODERATION=on` to use it.",
                code="moderation_off",
            )

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _fields(body: RuleBody) -> dict[str, Any]:
    """Return the fields of a rule as its row stores them, without those of other kinds and audiences."""
    asks = body.kind in ("model", "endpoint")
    return {
        **body.model_dump(),
        "terms": [] if asks else body.terms,
        "model_id": body.model_id if asks else None,
        "policy": body.policy if body.kind == "model" else "",
        "space_id": body.space_id if body.audience == "workspace" else None,
        "before_showing": body.before_showing and body.moment != "prompt",
    }


def _rule_view(row: RuleRow, findings: Findings) -> RuleView:
    fields = {**msgspec.structs.asdict(row), "findings": findings.total, "open": findings.open}
    return msgspec.convert(fields, RuleView)


def _views(repository: ModerationRepository, rows: Sequence[ItemRow]) -> Sequence[ItemView]:
    """Return what was found as reviewers see it: who by pseudonym, and no model of a match that is still blind."""
    names = repository.pseudonyms([row.author_id for row in rows])
    blind = repository.blind_turns([row.turn_id for row in rows if row.turn_id])
    return [
        msgspec.convert(
            {
                **msgspec.structs.asdict(row),
                "who": names.get(row.author_id, ""),
                "model_id": None if row.turn_id in blind else row.model_id,
                "restorable": row.restores is not None,
                "created_at": row.created_at.isoformat(),
                "decided_at": row.decided_at.isoformat() if row.decided_at else None,
            },
            ItemView,
        )
        for row in rows
    ]
