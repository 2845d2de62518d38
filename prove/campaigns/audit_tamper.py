"""Tampering with votes and with the audit log: verification must find each change."""

import asyncio
import random
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import update

from parley.application import built_in_tables
from parley.features.voting.repository import VotingRepository
from parley.kernel.ids import random_id
from parley.settings import DATABASE_FILE
from parley.storage import audit_check, schema
from parley.storage.audit_check import AuditReport, verify_audit
from parley.storage.audit_log import START, append_exclusion, linked, lock_head
from parley.storage.database import Database, Transaction
from parley.storage.tables.votes import VoteRow
from prove.campaign import Batch, Campaign, Tally

VOTES, ENTRIES = 40, 43
"""How many votes each database has, and how many entries with its exclusions."""

WHY = "a test of my own"
BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"

VOTE_TEXTS = (
    *("id", "kind", "match_id", "voter_id", "choice", "left_model_id", "right_model_id", "seats"),
    *("not_counted_reason", "created_at"),
)
ENTRY_TEXTS = ("vote_id", "kind", "content", "previous_sha256", "sha256", "created_at")
FORGOTTEN = "update votes set session_id = null, owner_id = null, reason = null, result = '{}' where seq % 2"

Tampering = Callable[[sqlite3.Connection, random.Random], None]


class AuditTamper:
    name = "audit-tamper"
    guarantee = (
        "Votes and entries of the audit log that are changed, removed, moved or put in "
        "are found by verification."
    )
    trials = 2000
    batch = 250
    sample = 40

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch))

    def control(self, batch: Batch) -> Tally:
        with _without_hashes():
            return asyncio.run(_attack(batch))

    def summary(self, tally: Tally) -> str:
        kinds = {name: len(values) for name, values in tally.figures.items()}
        return f"found {tally.trials - len(tally.failures):,} of {tally.trials:,}; " + ", ".join(
            f"{name} {count:,}" for name, count in sorted(kinds.items())
        )


async def _attack(batch: Batch) -> Tally:
    tally = Tally()
    whole = batch.folder / "whole" / DATABASE_FILE
    noted = await _make(whole)
    for trial in range(batch.first, batch.first + batch.count):
        chance = batch.chance(trial)
        name, tamper, needs_note = TAMPERINGS[trial % len(TAMPERINGS)]
        path = batch.folder / f"{trial}.db"
        _copy(whole, path)
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(FORGOTTEN)
            before = _dump(database)
            tamper(database, chance)
            changed = _dump(database) != before
        if not changed:
            raise RuntimeError(f"trial {trial}: {name} changed nothing")
        report = await _verify(path, noted if needs_note else None)
        if report.ok:
            tally.failures.append(f"trial {trial}: not found: {name}")
        tally.note(name, 1)
        tally.trials += 1
        path.unlink()
        batch.step()
    return tally


async def _make(path: Path) -> str:
    """Make a database with votes and exclusions that is in order; return its head hash."""
    path.parent.mkdir(parents=True)
    database = Database(f"sqlite:///{path}")
    await schema.migrate(database, built_in_tables())

    def fill(session: Transaction) -> None:
        repository = VotingRepository(session)
        for number in range(VOTES):
            vote = _a_vote(number)
            repository.insert_vote(repository.lock_audit(), vote)
            if number in (7, 19, 31):
                append_exclusion(session, lock_head(session), vote.id, WHY, BEGUN)
                session.execute(
                    update(VoteRow.table).where(VoteRow.c.id == vote.id).values(excluded_reason=WHY)
                )

    await database.write(fill)
    await database.close()
    with closing(sqlite3.connect(path)) as file:
        file.execute("pragma journal_mode=delete")
    report = await _verify(path, None)
    if not report.ok or (report.votes, report.entries) != (VOTES, ENTRIES):
        raise RuntimeError(f"a log that nobody touched is called broken: {report}")
    return report.head


def _a_vote(number: int) -> VoteRow:
    counted = number % 5 != 0
    return VoteRow(
        id=random_id(),
        kind="blind",
        turn_id=None,
        rated=True,
        match_id=random_id(),
        session_id=random_id(),
        owner_id="o" * 32,
        voter_id="f" * 32,
        choice=("left", "right", "tie", "both_bad")[number % 4],
        reason="So.",
        left_model_id="ada",
        right_model_id="bob",
        seats={"left": "ada", "right": "bob"},
        propensity=1 / 6,
        counted=counted,
        not_counted_reason=None if counted else "identity_leak",
        processing_status="pending",
        result={},
        created_at=BEGUN + timedelta(seconds=number, microseconds=number),
        excluded_reason=None,
        categories=[],
        categories_by="rules",
        prompt_sha256=None,
        style=None,
        read_ms=None,
        origin="here",
    )


def _copy(whole: Path, path: Path) -> None:
    path.write_bytes(whole.read_bytes())


def _dump(database: sqlite3.Connection) -> list[tuple[object, ...]]:
    covered = f"seq, propensity, counted, excluded_reason, categories, {', '.join(VOTE_TEXTS)}"
    queries = (
        f"select {covered} from votes order by seq",
        "select * from audit_log order by seq",
        "select * from audit_head",
    )
    return [row for query in queries for row in database.execute(query)]


