"""Inserts votes directly into a database, many at once, and computes the expected counts."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

from sqlalchemy import insert, select

from parley.engine.clock import WallClock
from parley.features.standings.runtime import StandingsRuntime
from parley.features.standings.tables import ModelStatsRow, PairCountRow, UncountedCountRow
from parley.features.standings.views import Cards
from parley.kernel.ids import random_id
from parley.kernel.views import ModelCard
from parley.storage.audit_log import (
    NewEntry,
    append_entries,
    canonical,
    lock_head,
    time_text,
    vote_content,
)
from parley.storage.bulk import stored_time
from parley.storage.database import Database, Transaction
from parley.storage.tables.rows import select_rows
from parley.storage.tables.votes import VoteRow
from parley.text.categories.categorise import Categories

BEGIN = datetime(2026, 3, 1, 12, tzinfo=UTC)
CHOICES = ("left", "right", "tie", "both_bad")
TOPICS = ("coding", "maths", "language-en", "language-de", "hard-prompts")
_INSERT = insert(VoteRow.table)


@dataclass
class BallotBox:
    """Makes votes with random models, outcomes and categories, reproducible by seed."""

    models: Sequence[str] = ("ada", "bob", "cleo", "dora")
    voters: int = 5
    uncounted: float = 0.1
    seed: int = 1
    made: int = 0
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def rows(self, number: int, **given: Any) -> list[dict[str, Any]]:
        """Return votes as rows; `given` columns are the same in all."""
        return [{**self._row(), **given} for _ in range(number)]

    async def cast(self, database: Database, number: int, **given: Any) -> None:
        """Insert votes into a database."""
        await put(database, self.rows(number, **given))

    def _row(self) -> dict[str, Any]:
        chance, self.made = self.chance, self.made + 1
        left, right = chance.sample(self.models, 2)
        counted = chance.random() >= self.uncounted
        looks = {side: self._looks() for side in ("left", "right")}
        metrics = {"ttft_ms": chance.randint(100, 900), "duration_ms": 2000, "output_tokens": 50}
        seats = {
            side: {"model_id": model, "metrics": {**metrics, "cost_micros": 7}}
            for side, model in (("left", left), ("right", right))
        }
        return {
            "id": random_id(),
            "kind": "blind",
            "match_id": random_id(),
            "turn_id": None,
            "rated": True,
            "session_id": None,
            "owner_id": None,
            "voter_id": f"{chance.randrange(self.voters):032d}",
            "choice": chance.choice(CHOICES),
            "reason": None,
            "left_model_id": left,
            "right_model_id": right,
            "seats": {"left": left, "right": right},
            "propensity": None,
            "counted": counted,
            "not_counted_reason": None if counted else chance.choice(("too_fast", "identity_leak")),
            "processing_status": "pending",
            "result": {"seats": seats},
            "created_at": BEGIN + timedelta(minutes=self.made),
            "excluded_reason": None,
            "categories": sorted(chance.sample(TOPICS, chance.randint(0, 2))),
            "categories_by": "rules",
            "prompt_sha256": None,
            "style": looks,
            "read_ms": 9000,
            "origin": "here",
        }

    def _looks(self) -> dict[str, int]:
        chance = self.chance
        return {"tokens": chance.randint(5, 400), "headers": chance.randint(0, 3), "lists": 0, "bold": 1}


async def put(database: Database, rows: Sequence[dict[str, Any]]) -> None:
    """Insert votes into a database, each with its entry in the audit log."""

    def store(transaction: Transaction) -> None:
        transaction.execute(_INSERT, rows)
        append_entries(transaction, lock_head(transaction), [_entry(row, transaction) for row in rows])

    await database.write(store)


def _entry(row: dict[str, Any], transaction: Transaction) -> NewEntry:
    moment = time_text(row["created_at"])
    stored = stored_time(moment, sqlite=transaction.dialect == "sqlite")
    return NewEntry("vote", row["id"], canonical(vote_content(cast("Any", SimpleNamespace(**row)))), stored)


def standings_of(database: Database, *, every_s: float = 3600.0) -> StandingsRuntime:
    """Return the standings of a database, whose worker nobody has started."""
    return StandingsRuntime(
        database=database, clock=WallClock(), card=bare_card, categories=Categories(), every_s=every_s
    )


def bare_card(model_id: str) -> ModelCard:
    """Return the card of a model known only by its id."""
    from parley.kernel.errors import NotFound

    def unknown(_: str) -> ModelCard:
        raise NotFound("nobody is known here")

    return Cards(unknown)(model_id)


Counted = dict[tuple[str, ...], int]


async def counts_stored(database: Database) -> Counted:
    """Return the counts that are stored and not zero: by category, models, whether counted, and outcome."""

    def read(transaction: Transaction) -> Counted:
        found: Counted = {}
        for row in transaction.execute(select(PairCountRow.table)).all():
            category, left, right, counted, *numbers = row
            for choice, votes in zip(CHOICES, numbers, strict=True):
                if votes:
                    found[category, left, right, str(counted), choice] = votes
        for category, reason, votes in transaction.execute(select(UncountedCountRow.table)).all():
            if votes:
                found[category, reason] = votes
        return found

    return await database.read(read)


async def counts_due(database: Database) -> Counted:
    """Return what the counts must be, from the votes that are marked as counted: written without the product's code."""

    def read(transaction: Transaction) -> Counted:
        found: Counter[tuple[str, ...]] = Counter()
        for vote in transaction.select(
            VoteRow, select_rows(VoteRow).where(VoteRow.c.processing_status == "processed")
        ):
            if not vote.rated:
                continue
            why = vote.excluded_reason or (None if vote.counted else vote.not_counted_reason)
            for category in ["overall", *vote.categories]:
                models = (str(vote.left_model_id), str(vote.right_model_id))
                found[category, *models, str(why is None), vote.choice] += 1
                if why is not None:
                    found[category, why] += 1
        return dict(found)

    return await database.read(read)


async def pending(database: Database) -> int:
    """Return the number of waiting votes."""

    def read(transaction: Transaction) -> int:
        waiting = select(VoteRow.c.seq).where(VoteRow.c.processing_status == "pending")
        return len(transaction.scalars(waiting))

    return await database.read(read)


async def stats_of(database: Database) -> dict[tuple[str, str, str], tuple[Any, ...]]:
    def read(transaction: Transaction) -> dict[tuple[str, str, str], tuple[Any, ...]]:
        names = ("ci_lower", "ci_upper", "rank_ub", "rank", "votes", "wins", "losses", "ties", "both_bad")
        more = ("win_rate", "provisional", "comparison_group", "ttft_p50_ms", "first_vote_at", "last_vote_at")
        return {
            (row.category, row.method, row.model_id): (
                round(row.rating, 4),
                *(getattr(row, name) for name in (*names, *more)),
            )
            for row in transaction.select(ModelStatsRow, select_rows(ModelStatsRow))
        }

    return await database.read(read)
