"""Queries of verification: all votes in their order, and stored values as they are."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import Integer, Text, not_, select, type_coerce
from sqlalchemy.exc import DBAPIError

from parley.storage.audit_log import lock_head
from parley.storage.audit_state import restore_beside
from parley.storage.bulk import STORED_TIME
from parley.storage.database import Transaction
from parley.storage.dialects import hold_still
from parley.storage.seated import sided_choice
from parley.storage.tables.declared import core
from parley.storage.tables.judgements import Elo, Vote
from parley.storage.tables.standings import ModelStats, PairCount
from parley.workspace.standings.sequence import Revealed

PART = 2_000
"""Votes that are read at once."""

_VOTE = core(Vote).c
_READ = ("seq", "id", "rated", "left_model_id", "right_model_id", "counted", "not_counted_reason")
_MORE = ("excluded_reason", "categories", "processing_status", "created_at", "origin", "style")
_VOTES = (
    select(*(_VOTE[name] for name in (*_READ, *_MORE)), sided_choice().label("choice"))
    .order_by(_VOTE.seq)
    .limit(PART)
)


UNREADABLE = (ValueError, TypeError, LookupError, msgspec.MsgspecError, DBAPIError)
"""What is raised where a stored value was changed into what cannot be read."""


class VerificationRepository:
    """Queries on one open transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    def hold_still(self) -> None:
        """See the database as it is now in every query that follows."""
        hold_still(self._db)

    def votes(self) -> Iterator[Sequence[Any]]:
        """Yield all votes as columns, in their order, part by part."""
        after = -1
        while page := self._db.execute(_VOTES.where(_VOTE.seq > after)).all():
            yield page
            after = page[-1].seq

    def elos(self) -> dict[str, Any]:
        """Return the stored Elo of every model."""
        return {row.model_id: row for row in self._db.execute(select(core(Elo))).all()}

    def odd_value(self) -> tuple[str, str] | None:
        """Return a table and column where SQLite keeps what Parley does not write, but would read; None where nowhere.

        That is a truth that is another number than 0 and 1, or a time in another form.
        """
        if self._db.dialect != "sqlite":
            return None
        for table, column in ((PairCount, "counted"), (ModelStats, "provisional")):
            number = type_coerce(core(table).c[column], Integer)
            if self._db.execute(select(number).where(number.not_in((0, 1))).limit(1)).first():
                return core(table).name, column
        for table, column in (
            (Elo, "updated_at"),
            (ModelStats, "first_vote_at"),
            (ModelStats, "last_vote_at"),
        ):
            time = type_coerce(core(table).c[column], Text)
            if self._db.execute(select(time).where(not_(time.bool_op("GLOB")(STORED_TIME))).limit(1)).first():
                return core(table).name, column
        return None

    def restore_beside(self) -> int:
        """Let the rows of all votes say what the audit log says stands beside them; returns how many did not."""
        return restore_beside(self._db)

    def lock_votes(self) -> None:
        """Let no vote be cast until the transaction ends."""
        lock_head(self._db)

    def put_elos(self, elos: Iterable[tuple[str, Revealed]]) -> None:
        """Store the Elo of models."""
        for model, due in elos:
            values = {"rating": due.rating, "votes": due.votes, "updated_at": due.updated_at}
            self._db.merge(Elo(model_id=model, **values))
