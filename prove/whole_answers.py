"""Whole answers of the application, byte for byte, to hold those of one battle against another's."""

import asyncio
import re
from collections.abc import Callable, MutableMapping
from typing import Any

import msgspec

RANDOM = re.compile(rb'"[0-9a-f]{32}"|"20\d\d-[0-9T:.+-]+"')

App = Callable[[MutableMapping[str, Any], Any, Any], Any]


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


def apart(seen: list[bytes], expected: list[bytes]) -> str:
    """Return where two lists of responses begin to differ."""
    one, other = next(both for both in zip(seen, expected, strict=True) if both[0] != both[1])
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
