"""Power cuts: whatever part of the writes reached the disk, everything acknowledged is stored."""

import asyncio
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from prove.campaign import Batch, Campaign, Skipped, Tally
from prove.disk import SYNC_ENDED, Entry, Medium, library, read_trace
from prove.forks import Installation, an_installation, forker
from prove.ready_battles import make_battles
from prove.stored_votes import stored_votes
from prove.wires import BROKEN, Wire, follow
from tests.fakes.running import read_all
from tests.fakes.upstream import ScriptedUpstream

PIECES = tuple(f"Piece {number} of an answer. " for number in range(8))
TEXT = "".join(PIECES)
VOTERS, TALKERS = 6, 2
BATTLES = 1200
LOAD_S, SHORT_LOAD_S = 5.0, 0.8
SERVER_EVERY = 100
"""One image in so many is given to a server."""


@dataclass
class Promise:
    """Something that was acknowledged, and how long the trace was then."""

    made_at: int
    match_id: str | None = None
    vote_id: str | None = None
    turn_id: str | None = None


class PowerCut:
    name = "power-cut"
    guarantee = (
        "After a power cut at any moment the database is whole and holds everything that was acknowledged."
    )
    trials = 10_000
    batch = 2_500
    sample = 25

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch))

    def control(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, DISK_SWALLOW="1"))

    def summary(self, tally: Tally) -> str:
        total = {name: int(sum(values)) for name, values in tally.figures.items()}
        return (
            f"cut at {total.get('places', 0):,} places of the recorded writes; "
            f"{total.get('promises', 0):,} votes and turns acknowledged, {total.get('syncs', 0):,} syncs, "
            f"{total.get('served', 0):,} images served again; on average {total.get('underway', 0) / tally.trials:.0f} "
            f"writes were on their way at the cut"
        )


