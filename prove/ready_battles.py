"""Battles that wait for their vote, in any number: one that was really played, and copies of its rows."""

import sqlite3
from contextlib import closing
from pathlib import Path

import asyncpg

from prove.forks import Installation
from prove.wires import Wire

COPIED = ("sessions", "matches", "seats", "turns", "replies")
IDS = frozenset({"id", "session_id", "match_id", "turn_id"})
DIGITS = 6
"""How many of an id's digits number the copy."""


async def make_battles(installation: Installation, count: int) -> list[str]:
    """Play a battle and copy it; return the ids of the battles. The server is stopped in order."""
    return copy_battle(installation.database, await _fight(installation), count)


async def make_battles_on_server(
    installation: Installation, database: asyncpg.Connection, count: int
) -> list[str]:
    """Do the same where the installation's servers keep their data in PostgreSQL."""
    match_id = await _fight(installation)
    async with database.transaction():
        for table in COPIED:
            columns = [str(it["column_name"]) for it in await database.fetch(_COLUMNS, table)]
            names = ", ".join(f'"{name}"' for name in columns)
            number = f"lpad(to_hex(n), {DIGITS}, '0')"
            values = ", ".join(
                f'{number} || substr("{name}", {DIGITS + 1})' if name in IDS else f'"{name}"'
                for name in columns
            )
            await database.execute(
                f"INSERT INTO {table} ({names}) SELECT {values} FROM {table}, generate_series(1, {count}) AS n"
            )
        # The same question about the same pair again would not be counted.
        await database.execute(
            "UPDATE turns SET input = jsonb_set(input, '{text}', to_jsonb('Which is better? ' || id))"
        )
    return [f"{number:0{DIGITS}x}{match_id[DIGITS:]}" for number in range(1, count + 1)]


_COLUMNS = (
    "SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND table_schema = 'public'"
)


async def _fight(installation: Installation) -> str:
    """Play one battle on a server that is stopped in order; return its id."""
    server = await installation.start().ready()
    with await Wire.open(installation.port) as wire:
        answer = await wire.ask("POST", "/api/sessions", {"prompt": "Which answer is better?"})
    if answer.status != 200 or answer.json["status"] != "completed":
        raise RuntimeError(f"the battle could not be fought: {answer.body.decode()}")
    code, _ = await server.stop()
    if code != 0:
        raise RuntimeError(f"the server did not end well ({code}): {server.said()[-2000:]}")
    return str(answer.json["match_id"])


def copy_battle(path: Path, match_id: str, count: int) -> list[str]:
    """Copy all rows of the one battle in an unused database; return the ids of the copies."""
    with closing(sqlite3.connect(path)) as database, database:
        for table in COPIED:
            columns = [row[1] for row in database.execute(f"pragma table_info({table})")]
            names = ", ".join(f'"{name}"' for name in columns)
            values = ", ".join(
                f"printf('%0{DIGITS}x', n) || substr(\"{name}\", {DIGITS + 1})"
                if name in IDS
                else f'"{name}"'
                for name in columns
            )
            database.execute(
                f"with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < {count}) "
                f"insert into {table} ({names}) select {values} from {table}, numbers"
            )
        # The same question about the same pair again would not be counted.
        database.execute("update turns set input = json_set(input, '$.text', 'Which is better? ' || id)")
    return [f"{number:0{DIGITS}x}{match_id[DIGITS:]}" for number in range(1, count + 1)]
