"""Planted texts in sealed sessions are found nowhere at rest; the same texts in unsealed ones are found."""

import logging
import zipfile
import zlib
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from parley.features.library.collecting import Collecting
from parley.features.sessions.indexing import SearchIndexing
from parley.kernel.sealing import SEALED
from parley.storage import backup
from parley.storage.blobs import FolderBlobs
from parley.storage.database import Database
from tests.api.test_provider_keys import stored
from tests.fakes.canaries import canary, found_in
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley
from tests.fakes.sealing import a_seal, new_key, with_key
from tests.fakes.upstream import ScriptedUpstream

PLANTED = 15
RULE = {"name": "Giraffes", "kind": "words", "verdict": "flag", "terms": ["giraffe"]}
CODE = "```python name=planted.py\nprint('{}')\n```"


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    models = ("ada", "bob", ModelSpec("namer"))
    async with a_running_parley(tmp_path, models=models, moderation="on", title_model="namer") as running:
        yield running


class Session:
    """What is said in sessions with planted texts, sealed or not."""

    def __init__(self, parley: RunningParley, key: str | None) -> None:
        self.parley, self.key = parley, key
        # Unlike a key, which errors leave out.
        self.words = [canary(number).replace("sk-", "zebra ") for number in range(PLANTED)]

    @property
    def with_it(self) -> dict[str, Any]:
        return with_key(self.key) if self.key else {}

    def new(self, **body: Any) -> dict[str, Any]:
        return {**body, **(a_seal() if self.key else {})}

    async def post(self, path: str, body: Any, status: int = 200) -> Any:
        return await self.parley.post(path, body, status, **self.with_it)

    def next(self) -> ScriptedUpstream:
        """Return the server of the models, to be settings what it says next: a script stays until it is dropped."""
        self.parley.upstream.drop("ada")
        return self.parley.upstream

    async def play(self) -> None:
        """Ask, rename, fail, retry, branch, stop and compare."""
        word, up = self.words, self.parley.upstream
        up.answers_by(lambda request: f"Named {word[14]}" if request.model == "namer" else word[1])
        self.next().reply(CODE.format(word[1]), reasoning=[word[2]], model="ada")
        chat = {"mode": "chat", "seats": {"assistant": "ada"}}
        prompted = {"sha256": "0" * 64, "messages": [{"role": "system", "text": word[10]}]}
        settings = {"seat_settings": {"assistant": {"system_prompt": word[9]}}, "brief": {"prompt": prompted}}
        first = await self.post("/api/sessions", self.new(prompt=f"A giraffe {word[0]}", **chat, **settings))
        self.next().reply(word[4], model="ada")
        place = f"/api/matches/{first['match_id']}/turns"
        await self.post(place, {"input": {"text": word[3]}})
        self.next().fail(400, f"You asked {word[5]}", model="ada")
        failed = await self.post(place, {"input": {"text": "Fail"}})
        self.next().reply("Better", model="ada")
        await self.post(f"/api/turns/{failed['turn_id']}/retry", {})
        self.next().reply(word[7], model="ada")
        branch = {"continue_from": {"turn_id": first["turn_id"], "seat": "assistant"}}
        branched = await self.post(
            f"/api/sessions/{first['session_id']}/matches", {"prompt": word[6], **chat, **branch}
        )
        titled = {"json": {"title": word[11]}, **self.with_it}
        await self.parley.client.patch(f"/api/sessions/{first['session_id']}", **titled)
        self.next().reply(word[8], "never", hold_after=1, model="ada")
        await self.stop(f"/api/matches/{branched['match_id']}/turns")
        self.next().reply(word[13], model="ada")
        seats = {"mode": "compare", "seats": {"a": "ada", "b": "bob"}}
        await self.post("/api/sessions", self.new(prompt=word[12], **seats))

    async def stop(self, place: str) -> None:
        body = {"input": {"text": "Long"}}
        async with self.parley.stream("POST", place, body, **self.with_it) as stream:
            await stream.until_said()
            snapshot = stream.events[0]
            await self.post(f"/api/turns/{snapshot['turn']['id']}/stop", {})


async def everything(parley: RunningParley, folder: Path, caplog: pytest.LogCaptureFixture) -> bytes:
    """Return all files and rows, the log, and a backup, unpacked too."""
    await parley.application[Database].write(lambda _: None)
    while await parley.application[SearchIndexing].catch_up():
        pass
    while await parley.application[Collecting].catch_up():
        pass
    await parley.get("/api/sessions?search=canary")
    target = folder / "all.backup"
    data = folder / "data"
    backup.write(data, data / "parley.db", FolderBlobs(data / "blobs"), target, "now", lambda *_: None)
    kept = [await stored(parley, folder), target.read_bytes(), caplog.text.encode()]
    with zipfile.ZipFile(target) as archive:
        kept += [archive.read(name) for name in archive.namelist()]
    return b"\n".join([*kept, *(unpacked(each) for each in kept)])