async def _attack(batch: Batch, **disk: str) -> Tally:
    tally = Tally()
    shim = forker(LD_PRELOAD=str(library()))
    async with ScriptedUpstream() as upstream:
        upstream.reply(*PIECES, delay=0.005)
        with an_installation(batch.folder / "load", upstream.url, ("ada", "bob"), shim) as installation:
            matches = iter(await make_battles(installation, BATTLES if batch.count >= 200 else BATTLES // 3))
            base = {installation.database.name: installation.database.read_bytes()}
            trace = batch.folder / "trace"
            watched = {"DISK_FILES": str(installation.database), "DISK_TRACE": str(trace)}
            server = await installation.start(None, **watched, **disk).ready()
            promises = await _load(
                installation.port, trace, matches, LOAD_S if batch.count >= 200 else SHORT_LOAD_S
            )
            server.kill()
        entries = read_trace(trace)
        tally.note("promises", len(promises))
        tally.note("syncs", sum(entry.op == SYNC_ENDED for entry in entries))
        if not entries:
            raise Skipped("what SQLite writes cannot be watched here")
        await _cut(batch, base, entries, promises, upstream.url, tally)
    return tally


async def _load(port: int, trace: Path, matches: Iterator[str], seconds: float) -> list[Promise]:
    """Vote and chat for some time; return what was acknowledged."""
    promises: list[Promise] = []
    until = time.monotonic() + seconds

    def length() -> int:
        return trace.stat().st_size

    async def vote(choice: str) -> None:
        wire = await Wire.open(port)
        for match_id in matches:
            key = f"vote-{match_id}"
            answer = await wire.ask(
                "POST", f"/api/battles/{match_id}/vote", {"vote": choice}, Idempotency_Key=key
            )
            if answer.status != 200:
                raise RuntimeError(f"a vote was refused: {answer.body!r}")
            promises.append(Promise(length(), match_id, answer.json["vote_id"]))
            if time.monotonic() > until:
                break
        wire.cut()

    async def talk() -> None:
        body: dict[str, Any] = {"prompt": "And?", "mode": "chat", "seats": {"assistant": "ada"}}
        while time.monotonic() < until:
            events = await follow(port, "POST", "/api/sessions", body)
            if read_all(events).end == "turn.completed":
                promises.append(Promise(length(), turn_id=events[0]["turn"]["id"]))

    choices = ("left", "tie", "right", "both_bad", "left", "right")
    await asyncio.gather(*(vote(choice) for choice in choices[:VOTERS]), *(talk() for _ in range(TALKERS)))
    return promises


async def _cut(
    batch: Batch,
    base: dict[str, bytes],
    entries: list[Entry],
    promises: list[Promise],
    url: str,
    tally: Tally,
) -> None:
    """Cut the power at a different point in each trial, and check what is left."""
    trials = range(batch.first, batch.first + batch.count)
    cuts = sorted(zip(_places(batch, len(entries)), trials, strict=True))
    tally.note("places", len({cut for cut, _ in cuts}))
    medium, taken = Medium(base), 0
    folder = batch.folder / "image"
    for number, (cut, trial) in enumerate(cuts):
        for entry in entries[taken:cut]:
            medium.take(entry)
        taken = cut
        tally.note("underway", medium.underway)
        due = [promise for promise in promises if promise.made_at <= entries[cut - 1].end]
        with an_installation(folder, url, ("ada", "bob")) as installation:
            _lay_out(installation, medium, batch.chance(trial))
            tally.failures += _judge(installation.database, due)
            if number % SERVER_EVERY == SERVER_EVERY // 2:
                tally.note("served", 1)
                tally.failures += await _serve(installation, due)
        tally.trials += 1
        batch.step()


def _places(batch: Batch, length: int) -> list[int]:
    """Return where each trial cuts: no place twice where the recorded run is long enough."""
    chance = batch.chance(batch.first)
    if length >= batch.count:
        return chance.sample(range(1, length + 1), batch.count)
    return [chance.randrange(1, length + 1) for _ in range(batch.count)]


def _lay_out(installation: Installation, medium: Medium, chance: Random) -> None:
    shutil.rmtree(installation.data, ignore_errors=True)
    installation.data.mkdir(parents=True)
    for name, image in medium.images(chance):
        if image or name == installation.database.name:
            (installation.data / name).write_bytes(image)


def _judge(path: Path, promises: list[Promise]) -> list[str]:
    """Open the image as the product does, and compare it with what was acknowledged."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute("pragma synchronous=off")  # nobody cuts the power a second time
            database.execute("pragma journal_mode=wal").fetchall()
            database.execute("begin immediate")
            broken = database.execute("pragma foreign_key_check").fetchall()
            turns = dict(database.execute("select id, status from turns").fetchall())
            texts = dict(database.execute("select turn_id, text from replies").fetchall())
            database.execute("rollback")
            stored = stored_votes(path)
    except sqlite3.DatabaseError as error:
        return [f"the database cannot be read: {error}"]
    wrong = stored.wrong + (["foreign keys point to nothing"] if broken else [])
    for promise in promises:
        if promise.match_id is not None:
            found = [vote_id for vote_id, _ in stored.votes.get(promise.match_id, [])]
            if found != [promise.vote_id]:
                wrong.append(f"an acknowledged vote is stored {len(found)} times")
        elif turns.get(str(promise.turn_id)) != "completed" or texts.get(promise.turn_id) != TEXT:
            wrong.append(f"a turn that was told as completed is stored as {turns.get(str(promise.turn_id))}")
    return wrong


async def _serve(installation: Installation, promises: list[Promise]) -> list[str]:
    """Start a server on the image: it must start, and have the last acknowledged vote."""
    try:
        server = await installation.start().ready()
    except RuntimeError as error:
        return [f"no server starts on the image: {error}"]
    wrong: list[str] = []
    votes = [promise for promise in promises if promise.match_id is not None]
    if votes:
        wire = await Wire.open(installation.port)
        try:
            body = {"vote": "left"}
            answer = await wire.ask("POST", f"/api/battles/{votes[-1].match_id}/vote", body)
            if answer.status != 409 or answer.json["result"]["vote_id"] != votes[-1].vote_id:
                wrong.append(f"the server does not know the last vote: {answer.body[:200]!r}")
        except BROKEN as error:
            wrong.append(f"the server did not answer: {error!r}")
        wire.cut()
    server.kill()
    return wrong


CAMPAIGNS: list[Campaign] = [PowerCut()]