async def _verify(path: Path, noted: str | None) -> AuditReport:
    return await verify_audit(f"sqlite:///{path}", noted, lambda _done, _all: None)


# ── what is tried ────────────────────────────────────────────────────────────────────────────────


def _other_sign(text: str | bytes, chance: random.Random) -> str | bytes:
    """Return a text with one letter or digit replaced by another one, or bytes with one bit changed."""
    if isinstance(text, bytes):
        data = bytearray(text)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        return bytes(data)
    places = [place for place, sign in enumerate(text) if sign.isalnum()]
    place = chance.choice(places)
    return text[:place] + chance.choice(SIGNS.replace(text[place], "")) + text[place + 1 :]


def _change_text(table: str, columns: tuple[str, ...]) -> Tampering:
    def tamper(database: sqlite3.Connection, chance: random.Random) -> None:
        column = chance.choice(columns)
        rows = database.execute(f"select seq, {column} from {table} where {column} is not null").fetchall()
        seq, text = chance.choice(rows)
        database.execute(f"update {table} set {column} = ? where seq = ?", (_other_sign(text, chance), seq))

    return tamper


def _change_number(database: sqlite3.Connection, chance: random.Random) -> None:
    change = chance.choice(
        ("counted = 1 - counted", "propensity = propensity * 1.0000000000000002", "propensity = null")
    )
    database.execute(f"update votes set {change} where seq = ?", (_some_vote(chance),))


def _set_to_null(database: sqlite3.Connection, chance: random.Random) -> None:
    column = chance.choice(("left_model_id", "right_model_id"))
    database.execute(f"update votes set {column} = null where seq = ?", (_some_vote(chance),))


def _exclude(database: sqlite3.Connection, chance: random.Random) -> None:
    query = "select seq from votes where excluded_reason is null and counted"
    (seq,) = chance.choice(database.execute(query).fetchall())
    database.execute("update votes set excluded_reason = 'flagged_voter' where seq = ?", (seq,))


def _include(database: sqlite3.Connection, chance: random.Random) -> None:
    (seq,) = chance.choice(
        database.execute("select seq from votes where excluded_reason = ?", (WHY,)).fetchall()
    )
    database.execute("update votes set excluded_reason = null where seq = ?", (seq,))


def _recategorise(database: sqlite3.Connection, chance: random.Random) -> None:
    database.execute("""update votes set categories = '["coding"]' where seq = ?""", (_some_vote(chance),))


def _delete_vote(database: sqlite3.Connection, chance: random.Random) -> None:
    database.execute("delete from votes where seq = ?", (_some_vote(chance),))


def _delete_entry(database: sqlite3.Connection, chance: random.Random) -> None:
    database.execute("delete from audit_log where seq = ?", (_some_entry(chance),))


def _delete_both(database: sqlite3.Connection, chance: random.Random) -> None:
    seq = _some_vote(chance)
    database.execute(
        "delete from audit_log where vote_id = (select lower(hex(id)) from votes where seq = ?)", (seq,)
    )
    database.execute("delete from votes where seq = ?", (seq,))


def _delete_and_close_up(database: sqlite3.Connection, chance: random.Random) -> None:
    """Remove an entry with its vote, and number the later ones anew."""
    seq = chance.randrange(1, ENTRIES)
    database.execute(
        "delete from votes where lower(hex(id)) = (select vote_id from audit_log where seq = ?)", (seq,)
    )
    database.execute("delete from audit_log where seq = ?", (seq,))
    for later in range(seq + 1, ENTRIES + 1):
        database.execute("update audit_log set seq = seq - 1 where seq = ?", (later,))
    database.execute("update audit_head set seq = seq - 1")


def _swap(table: str, count: int, columns: str) -> Tampering:
    def tamper(database: sqlite3.Connection, chance: random.Random) -> None:
        first, second = chance.sample(range(1, count + 1), 2)
        names = columns.split(", ")
        one, two = (
            database.execute(f"select {columns} from {table} where seq = ?", (seq,)).fetchone()
            for seq in (first, second)
        )
        if one == two:
            # Votes that say the same: change places with one that does not.
            return tamper(database, chance)
        setting = ", ".join(f"{name} = ?" for name in names)
        for seq, values in ((first, two), (second, one)):
            database.execute(f"update {table} set {setting} where seq = ?", (*values, seq))
        return None

    return tamper


def _swap_numbers(table: str, count: int) -> Tampering:
    def tamper(database: sqlite3.Connection, chance: random.Random) -> None:
        first, second = chance.sample(range(1, count + 1), 2)
        for old, new in ((first, 10_000), (second, first), (10_000, second)):
            database.execute(f"update {table} set seq = ? where seq = ?", (new, old))

    return tamper


def _insert_vote(database: sqlite3.Connection, chance: random.Random) -> None:
    columns = [str(row[1]) for row in database.execute("pragma table_info(votes)")]
    fresh = {"seq": "null", "id": f"x'{random_id()}'", "match_id": f"'{random_id()}'"}
    values = ", ".join(fresh.get(column, column) for column in columns)
    database.execute(f"insert into votes select {values} from votes where seq = ?", (_some_vote(chance),))


