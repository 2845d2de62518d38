"""If both models of a battle draw the same, everything that a blind viewer gets is identical, at the same moment."""

import asyncio
import io
import itertools
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from PIL import Image, PngImagePlugin

from parley.engine import asking
from parley.engine.live_reply import LiveReply
from parley.engine.live_turn import LiveTurn
from parley.kernel.connector import ChatRequest, Chunk, Connector, Finish, Made, Progress, Usage
from parley.kernel.messages import Attached
from parley.kernel.pictures import DrawRequest
from prove.campaign import Batch, Campaign, Tally
from prove.whole_answers import App, Battles, Shown, ask, compare, events_of, masked, seats_of

COLOURS = ((200, 40, 40), (20, 60, 160), (240, 240, 230))
STATUSES = [200, 200, 200, 422, 200, *[200] * 4]
AT_ONCE = 6
SLOWEST_S = 0.3
LOOKS_S = 0.03
"""Seconds between two reloads while the pictures are drawn."""


class IdenticalPictures:
    """Can two models that draw the same picture be distinguished?"""

    name = "identical-pictures"
    guarantee = (
        "Where all models draw the same, in formats, sizes, names, numbers, metadata and times of their own, streams, "
        "reloads, files, thumbnails, headers, the library and refused requests of a battle are the same to the byte; "
        "at no moment does one side show more than the other."
    )
    trials = 1000
    batch = 100
    sample = 4

    def run(self, batch: Batch) -> Tally:
        """Hold each battle against the first one of its batch with the same picture."""
        return asyncio.run(compare(batch, _battles()))

    def control(self, batch: Batch) -> Tally:
        """Store pictures as they come; then show them as soon as they come. Both must be caught."""
        tally = Tally()
        for fault in (_pictures_as_they_come, _pictures_at_once):
            with fault():
                seen = asyncio.run(compare(batch, _battles()))
            if not seen.failures:
                return Tally(trials=seen.trials)
            tally.add(seen)
        return tally

    def summary(self, tally: Tally) -> str:
        figures = tally.figures
        return (
            f"{len(set(figures['pair'])):,} pairs of models; {int(sum(figures['answers'])):,} answers and "
            f"{int(sum(figures['looks'])):,} reloads on the way, {sum(figures['bytes']) / 1e6:,.0f} MB"
        )


CAMPAIGNS: list[Campaign] = [IdenticalPictures()]


class _DrawTheSame(Connector):
    """Draws the colour that the prompt names; file, number, pace and usage are each model's own."""

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        raise NotImplementedError
        yield  # pragma: no cover

    async def draw(self, request: DrawRequest) -> AsyncIterator[Chunk]:
        """Yield progress, one or two pictures, and what was used."""
        own = random.Random(request.model)
        for step in range(own.randint(1, 5)):
            yield Progress(share=step / 5, step=step, steps=5, left_s=own.random())
            await asyncio.sleep(own.random() * SLOWEST_S / 5)
        colour = COLOURS[int(request.prompt)]
        yield Made(_file(colour, own, request.model), f"{request.model}.png")
        if own.random() < 0.7:
            yield Usage(own.randint(1, 10**6), own.randint(1, 10**6))
        yield Finish("stop")


def _file(colour: tuple[int, int, int], own: random.Random, model: str) -> bytes:
    """Return a picture of one colour as this model writes it."""
    written, kind = io.BytesIO(), own.choice(("png", "palette", "webp", "alpha"))
    image = Image.new("RGB", (own.randint(64, 1500), own.randint(64, 1500)), colour)
    if kind == "webp":
        exif = Image.Exif()
        exif[0x010E] = f"drawn by {model}"
        image.save(written, "WEBP", lossless=True, exif=exif)
        return written.getvalue()
    info = PngImagePlugin.PngInfo()
    info.add_text("parameters", f"drawn by {model}" * own.randint(1, 50))
    modes = {"png": "RGB", "palette": "P", "alpha": "RGBA"}
    shown = image.quantize(2) if kind == "palette" else image.convert(modes[kind])
    shown.save(written, "PNG", pnginfo=info, compress_level=own.randint(0, 9))
    return written.getvalue()