def unpacked(data: bytes) -> bytes:
    """Return whatever was compressed with gzip in some data."""
    whole, at = b"", data.find(b"\x1f\x8b\x08")
    while at >= 0:
        with suppress(zlib.error):
            whole += zlib.decompressobj(31).decompress(data[at:])
        at = data.find(b"\x1f\x8b\x08", at + 1)
    return whole


def found(kept: bytes, words: list[str]) -> set[int]:
    """Return which words are there in any form, in UTF-16 too."""
    named = {int(each.split()[1]) for each in found_in(kept, words)}
    wide = {number for number, word in enumerate(words) if word.encode("utf-16-le") in kept}
    return named | wide


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("sealed", [True, False], ids=["sealed", "the control, which is not"])
async def test_what_is_said_in_a_sealed_session_is_found_nowhere_at_rest(
    parley: RunningParley, tmp_path: Path, caplog: pytest.LogCaptureFixture, *, sealed: bool
) -> None:
    await parley.post("/api/moderation/rules", RULE)
    said = Session(parley, new_key() if sealed else None)
    caplog.set_level(logging.WARNING, "httpcore2")  # the client's side of the same process
    with caplog.at_level(logging.DEBUG):
        await said.play()
        kept = await everything(parley, tmp_path, caplog)
    assert len(kept) > 100_000
    titled = {request.model for request in parley.upstream.chats}
    if not sealed:
        assert found(kept, said.words) == set(range(PLANTED))
        return
    assert found(kept, said.words) == set()
    assert said.key is not None
    assert said.key.encode() not in kept, "the key itself"
    assert "namer" not in titled, "no model titles it"
    assert kept.count(SEALED.encode()) > 20
    assert (await parley.get("/api/moderation/items"))["items"][0]["text"].startswith("The words are of")
    listed = await parley.get("/api/sessions")
    assert {each["title"] for each in listed["sessions"]} == {"Sealed session"}


SWAPS = {
    "a reply's text with another's": "UPDATE replies SET text = (SELECT text FROM replies r WHERE r.id != replies.id)",
    "a text with its reasoning": "UPDATE replies SET text = reasoning",
    "a text with a plain one": "UPDATE replies SET text = 'What an attacker says'",
    "a question with another": "UPDATE turns SET input = (SELECT input FROM turns t WHERE t.id != turns.id)",
    "one changed letter": "UPDATE replies SET text = substr(text, 1, 40) || 'AAAA' || substr(text, 45)",
    "the settings of a match": "UPDATE matches SET brief = '{}'",
    "events of two turns": "UPDATE turn_events SET data = (SELECT data FROM turn_events e WHERE e.turn_id != "
    "turn_events.turn_id AND e.kind = turn_events.kind LIMIT 1)",
}


@pytest.mark.databases("sqlite")
async def test_ciphertext_that_was_changed_or_moved_is_refused(parley: RunningParley) -> None:
    key = new_key()
    chat = {"mode": "chat", "seats": {"assistant": "ada"}}
    first = await parley.post("/api/sessions", {"prompt": "One", **chat, **a_seal()}, **with_key(key))
    turn = {"input": {"text": "Two"}}
    await parley.post(f"/api/matches/{first['match_id']}/turns", turn, **with_key(key))
    place = f"/api/sessions/{first['session_id']}"
    database = parley.application[Database]
    tables = ("replies", "turns", "matches", "turn_events")
    before = await database.read(
        lambda it: {
            name: it.execute(text(f"SELECT rowid, * FROM {name}")).mappings().all() for name in tables
        }
    )
    for what, statement in SWAPS.items():
        await database.write(lambda it, statement=statement: it.execute(text(statement)))
        path = place
        if "events" in what:  # a chat's view shows none: a retry reads them
            again = await parley.client.post(
                f"/api/turns/{first['turn_id']}/retry", json={"seat": "assistant"}, **with_key(key)
            )
            assert again.status_code == 409, what
        else:
            assert (await parley.get(path, 409, **with_key(key)))["code"] == "seal_broken", what
        await database.write(lambda it: [_put_back(it, name, before[name]) for name in tables])
    assert (await parley.get(place, **with_key(key)))["matches"], "as it was, it can be read"


def _put_back(transaction: Any, name: str, rows: Any) -> None:
    columns = {"replies": "text", "turns": "input", "matches": "brief", "turn_events": "data"}
    for row in rows:
        statement = text(f"UPDATE {name} SET {columns[name]} = :value WHERE rowid = :this")
        transaction.execute(statement, {"value": row[columns[name]], "this": row["rowid"]})
