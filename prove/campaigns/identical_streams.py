"""If every model sends the same text, everything that a blind viewer gets must be identical, byte for byte."""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from parley.kernel import blindness
from parley.kernel.connector import ChatRequest, Chunk, Connector, Delta, Finish, Usage
from parley.kernel.messages import text_of
from parley.kernel.views import ReplyView
from prove.campaign import Batch, Campaign, Tally
from prove.whole_answers import App, Battles, Shown, ask, compare, events_of, masked, seats_of

TEXTS = ("Same words.", "¡Grüße! 👩‍👩‍👧 ", "One line,\n\n```py\nand = 'another'\n```\n")
AT_ONCE = 24
"""Battles that run beside each other; their texts are shown at the usual pace."""

GROWING = re.compile(rb'"text":"(?:[^"\\]|\\.)*","text_end":\d+')
LENGTH = re.compile(rb"\(b'content-length', b'\d+'\), ")
STATUSES = [200, 200, 200, 200, 200, 422, 409, 409]
CUTS = ("reply.delta", "reply.started", "turn.snapshot", "turn.started")


class IdenticalStreams:
    """Can two models with identical texts be distinguished?"""

    name = "identical-streams"
    guarantee = (
        "Where all models of a catalog say the same, streams, headers, reloads, second tabs and refused requests of a "
        "battle are the same to the byte, apart from random ids, times, and where texts are cut into packets."
    )
    trials = 10_000
    batch = 1000
    sample = 60

    def run(self, batch: Batch) -> Tally:
        """Hold each battle against the first one of its batch that says the same."""
        return asyncio.run(compare(batch, _battles()))

    def control(self, batch: Batch) -> Tally:
        """Send the finish reason with the replies, which the page does not even show."""
        with _finish_reasons_are_shown():
            return asyncio.run(compare(batch, _battles()))

    def summary(self, tally: Tally) -> str:
        figures = tally.figures
        return (
            f"{len(set(figures['pair'])):,} pairs of models; {int(sum(figures['answers'])):,} answers, "
            f"{sum(figures['bytes']) / 1e6:,.0f} MB"
        )


CAMPAIGNS: list[Campaign] = [IdenticalStreams()]


class _SayTheSame(Connector):
    """Says the text that the question names; thoughts, usage and finish reason are each model's own."""

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        own = random.Random(request.model)
        text = TEXTS[int(text_of(request.messages[-1]))]
        if own.random() < 0.5:
            yield Delta("reasoning", "Hm. " * own.randint(1, 50))
        yield Delta("text", text)
        if own.random() < 0.7:
            yield Usage(own.randint(1, 10**6), own.randint(1, 10**6), own.randint(0, 10**6))
        yield Finish("length" if own.random() < 0.5 else "stop")


def _battles() -> Battles:
    """Return battles between models that differ in everything that an entry may say."""
    own = random.Random(0)
    providers = [
        {"id": name, "connector": "openai", "base_url": f"http://127.0.0.1:9/{name}"}
        for name in ("a", "a-provider-with-a-long-name", "c")
    ]
    models = [
        {
            "id": f"m{'o' * own.randint(0, 40)}del-{number}",
            "name": f"Model {number} " + "Ünïcødé " * own.randint(0, 6),
            "organization": "Org" + " and sons" * own.randint(0, 5),
            "license": own.choice(["MIT", "Proprietary", "Apache-2.0"]),
            "routes": [
                {"provider": provider["id"], "model": f"{number}" * own.randint(1, 30)}
                for provider in own.sample(providers, own.randint(1, 3))
            ],
            "tags": ["battle", *own.sample(["new", "cheap", "fast"], own.randint(0, 3))],
            "timeout_s": own.randint(10, 600),
            "weight": own.choice([0.5, 1, 3]),
            **({"prices": {"input": own.random(), "output": own.random()}} if own.random() < 0.6 else {}),
            **({"context_window": 2 ** own.randint(10, 20)} if own.random() < 0.6 else {}),
            **({"description": "Described. " * own.randint(1, 17)} if own.random() < 0.6 else {}),
        }
        for number in range(12)
    ]
    catalog = {"providers": providers, "models": models}
    return Battles(catalog, _SayTheSame(), len(TEXTS), AT_ONCE, _look)


async def _look(app: App, database: Any, which: int) -> Shown:
    """Play a battle; return all that is sent of it while it runs and after its end."""
    asked, parts = {"prompt": str(which)}, list[bytes]()
    key = {b"idempotency-key": random.randbytes(8).hex().encode()}
    begin = ("POST", "/api/sessions", asked)
    stream = asyncio.create_task(ask(app, *begin, accept=b"text/event-stream", headers=key, parts=parts))
    for _ in range(200):
        if parts or stream.done():
            break
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.05)
    twin = asyncio.create_task(ask(app, *begin, headers=key))
    running = await _reload(app, parts)
    status, headers, body = await stream
    events = events_of(body)
    match, turn = events[0]["match"], events[0]["turn"]
    seen = [masked(b"%d %s %s" % (status, headers, _merged(events)))]
    paths = [
        ("GET", f"/api/turns/{turn['id']}", None),
        ("GET", f"/api/sessions/{turn['session_id']}", None),
        ("GET", f"/api/turns/{turn['id']}/events", None),
        ("POST", f"/api/battles/{match['id']}/vote", {"vote": "middle"}),
        ("POST", f"/api/turns/{turn['id']}/retry", None),
        ("GET", f"/api/turns/{turn['id']}/inner-replies", None),
    ]
    answers = [await twin, *[await ask(app, *path) for path in paths]]
    statuses = [status, *(answer[0] for answer in answers)]
    if statuses != STATUSES or events[-1]["kind"] != "turn.completed":
        raise RuntimeError(f"a battle ended with {events[-1]}, and its answers are {statuses}")
    seen += [masked(b"%d %s %s" % answer) for answer in answers]
    return Shown(await database.read(seats_of(match["id"])), [*seen, running])


async def _reload(app: App, parts: list[bytes]) -> bytes:
    """Return the turn as a reload shows it while it runs, without how far the texts had come; empty if it has ended."""
    events = events_of(b"".join(parts))
    if not events:
        return b""
    status, headers, body = await ask(app, "GET", f"/api/turns/{events[0]['turn']['id']}")
    turn = msgspec.json.decode(body)["turn"]
    if turn["status"] != "running" or len(turn["replies"]) < 2:
        return b""
    headers = LENGTH.sub(b"", headers)
    return masked(b"%d %s %s" % (status, headers, GROWING.sub(b"", body)))


def _merged(events: list[dict[str, Any]]) -> bytes:
    """Return a stream without its cuts, which depend on when packets came: what was said, and all else in order."""
    texts: dict[str, str] = {}
    for event in events:
        if event["kind"] == "turn.snapshot":
            texts = {reply["id"]: reply["text"] for reply in event["turn"]["replies"]}
        elif event["kind"] == "reply.delta":
            texts[event["reply_id"]] = texts.get(event["reply_id"], "") + event["text"]
    match = next(event["match"] for event in events)
    whole = [event for event in events if event["kind"] not in CUTS]
    return msgspec.json.encode([match, list(texts.values()), *whole])


@contextmanager
def _finish_reasons_are_shown() -> Iterator[None]:
    veil = blindness.veil_reply

    def leaking(reply: ReplyView, **given: Any) -> ReplyView:
        return msgspec.structs.replace(veil(reply, **given), finish_reason=reply.finish_reason)

    blindness.veil_reply = leaking
    try:
        yield
    finally:
        blindness.veil_reply = veil
