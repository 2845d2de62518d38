"""Whole answers of the application, byte for byte: those of one battle are held against another's."""

import asyncio
import random
import re
import zlib
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any, NamedTuple

import msgspec

from parley.api.app import create_app
from parley.application import open_application
from parley.engine.runner import Runner
from parley.features.attachments.service import AttachmentsService
from parley.kernel.connector import Connector
from parley.settings import Settings
from parley.storage.database import Database
from prove.campaign import Batch, Tally

RANDOM = re.compile(rb'"[0-9a-f]{32}"|"20\d\d-[0-9T:.+-]+"')

BUSY_S = 600

App = Callable[[MutableMapping[str, Any], Any, Any], Any]


class Shown(NamedTuple):
    """Everything that was sent of one battle, without random values; `pair` is its models.

    An empty answer came too late, and is held against none. `looks` are reloads on the way, and `uneven` is a moment at
    which one side showed more than the other.
    """

    pair: str
    answers: Sequence[bytes]
    looks: int = 0
    uneven: str = ""


class Battles(NamedTuple):
    """Battles in which all models do the same: the catalog, `kinds` of prompts, and what looks at one battle."""

    catalog: dict[str, Any]
    connector: Connector
    kinds: int
    at_once: int
    look: Callable[[App, Database, int], Awaitable[Shown]]


async def compare(batch: Batch, battles: Battles) -> Tally:
    """Hold the answers about each battle against the first ones of its kind."""
    tally, folder = Tally(), batch.folder / f"{batch.first}-{random.randbytes(4).hex()}"
    folder.mkdir(parents=True)
    (folder / "models.yaml").write_bytes(msgspec.json.encode(battles.catalog))
    settings = Settings.model_validate(
        {"data_dir": folder / "data", "models": folder / "models.yaml", "demo_models": "off"}
    )
    first: dict[tuple[int, int], tuple[str, bytes]] = {}
    async with open_application(settings) as application:
        application[Runner]._gateway._attempts._connect = lambda _: battles.connector
        _take_time(application[AttachmentsService])
        app, places = create_app(application), asyncio.Semaphore(battles.at_once)

        async def one(trial: int) -> None:
            kind = trial % battles.kinds
            async with places:
                shown = await battles.look(app, application[Database], kind)
            tally.trials += 1
            tally.note("pair", zlib.crc32(shown.pair.encode()))
            tally.note("answers", sum(map(bool, shown.answers)))
            tally.note("looks", shown.looks)
            tally.note("bytes", sum(map(len, shown.answers)))
            if shown.uneven:
                tally.failures.append(f"{shown.pair}: {shown.uneven}")
            for place, answer in enumerate(shown.answers):
                pair, expected = (
                    first.setdefault((kind, place), (shown.pair, answer)) if answer else ("", b"")
                )
                if answer != expected:
                    tally.failures.append(f"{shown.pair}, against {pair}: {apart(answer, expected)}")
                    break
            batch.step()

        async with asyncio.TaskGroup() as group:
            for trial in range(batch.first, batch.first + batch.count):
                group.create_task(one(trial))
    return tally


def _take_time(attachments: AttachmentsService) -> None:
    """Let pictures be read for as long as it takes: a busy machine is no finding."""
    limits = attachments.limits
    reader = msgspec.structs.replace(limits.reader, seconds=BUSY_S)
    attachments.limits = msgspec.structs.replace(limits, reader=reader)


async def ask(
    app: App,
    method: str,
    path: str,
    body: Any = None,
    *,
    accept: bytes = b"application/json",
    headers: dict[bytes, bytes] | None = None,
    parts: list[bytes] | None = None,
) -> tuple[int, bytes, bytes]:
    """Call the app itself; return status, headers and the complete body, which grows in `parts`."""
    raw = b"" if body is None else msgspec.json.encode(body)
    given = {b"host": b"127.0.0.1", b"accept": accept, b"origin": b"http://127.0.0.1", **(headers or {})}
    if body is not None:
        given |= {b"content-type": b"application/json", b"content-length": b"%d" % len(raw)}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": list(given.items()),
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    incoming = [{"type": "http.request", "body": raw, "more_body": False}]
    status, head, parts = 0, b"", [] if parts is None else parts

    async def receive() -> Any:
        if not incoming:
            await asyncio.Event().wait()
        return incoming.pop()

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status, head
        if message["type"] == "http.response.start":
            status, head = message["status"], repr(list(message["headers"])).encode()
        else:
            parts.append(message.get("body", b""))

    await app(scope, receive, send)
    return status, head, b"".join(parts)


def apart(one: bytes, other: bytes) -> str:
    """Return where two answers begin to differ."""
    at = next((at for at, both in enumerate(zip(one, other, strict=False)) if both[0] != both[1]), 0)
    return f"{one[max(0, at - 60) : at + 60]!r}, {other[max(0, at - 60) : at + 60]!r}"


def events_of(body: bytes) -> list[dict[str, Any]]:
    return [msgspec.json.decode(part[6:]) for part in body.split(b"\n\n") if part.startswith(b"data: ")]


def masked(body: bytes) -> bytes:
    """Return an answer whose random ids and times are numbered in the order in which they come."""
    known: dict[bytes, bytes] = {}
    return RANDOM.sub(lambda found: known.setdefault(found[0], b"<%d>" % len(known)), body)


def seats_of(match_id: str) -> Callable[[Any], str]:
    """Return a query of the models of a match, in the order of its seats."""

    def seats(transaction: Any) -> str:
        from sqlalchemy import select

        from parley.storage.tables.conversations import SeatRow

        query = select(SeatRow.c.model_id).where(SeatRow.c.match_id == match_id).order_by(SeatRow.c.index)
        return " and ".join(transaction.scalars(query))

    return seats
