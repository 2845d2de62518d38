"""The queries of rules, and of what they have found."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, case, delete, func, or_, select, update

from parley.features.moderation.tables import ItemRow, RuleRow
from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.conversations import MatchRow, ReplyRow, TurnRow, UserRow
from parley.storage.tables.rows import select_rows

_RULE, _ITEM, _REPLY = RuleRow.c, ItemRow.c, ReplyRow.c


class Findings(NamedTuple):
    """The number of stored findings of a rule, and of those that are open."""

    total: int
    open: int


class ModerationRepository:
    """Queries on one open transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    def rules(self) -> Sequence[RuleRow]:
        """Return every rule, the oldest first."""
        return self._db.select(RuleRow, select_rows(RuleRow).order_by(_RULE.created_at, _RULE.id))

    def rule(self, rule_id: str) -> RuleRow:
        """Return a rule. Raises NotFound."""
        row = self._db.find(RuleRow, _RULE.id == rule_id)
        if row is None:
            raise NotFound("This rule doesn't exist.", "It may have been removed.")
        return row

    def put(self, row: RuleRow) -> None:
        """Store a rule in place of the one before."""
        self.remove(row.id)
        self._db.insert(row)

    def remove(self, rule_id: str) -> int:
        """Delete a rule; what it has found stays. Return how many there were."""
        return self._db.execute(delete(RuleRow.table).where(_RULE.id == rule_id)).rowcount

    def findings(self) -> Mapping[str, Findings]:
        """Return how much each rule has found, by its id."""
        is_open = func.sum(case((_ITEM.state == "open", 1), else_=0))
        rows = self._db.execute(select(_ITEM.rule_id, func.count(), is_open).group_by(_ITEM.rule_id))
        return {rule_id: Findings(total, opened) for rule_id, total, opened in rows}

    def state_of(self, item: ItemRow) -> str | None:
        """Return the state of the same text that the same rule has found before, of the same person; None if new."""
        same = (
            _ITEM.rule_id == item.rule_id,
            _ITEM.owner_id == item.owner_id,
            _ITEM.text_sha256 == item.text_sha256,
            _ITEM.moment == item.moment,
        )
        # A release stands, however often the text has been found.
        order = case((_ITEM.state == "released", 0), else_=1)
        query = select(_ITEM.state, _ITEM.reply_id).where(*same).order_by(order)
        rows = self._db.execute(query).all()
        if rows and rows[0].state == "released":
            return "released"
        # Each held reply has its own place where it can be shown again.
        return next((row.state for row in rows if row.reply_id == item.reply_id), None)

    def add(self, item: ItemRow) -> None:
        """Store what a rule has found."""
        self._db.insert(item)

    def item(self, item_id: str) -> ItemRow:
        """Return something found. Raises NotFound."""
        row = self._db.find(ItemRow, _ITEM.id == item_id)
        if row is None:
            raise NotFound("This is not in the queue any more.", "Somebody may have deleted it.")
        return row

    def update(self, item: ItemRow) -> None:
        """Store what was decided."""
        self._db.update(item)

    def delete(self, item: ItemRow) -> None:
        """Delete something found, with its text."""
        self._db.delete(item)

    def page(
        self, state: str | None, rule_id: str | None, moment: str | None, before: str | None, limit: int
    ) -> Sequence[ItemRow]:
        """Return what was found, the newest first."""
        chosen = {_ITEM.state: state, _ITEM.rule_id: rule_id, _ITEM.moment: moment}
        where = [name == value for name, value in chosen.items() if value is not None]
        if before is not None:
            where.append(_ITEM.id < before)
        query = select_rows(ItemRow).where(*where).order_by(_ITEM.id.desc()).limit(limit)
        return self._db.select(ItemRow, query)

    def pseudonyms(self, person_ids: Sequence[str]) -> Mapping[str, str]:
        """Return the pseudonyms of people by id: those under which they vote."""
        users = UserRow.c
        rows = self._db.execute(select(users.id, users.voter_id).where(users.id.in_(person_ids)))
        return {row.id: row.voter_id for row in rows}

    def blind_turns(self, turn_ids: Sequence[str]) -> set[str]:
        """Return those of some turns whose match is blind and can still be voted on."""
        joined = TurnRow.table.join(MatchRow.table, MatchRow.c.id == TurnRow.c.match_id)
        blind = (MatchRow.c.blind, MatchRow.c.status == "open", TurnRow.c.id.in_(turn_ids))
        return set(self._db.scalars(select(TurnRow.c.id).select_from(joined).where(*blind)))

    def restore(self, item: ItemRow, error_code: str) -> bool:
        """Show a held reply in its conversation again; return False if it is gone, or was asked again meanwhile."""
        reply = self._db.find(ReplyRow, _REPLY.id == item.reply_id) if item.restores else None
        if reply is None or (reply.error or {}).get("code") != error_code or not item.restores:
            return False
        reply.text, reply.reasoning = item.restores["text"], item.restores["reasoning"]
        reply.text_sha256, reply.status, reply.error = item.restores["sha256"], item.restores["status"], None
        reply.finish_reason = "stop" if reply.status == "completed" else None
        self._db.update(reply)
        turn = update(TurnRow.table).where(TurnRow.c.id == reply.turn_id)
        self._db.execute(turn.values(searchable=False))
        return True

    def count(self, person_id: str) -> int:
        """Return how much was found of a person, or in a workspace."""
        return self._db.scalar(select(func.count()).where(_of(person_id))) or 0

    def of(self, person_id: str) -> Sequence[ItemRow]:
        """Return what was found of a person, or in a workspace, the oldest first."""
        return self._db.select(ItemRow, select_rows(ItemRow).where(_of(person_id)).order_by(_ITEM.id))

    def erase(self, person_id: str) -> int:
        """Delete all that was found of a person; return how much."""
        return self._db.execute(delete(ItemRow.table).where(_of(person_id))).rowcount

    def count_older(self, before: datetime | None) -> int:
        """Return how much was found before a time, or at all."""
        query = select(func.count()).select_from(ItemRow.table)
        return self._db.scalar(query if before is None else query.where(_ITEM.created_at < before)) or 0

    def forget_older(self, before: datetime) -> int:
        """Delete what was found before a time; return how much."""
        return self._db.execute(delete(ItemRow.table).where(_ITEM.created_at < before)).rowcount


def _of(person_id: str) -> ColumnElement[bool]:
    return or_(_ITEM.owner_id == person_id, _ITEM.author_id == person_id)
