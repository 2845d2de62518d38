"""One bit changed anywhere in what a rating rests on: verification must find it."""

import asyncio
import json
import random
import sqlite3
import struct
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import text

from parley.application import built_in_tables
from parley.features.standings.recount import confirm_elo
from parley.features.standings.verification import EXACT_TO, verify_standings
from parley.kernel.messages import sha256_text
from parley.settings import DATABASE_FILE
from parley.storage import audit_check, schema
from parley.storage.audit_check import check_audit
from parley.storage.audit_log import append_categories, append_exclusion, lock_head
from parley.storage.database import Database, Transaction
from prove.campaign import Batch, Campaign, Tally
from tests.fakes.ballot_box import BEGIN, BallotBox, standings_of

VOTES = 120
TABLES = ("votes", "audit_log", "audit_head", "pair_counts", "uncounted_counts", "elo", "model_stats")

NOT_COVERED = {
    # Deleting a session removes these, and the log stays valid.
    "votes": ("session_id", "owner_id", "reason", "result"),
    # The time to the first word, on which no rating depends.
    "model_stats": ("ttft_p50_ms",),
}

ROUNDED = {"elo": ("rating",), "model_stats": ("rating", "ci_lower", "ci_upper", "win_rate")}
"""Numbers that another machine may make a little different: a thousandth is nothing."""


class Flip(NamedTuple):
    """A stored value with one bit changed."""

    table: str
    column: str
    row: int
    before: object
    after: object


class AuditBits:
    name = "audit-bits"
    guarantee = (
        "One bit changed in any column of the votes, the audit log, the counts, Elo or the tables is found by "
        "verification. Not covered: what may be forgotten of a vote (session, owner, reason, the answer repeated to "
        "its voter), speed and use of models, the history, the worker's own row, flags, names of models, and less "
        "than 0.001 of a rating or share."
    )
    trials = 10_000
    batch = 500
    sample = 70

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch))

    def control(self, batch: Batch) -> Tally:
        with _beside_nothing():
            return asyncio.run(_attack(batch))

    def summary(self, tally: Tally) -> str:
        columns = ", ".join(
            f"{name} {int(sum(found))}/{len(found)}" for name, found in sorted(tally.figures.items())
        )
        return f"found {tally.trials - len(tally.failures):,} of {tally.trials:,}: {columns}"


async def _attack(batch: Batch) -> Tally:
    tally = Tally()
    path = batch.folder / DATABASE_FILE
    await make(path)
    database = Database(f"sqlite:///{path}")
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        columns = columns_of(file)
        for trial in range(batch.first, batch.first + batch.count):
            chance = batch.chance(trial)
            flip = _flipped(file, *columns[trial % len(columns)], chance)
            found = not await holds(database)
            tally.note(f"{flip.table}.{flip.column}", found)
            if not found:
                tally.failures.append(f"trial {trial}: not found: {flip}")
            _undo(file, flip)
            tally.trials += 1
            batch.step()
    if not await holds(database):
        raise RuntimeError("what was changed was not put back")
    await database.close()
    return tally


async def holds(database: Database) -> bool:
    """Verify as `parley audit verify` does."""
    return (await check_audit(database)).ok and (await verify_standings(database)).ok


