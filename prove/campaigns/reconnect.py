"""Streams that are cut anywhere, in mid-frame and mid-character, and resumed."""

import asyncio
import itertools
from collections.abc import Iterator

from prove.campaign import Batch, Campaign, Tally
from prove.forks import an_installation
from prove.wires import Frames, Wire
from tests.fakes.running import Reader
from tests.fakes.upstream import ScriptedUpstream

FOLLOWERS = 10
TEXTS = {
    "ada": tuple(f"Größe {number} – 🙂👩‍🚀 " for number in range(90)),
    "bob": tuple(f"“{number}” naïve\n\n" for number in range(110)),
}
WHOLE = {model: "".join(pieces) for model, pieces in TEXTS.items()}


class Reconnect:
    name = "reconnect"
    guarantee = "A stream cut at any byte and opened again gives the exact text."
    trials = 2000
    batch = 200
    sample = 40

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch))

    def control(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, "drop-a-frame"))

    def summary(self, tally: Tally) -> str:
        total = {name: int(sum(values)) for name, values in tally.figures.items()}
        return (
            f"{total.get('followed', 0):,} readers, {total.get('in_a_frame', 0):,} cuts within a frame, "
            f"{total.get('in_the_snapshot', 0):,} within the opening snapshot"
        )


async def _attack(batch: Batch, planted: str | None = None) -> Tally:
    tally = Tally()
    pacing = ("natural", "even")[batch.first // Reconnect.batch % 2]
    cuts = iter(range(batch.first, batch.first + batch.count))
    async with ScriptedUpstream() as upstream:
        for model, pieces in TEXTS.items():
            upstream.reply(*pieces, delay=0.012, model=model)
        with an_installation(batch.folder, upstream.url, tuple(TEXTS)) as installation:
            await installation.start(planted, PARLEY_BATTLE_PACING=pacing).ready()
            for turn in itertools.count():
                if tally.trials >= batch.count:
                    break
                mode = "battle" if turn % 2 == 0 else "chat"
                seats = {} if mode == "battle" else {"seats": {"assistant": "ada"}}
                wire = await Wire.open(installation.port)
                body = {"prompt": f"{turn}?", "mode": mode, **seats}
                wire.send("POST", "/api/sessions", body, Accept="text/event-stream")
                turn_id = await _first_id(wire)
                wire.cut()
                followed = (
                    _follow(installation.port, turn_id, mode, batch, cuts, tally) for _ in range(FOLLOWERS)
                )
                await asyncio.gather(*followed)
    return tally


async def _first_id(wire: Wire) -> str:
    head, frames = b"", Frames()
    while b"\r\n\r\n" not in head:
        head += await wire.some(1 << 16)
    data = head.partition(b"\r\n\r\n")[2]
    while not (events := frames.feed(data)):
        data = await wire.some(1 << 16)
    return events[0]["turn"]["id"]


async def _follow(
    port: int, turn_id: str, mode: str, batch: Batch, cuts: Iterator[int], tally: Tally
) -> None:
    """Read one turn as a page whose connection breaks again and again, then to its end."""
    reader = Reader()
    while reader.end is None:
        cut = next(cuts, None)
        budget = None
        if cut is not None:
            chance = batch.chance(cut)
            budget = chance.randint(1, 2500) if chance.random() < 0.25 else chance.randint(2500, 12_000)
            tally.trials += 1
            batch.step()
        if wrong := await _read_some(port, turn_id, reader, budget, tally):
            tally.failures.append(wrong)
            return
    tally.note("followed", 1)
    received = sorted(reader.texts().values())
    if reader.end != "turn.completed" or received != (
        sorted(WHOLE.values()) if mode == "battle" else [WHOLE["ada"]]
    ):
        tally.failures.append(
            f"{reader.end}: {[len(text) for text in received]} characters that are not those sent"
        )


async def _read_some(port: int, turn_id: str, reader: Reader, budget: int | None, tally: Tally) -> str:
    """Open the stream, read up to this many bytes of its body, and cut it; return what was wrong."""
    wire, frames, taken, read = await Wire.open(port), Frames(), 0, b""
    try:
        status, _ = await wire.begin("GET", f"/api/turns/{turn_id}/events")
        if status != 200:
            return f"the stream was refused: {status}"
        async with asyncio.timeout(20):
            while not frames.closed and (budget is None or len(read) < budget):
                data = await wire.some(1 << 16 if budget is None else budget - len(read))
                if not data:
                    return "the server broke a stream off"
                read += data
                for event in frames.feed(data):
                    taken += 1
                    reader.take(event)
    except (AssertionError, KeyError) as error:
        return f"the events do not fit together: {error!r}"
    except TimeoutError:
        return "nothing came for 20 s"
    finally:
        wire.cut()
    if budget is not None and not frames.closed:
        tally.note("in_a_frame", not read.endswith(b"\n\n\r\n"))
        tally.note("in_the_snapshot", taken == 0)
    return ""


CAMPAIGNS: list[Campaign] = [Reconnect()]