def _battles() -> Battles:
    own = random.Random(1)
    models = [
        {
            "id": f"p{'a' * own.randint(0, 40)}inter-{number}",
            "name": f"Painter {number} " + "Ünïcødé " * own.randint(0, 6),
            "routes": [{"provider": "a", "model": f"{number}" * own.randint(1, 30)}],
            "capabilities": ["images"],
            "tags": ["battle"],
            "prices": {"input": 0, "output": 0, "image": own.random()},
            "picture": {"width": own.choice([512, 2048]), "steps": own.randint(1, 50)},
        }
        for number in range(10)
    ]
    providers = [{"id": "a", "connector": "openai", "base_url": "http://127.0.0.1:9"}]
    catalog = {"providers": providers, "models": models}
    return Battles(catalog, _DrawTheSame(), len(COLOURS), AT_ONCE, _look)


async def _look(app: App, database: Any, which: int) -> Shown:
    """Play a battle; return all that is sent of it while it runs and after its end, before the vote."""
    begun, parts = {"prompt": str(which), "mode": "battle", "brief": {"pictures": True}}, list[bytes]()
    stream = asyncio.create_task(
        ask(app, "POST", "/api/sessions", begun, accept=b"text/event-stream", parts=parts)
    )
    looks, uneven = 0, ""
    while not stream.done():
        await asyncio.sleep(LOOKS_S)
        if events := events_of(b"".join(parts)):
            looks, uneven = looks + 1, uneven or await _unevenness(app, events, parts)
    status, headers, body = await stream
    events = events_of(body)
    match, turn = events[0]["match"], events[0]["turn"]
    made = [event["part"]["attached"]["sha256"] for event in events if event["kind"] == "part.added"]
    if status != 200 or events[-1]["kind"] != "turn.completed" or len(made) != 2:
        raise RuntimeError(f"a battle ended with {events[-1]}, and {len(made)} pictures")
    seen = [masked(b"%d %s %s" % (status, headers, msgspec.json.encode(_at_its_end(events))))]
    paths = [
        ("GET", f"/api/turns/{turn['id']}", None),
        ("GET", f"/api/sessions/{turn['session_id']}", None),
        ("GET", f"/api/turns/{turn['id']}/events", None),
        ("POST", f"/api/battles/{match['id']}/vote", {"vote": "middle"}),
        ("GET", "/api/library", None),
        *(
            ("GET", f"/api/attachments/{sha256}{kind}", None)
            for sha256 in made
            for kind in ("", "/thumbnail")
        ),
    ]
    answers = [await ask(app, *path) for path in paths]
    statuses = [answer[0] for answer in answers]
    if statuses != STATUSES:
        raise RuntimeError(f"the answers about a battle are {statuses}")
    seen += [masked(b"%d %s %s" % answer) for answer in answers]
    pair = await database.read(seats_of(match["id"]))
    return Shown(pair, seen, looks, uneven)


async def _unevenness(app: App, events: list[dict[str, Any]], parts: list[bytes]) -> str:
    """Return how one side shows more than the other, in a reload or where a packet of the stream ends."""
    _, _, body = await ask(app, "GET", f"/api/turns/{events[0]['turn']['id']}")
    replies = msgspec.json.decode(body)["turn"]["replies"]
    if len({(len(reply["parts"]), reply["status"]) for reply in replies}) > 1:
        return f"a reload shows {[(len(reply['parts']), reply['status']) for reply in replies]}"
    for sent in itertools.accumulate(parts):
        added = [event for event in events_of(sent) if event["kind"] == "part.added"]
        if len(added) == 1:
            return "a packet of the stream has one picture alone"
    return ""


def _at_its_end(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a stream without its snapshot's replies, which depend on when it was opened."""
    return [event for event in events if event["kind"] not in ("turn.started", "reply.started")]


@contextmanager
def _pictures_as_they_come() -> Iterator[None]:
    store = asking.store_made

    async def leaking(*of: Any, alike: bool = False) -> Any:
        return await store(*of)

    asking.store_made = leaking
    try:
        yield
    finally:
        asking.store_made = store


@contextmanager
def _pictures_at_once() -> Iterator[None]:
    attach = LiveTurn.attach

    def leaking(
        self: LiveTurn, reply: LiveReply, attached: Attached, now: float, seed: int | None = None
    ) -> None:
        attach(self, reply, attached, now, seed)
        self._publish_text(reply, None)

    LiveTurn.attach = leaking
    try:
        yield
    finally:
        LiveTurn.attach = attach