async def make(path: Path) -> None:
    """Make a database with votes, exclusions, corrected categories, counts and tables that is in order."""
    path.parent.mkdir(parents=True, exist_ok=True)
    database = Database(f"sqlite:///{path}")
    await schema.migrate(database, built_in_tables())
    said = {"reason": "So.", "prompt_sha256": sha256_text("?"), "propensity": 1 / 6}
    said |= {"session_id": "s" * 32, "turn_id": "t" * 32}
    box = BallotBox(seed=3)
    for categories in (["coding"], []):  # few categories: each is fitted again in every trial
        await box.cast(database, VOTES // 2, categories=categories, **said)
    await database.write(_change_some)
    standings = standings_of(database)
    for _ in range(4):
        await standings.worker.run(True)
    await standings.close()
    await confirm_elo(database)
    audit, kept = await check_audit(database), await verify_standings(database)
    if not audit.ok or not kept.ok or kept.unseen or not audit.exclusions:
        raise RuntimeError(f"what nobody touched is not in order: {audit.broken} {kept}")
    await database.close()


def _change_some(transaction: Transaction) -> None:
    query = "SELECT lower(hex(id)) FROM votes WHERE counted AND seq % 8 = :rest ORDER BY seq"
    for rest, change in ((3, "excluded_reason = 'a person said so'"), (5, "categories = '[\"maths\"]'")):
        for vote_id in transaction.execute(text(query), {"rest": rest}).scalars().all():
            if rest == 3:
                append_exclusion(transaction, lock_head(transaction), vote_id, "a person said so", BEGIN)
            else:
                append_categories(transaction, lock_head(transaction), vote_id, ["maths"], "rules", BEGIN)
            transaction.execute(
                text(f"UPDATE votes SET {change} WHERE lower(hex(id)) = :id"), {"id": vote_id}
            )


def columns_of(file: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return every covered column by table, as the database lists them."""
    found: list[tuple[str, str]] = []
    for table in TABLES:
        names = [str(row[1]) for row in file.execute(f"pragma table_info({table})")]
        found += [(table, name) for name in names if name not in NOT_COVERED.get(table, ())]
    return found


def _flipped(file: sqlite3.Connection, table: str, column: str, chance: random.Random) -> Flip:
    """Change one bit of one stored value so that its meaning changes."""
    rows = file.execute(f"select rowid, {column} from {table} where {column} is not null").fetchall()
    while True:
        row, before = chance.choice(rows)
        after = _with_one_bit(before, chance)
        if _says_the_same(table, column, before, after):
            continue
        try:
            _write(file, table, column, row, after)
        except (sqlite3.IntegrityError, sqlite3.OperationalError, OverflowError):
            continue  # a key that is taken, a number that is none: the database itself refuses it
        return Flip(table, column, row, before, after)


def _with_one_bit(value: object, chance: random.Random) -> object:
    if isinstance(value, int):
        return value ^ (1 << chance.randrange(63))
    if isinstance(value, float):
        (bits,) = struct.unpack("<Q", struct.pack("<d", value))
        return float(struct.unpack("<d", struct.pack("<Q", bits ^ (1 << chance.randrange(64))))[0])
    data = bytearray(value if isinstance(value, bytes) else str(value).encode())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def _says_the_same(table: str, column: str, before: object, after: object) -> bool:
    if isinstance(after, float) and isinstance(before, float):
        return after != after or (column in ROUNDED.get(table, ()) and abs(after - before) <= EXACT_TO)
    if isinstance(after, bytes) and str(before)[:1] in ("{", "["):
        try:
            return bool(json.loads(after) == json.loads(str(before)))  # noqa: TID251
        except ValueError:
            return False
    return False


def _write(file: sqlite3.Connection, table: str, column: str, row: int, value: object) -> None:
    # As text, unless they are bytes: SQLite keeps texts that are none as they are.
    (kind,) = file.execute(f"select typeof({column}) from {table} where rowid = ?", (row,)).fetchone() or (
        "",
    )
    given = "cast(? as text)" if isinstance(value, bytes) and kind != "blob" else "?"
    file.execute(f"update {table} set {column} = {given} where rowid = ?", (value, row))


def _undo(file: sqlite3.Connection, flip: Flip) -> None:
    is_row = file.execute(f"select rowid from {flip.table} where rowid = ?", (flip.row,)).fetchone()
    row = flip.row if is_row else flip.after
    assert isinstance(row, int)
    _write(file, flip.table, flip.column, row, flip.before)


@contextmanager
def _beside_nothing() -> Generator[None]:
    """Plant the earlier verifier: it compares the data beside a vote with no entry."""
    unsaid = audit_check._unsaid
    audit_check._unsaid = lambda vote: None
    try:
        yield
    finally:
        audit_check._unsaid = unsaid


CAMPAIGNS: list[Campaign] = [AuditBits()]