def _insert_entry(database: sqlite3.Connection, chance: random.Random) -> None:
    """Put an entry in somewhere, number the later ones anew, and move the end."""
    seq = _some_entry(chance)
    for later in range(ENTRIES, seq - 1, -1):
        database.execute("update audit_log set seq = seq + 1 where seq = ?", (later,))
    database.execute(
        "insert into audit_log select ?, ?, kind, content, previous_sha256, sha256, created_at "
        "from audit_log where seq = ?",
        (seq, random_id(), seq + 1),
    )
    database.execute("update audit_head set seq = seq + 1")


def _move_the_end(database: sqlite3.Connection, chance: random.Random) -> None:
    change = chance.choice(("seq = seq - 1", "seq = seq + 1", f"sha256 = '{START}'"))
    database.execute(f"update audit_head set {change}")


def _lose_the_end(database: sqlite3.Connection, chance: random.Random) -> None:
    database.execute("delete from audit_head")


def _cut_off(database: sqlite3.Connection, chance: random.Random) -> None:
    """Cut the last entries off with their votes, and leave a chain that is right in itself."""
    last = chance.randrange(1, ENTRIES)
    database.execute(
        "delete from votes where lower(hex(id)) in (select vote_id from audit_log where seq > ?)", (last,)
    )
    database.execute(
        "delete from audit_log where seq > ? or vote_id not in (select lower(hex(id)) from votes)", (last,)
    )
    _hash_anew(database)


def _change_and_hash_anew(database: sqlite3.Connection, chance: random.Random) -> None:
    """Turn a vote into its opposite, and hash the whole chain anew."""
    seq, vote_id = chance.choice(
        database.execute(
            "select seq, lower(hex(id)) from votes where choice = 'left' order by seq"
        ).fetchall()
    )
    database.execute("update votes set choice = 'right' where seq = ?", (seq,))
    database.execute(
        'update audit_log set content = replace(content, \'"choice":"left"\', \'"choice":"right"\') '
        "where vote_id = ? and kind = 'vote'",
        (vote_id,),
    )
    _hash_anew(database)


def _hash_anew(database: sqlite3.Connection) -> None:
    rows = database.execute("select seq, content from audit_log order by seq").fetchall()
    before, seq = START, 0
    for seq, (old, content) in enumerate(rows, 1):
        after = linked(before, content)
        database.execute(
            "update audit_log set seq = ?, previous_sha256 = ?, sha256 = ? where seq = ?",
            (seq, before, after, old),
        )
        before = after
    database.execute("update audit_head set seq = ?, sha256 = ?", (seq, before))


def _some_vote(chance: random.Random) -> int:
    return chance.randrange(1, VOTES + 1)


def _some_entry(chance: random.Random) -> int:
    return chance.randrange(1, ENTRIES + 1)


TAMPERINGS: list[tuple[str, Tampering, bool]] = [
    # what is done, how, and whether only a head hash that was noted before can show it
    ("a sign of a vote", _change_text("votes", VOTE_TEXTS), False),
    ("a number of a vote", _change_number, False),
    ("a model of a vote forgotten", _set_to_null, False),
    ("a sign of an entry", _change_text("audit_log", ENTRY_TEXTS), False),
    ("a vote removed", _delete_vote, False),
    ("an entry removed", _delete_entry, False),
    ("a vote and its entries removed", _delete_both, False),
    ("an entry removed and the gap closed", _delete_and_close_up, False),
    ("two votes exchanged", _swap("votes", VOTES, "choice, counted"), False),
    ("two entries exchanged", _swap("audit_log", ENTRIES, "content, sha256"), False),
    ("two votes in each other's place", _swap_numbers("votes", VOTES), False),
    ("two entries in each other's place", _swap_numbers("audit_log", ENTRIES), False),
    ("a vote taken out without an entry", _exclude, False),
    ("a vote taken in again without an entry", _include, False),
    ("a vote put into other categories", _recategorise, False),
    ("a vote put in", _insert_vote, False),
    ("an entry put in", _insert_entry, False),
    ("the end moved", _move_the_end, False),
    ("the end lost", _lose_the_end, False),
    ("the last votes cut off cleanly", _cut_off, True),
    ("a vote changed and all hashed anew", _change_and_hash_anew, True),
]


@contextmanager
def _without_hashes() -> Generator[None]:
    """Plant a verifier that compares votes with entries and looks at no hash."""
    changed, missing = audit_check._changed, audit_check._Walk._missing

    def gap_only(self: audit_check._Walk, row: audit_check.Row[object]) -> audit_check.Break | None:
        found = missing(self, row)
        return found if found is not None and found.fault == "entry_missing" else None

    audit_check._changed = lambda row, content: None
    audit_check._Walk._missing = gap_only
    try:
        yield
    finally:
        audit_check._changed, audit_check._Walk._missing = changed, missing


CAMPAIGNS: list[Campaign] = [AuditTamper()]
