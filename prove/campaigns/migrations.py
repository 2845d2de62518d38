"""Migrations up, down and up again over many rows, killed between two of their statements."""

import asyncio
import itertools
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import msgspec

from parley.storage import schema
from parley.storage.database import Database
from prove.campaign import Batch, Campaign, Tally
from prove.migrating import Move, move
from prove.migration_images import Images, Kind

ROOT = Path(__file__).resolve().parent.parent.parent
ROWS, FEW_ROWS = 100_000, 600
LONG_BATCH = 20
"""A batch of fewer trials is a sample, which needs fewer rows."""

TORN_WITHIN_S = 120


class Migrations:
    def __init__(self, name: str, kind: Kind, trials: int, sample: int) -> None:
        self.name = name
        self._kind: Kind = kind
        self.trials = trials
        self.batch = min(trials, 30)
        self.sample = sample
        where = "SQLite" if kind == "sqlite" else "PostgreSQL"
        self.guarantee = (
            f"A migration of {ROWS:,} rows on {where}, up or down, that is killed between two statements is undone "
            "whole or done whole: schema and rows are those of one revision, and the next start brings all to the last."
        )

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, self._kind, torn=False))

    def control(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, self._kind, torn=True))

    def summary(self, tally: Tally) -> str:
        figures = {name: int(sum(values)) for name, values in tally.figures.items()}
        return (
            f"{figures.get('killed', 0):,} killed and {figures.get('done', 0):,} done before their kill, "
            f"{figures.get('down', 0):,} of all on the way down; moves of up to "
            f"{int(max(tally.figures.get('statements', [0])))} statements"
        )


async def _attack(batch: Batch, kind: Kind, *, torn: bool) -> Tally:
    tally = Tally()
    images = Images(kind, batch.folder)
    try:
        tally.failures += await images.make(ROWS if batch.count >= LONG_BATCH else FEW_ROWS)
        moves = _moves(images.revisions)
        for trial in range(batch.first, batch.first + batch.count):
            # From a place of its own, so that samples see both directions.
            begin, end = moves[0] if torn else moves[(trial * 7 + batch.seed) % len(moves)]
            failures = await _try(images, begin, end, batch.chance(trial), tally, torn=torn)
            tally.failures += [f"from {begin} to {end}: {failure}" for failure in failures]
            tally.trials += 1
            batch.step()
    finally:
        await images.drop_all()
    return tally


def _moves(revisions: list[str]) -> list[tuple[str, str]]:
    """Return every upgrade to the newest revision, every step down, and the complete downgrade to the first."""
    up = [(revision, revisions[-1]) for revision in revisions[:-1]]
    down = list(zip(revisions[:0:-1], revisions[-2::-1], strict=True))
    return [*up, *down, (revisions[-1], revisions[0])]


async def _try(
    images: Images, begin: str, end: str, chance: Random, tally: Tally, *, torn: bool
) -> list[str]:
    number = _statements(images, begin, end)
    # Half of the kills meet the first statements and the last ones: there are the tables, between them the rows.
    place = chance.randint(1, number + 1)
    if chance.random() < 0.5:
        place = chance.choice((min(chance.randint(1, 12), number), max(1, number - chance.randint(0, 6))))
    if torn:
        place = number // 2
    name = await images.copy(begin)
    asked = Move(url=images.url(name), revision=end, kill_at=place, torn=torn)
    killed = await asyncio.to_thread(_carry_out, asked)
    tally.note("killed" if killed else "done", 1)
    tally.note("statements", number)
    tally.note("down", int(images.revisions.index(end) < images.revisions.index(begin)))
    found = await images.state(name)
    wrong = [images.states[at].unlike(found) for at in ((begin, end) if killed else (end,))]
    failures = [] if None in wrong else [f"killed at statement {place} of {number}: {wrong[-1]}"]
    database = Database(images.url(name))
    try:
        await move(database, schema.HEAD)
    except Exception as error:
        failures.append(f"after it no start works: {str(error).splitlines()[0]}")
    await database.close()
    if not failures and (unlike := images.states[schema.HEAD].unlike(await images.state(name))):
        failures.append(f"after the next start {unlike}")
    await images.drop(name)
    return failures


def _statements(images: Images, begin: str, end: str) -> int:
    """Return how many statements a move takes, more or less: each step alone also looks where it stands."""
    first, last = images.revisions.index(begin), images.revisions.index(end)
    step = 1 if last > first else -1
    path = images.revisions[first : last + step if last + step >= 0 else None : step]
    return sum(images.statements[pair] for pair in itertools.pairwise(path))


def _carry_out(asked: Move) -> bool:
    """Move a database in a separate process; return whether it was killed. Raises RuntimeError."""
    done = subprocess.run(
        [sys.executable, "-m", "prove.migrating", msgspec.json.encode(asked).decode()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TORN_WITHIN_S,
        check=False,
    )
    if done.returncode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"the migration failed by itself: {done.stderr.strip().splitlines()[-1:]}")
    return done.returncode != 0


CAMPAIGNS: list[Campaign] = [
    Migrations("migrations", "sqlite", 60, 3),
    Migrations("migrations-server", "postgresql", 30, 1),
]
