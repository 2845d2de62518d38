"""Looks at a battle: everything that is shown of it while it runs and after its end, without what is random."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from tests.fakes.nosy_viewer import Known
from tests.fakes.running import Response, RunningParley, read_all

RANDOM = re.compile(rb'"[0-9a-f]{32}"|"20\d\d-[0-9T:.+-]+"|"next_cursor":"[^"]+"')
DATE = re.compile(r"\('date', '[^']+'\)")


async def look_at_a_battle(
    parley: RunningParley, said: Sequence[str] = ("Same ", "Same ")
) -> tuple[list[bytes], str]:
    """Return all that is shown of one battle, masked, with its session; it waits where so much was said."""
    seen: list[bytes] = []
    async with parley.stream("POST", "/api/sessions", {"prompt": "Hi"}) as stream:
        first = await anext(stream)
        known = Known(first["turn"]["session_id"], first["match"]["id"], first["turn"]["id"], "running")
        feed = f"/api/sessions/{known.session_id}/events"
        async with parley.stream("GET", feed) as session_stream:
            while list(read_all(stream.events).texts().values()) != list(said):
                await anext(stream)
            seen += await _looks(parley, known)
            parley.upstream.release()
            await stream.rest()
            seen += [_masked(_merged(stream.events)), _headers(stream.response)]
            seen += await _looks(parley, known)
            more = {"content": "More"}
            twin = await parley.client.post(f"/api/battles/{known.match_id}/messages", json=more)
            seen += [_masked(twin.content), _headers(twin)]
            seen += await _looks(parley, known)
            added = await session_stream.until("turn.added")
            seen.append(_masked(msgspec.json.encode(added)))
    return seen, known.session_id


async def _looks(parley: RunningParley, known: Known) -> list[bytes]:
    """Return what a reload, the list, a second tab and refused requests show."""
    turn, match = f"/api/turns/{known.turn_id}", f"/api/battles/{known.match_id}"
    answers = [
        await parley.client.get(path)
        for path in (turn, f"/api/sessions/{known.session_id}", "/api/sessions?limit=1", "/api/about")
    ]
    for path, body in (
        (f"{match}/vote", {"vote": "middle"}),
        (f"/api/matches{match[12:]}/vote", {"vote": ""}),
    ):
        answers.append(await parley.client.post(path, json=body))
    answers.append(await parley.client.post(f"{turn}/retry"))
    looks = [_masked(answer.content) + _headers(answer) for answer in answers]
    async with parley.stream("GET", f"{turn}/events") as tab:
        looks.append(_masked(msgspec.json.encode(await anext(tab))) + _headers(tab.response))
    ran = answers[0].json()["turn"]["status"] == "running"
    early = await parley.client.post(f"{match}/vote", json={"vote": "left"}) if ran else answers[0]
    assert early.status_code == (409 if ran else 200)
    return [*looks, _masked(early.content) + _headers(early)]


def _merged(events: list[dict[str, Any]]) -> bytes:
    """Return a stream without its cuts, which depend on when packets came: what was said, and all else."""
    cut = ("reply.delta", "reply.started", "turn.snapshot", "turn.started")
    whole = [each for each in events if each["kind"] not in cut]
    return msgspec.json.encode([read_all(events).texts(), *whole])


def _masked(body: bytes) -> bytes:
    """Return a body whose random ids and times are masked; ids are numbered in the order in which they come."""
    known: dict[bytes, bytes] = {}
    return RANDOM.sub(lambda found: known.setdefault(found[0], b"<%d>" % len(known)), body)


def _headers(answer: Response) -> bytes:
    return DATE.sub("", str([answer.status_code, *answer.headers.multi_items()])).encode()
