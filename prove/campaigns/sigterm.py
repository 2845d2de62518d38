"""SIGTERM with hundreds of open streams: a quick and orderly end, and turns that resume at the next start."""

import asyncio
from typing import Any

from prove.campaign import Batch, Campaign, Tally, share
from prove.forks import an_installation
from prove.wires import BROKEN, Wire, follow
from tests.fakes.running import Reader, read_all
from tests.fakes.upstream import ScriptedUpstream

STREAMS = (30, 200, 200, 240)
"""How many streams are open at the signal, by trial."""

LIMIT_S = 5.0
PIECES = ("The first half, ", "and the other one.")


class SigTerm:
    name = "sigterm"
    guarantee = (
        "SIGTERM with 200 open streams ends the server in order within 5 s, and its "
        "turns go on at the next start."
    )
    trials = 12
    batch = 1
    sample = 1

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch))

    def control(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, "deaf", trials=1))

    def summary(self, tally: Tally) -> str:
        took = tally.figures.get("stop_s", [])
        return f"{min(STREAMS)} to {max(STREAMS)} streams; the stop took at most {share(took, 1.0):.1f} s"


async def _attack(batch: Batch, planted: str | None = None, trials: int | None = None) -> Tally:
    tally = Tally()
    for trial in range(batch.first, batch.first + (trials or batch.count)):
        async with ScriptedUpstream() as upstream:
            upstream.reply(*PIECES, hold_after=1)
            with an_installation(batch.folder / f"{trial}", upstream.url, ("ada", "bob")) as installation:
                server = await installation.start(planted).ready()
                clients = [
                    _Client(installation.port, number) for number in range(STREAMS[trial % len(STREAMS)])
                ]
                watching = [asyncio.create_task(client.watch()) for client in clients]
                async with asyncio.timeout(60):
                    await asyncio.gather(*(client.speaking.wait() for client in clients))
                code, seconds = await server.stop()
                tally.note("stop_s", seconds)
                await asyncio.gather(*watching)
                tally.failures += [client.wrong for client in clients if client.wrong]
                if code != 0 or seconds > LIMIT_S:
                    tally.failures.append(f"it ended with {code} after {seconds:.1f} s")
                if "Traceback" in server.said():
                    tally.failures.append(f"its log holds a traceback: {server.said()[-300:]}")
                server = await installation.start(planted).ready()
                upstream.release()
                ends = await asyncio.gather(*(client.again() for client in clients))
                tally.failures += [wrong for wrong in ends if wrong]
        tally.trials += 1
        batch.step()
    return tally


class _Client:
    """Starts its own turn, and follows it in one of several ways."""

    def __init__(self, port: int, number: int) -> None:
        self.port = port
        self.number = number
        self.turn_id = ""
        self.speaking = asyncio.Event()
        self.wrong = ""

    async def watch(self) -> None:
        """Follow until the server ends the stream; half of the turns are followed as from a second tab."""
        body: dict[str, Any] = {"prompt": f"Question {self.number}?"}
        if self.number % 3:
            body |= {"mode": "chat", "seats": {"assistant": "ada"}}
        wire = await Wire.open(self.port)
        await wire.begin("POST", "/api/sessions", body, Accept="text/event-stream")
        try:
            async for event in wire.events():
                await self._take(event, wire)
                if self.turn_id and self.number % 2:
                    wire.cut()
                    wire = await Wire.open(self.port)
                    await wire.begin("GET", f"/api/turns/{self.turn_id}/events")
                    async for later in wire.events():
                        await self._take(later, wire)
                    return
        except BROKEN as error:
            self.wrong = f"a stream was torn off: {error!r}"
            self.speaking.set()
        finally:
            wire.cut()

    async def _take(self, event: dict[str, Any], wire: Wire) -> None:
        if event["kind"] == "turn.snapshot":
            self.turn_id = event["turn"]["id"]
            if any(reply["text"] for reply in event["turn"]["replies"]):
                self.speaking.set()
        elif event["kind"] == "reply.delta":
            self.speaking.set()
        elif event["kind"] in ("turn.completed", "turn.failed", "turn.stopped"):
            self.wrong = f"the signal gave a turn the end {event['kind']}"

    async def again(self) -> str:
        """Follow the turn to its end; return what was wrong."""
        reader = Reader()
        for _ in range(50):
            try:
                async with asyncio.timeout(20):
                    reader = read_all(await follow(self.port, "GET", f"/api/turns/{self.turn_id}/events"))
            except (TimeoutError, *BROKEN) as error:
                return f"the turn could not be followed at the next start: {error!r}"
            if reader.end:
                break
            await asyncio.sleep(0.05)
        wrong = [text for text in reader.texts().values() if text != "".join(PIECES)]
        return (
            f"the turn ended with {reader.end} and {wrong}" if wrong or reader.end != "turn.completed" else ""
        )


CAMPAIGNS: list[Campaign] = [SigTerm()]
