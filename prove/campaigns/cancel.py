"""Stop at random moments: upstream connections close at once, and replies so far are saved."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from prove.campaign import Batch, Campaign, Tally, share
from prove.forks import an_installation
from prove.wires import Wire
from tests.fakes.running import Reader
from tests.fakes.upstream import Pause, Request, Script, ScriptedUpstream, Step, delta, event

LIMIT_S = 1.0
LATEST_S = 0.4
"""The latest moment of a stop."""

AT_ONCE = 6
WHOLE = {
    "ada": [f"ada {number} " for number in range(300)],
    "bob": [f"bob {number}, " for number in range(300)],
    "cleo": [f"cleo: {number} " for number in range(12)],
}
BEFORE_S = {"ada": 0.1, "bob": 0.0, "cleo": 0.25}
"""How long a model takes to send the head of its answer; cleo is soon done, the others never in time."""


class WatchedUpstream(ScriptedUpstream):
    """Records which answers are being sent, by the last words of their prompts, and when each client left."""

    def __init__(self) -> None:
        super().__init__()
        self.sending: Counter[str] = Counter()
        self.left_at: dict[str, float] = {}
        self._serving: dict[asyncio.Task[Any] | None, str] = {}

    def _script_for(self, request: Request) -> Script:
        prompt = request.json["messages"][-1]["content"]
        self._serving[asyncio.current_task()] = prompt
        self.sending[prompt] += 1
        return super()._script_for(request)

    async def _serve_one(
        self, ahead: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bytes | None:
        try:
            return await super()._serve_one(ahead, reader, writer)
        finally:
            prompt = self._serving.pop(asyncio.current_task(), None)
            if prompt is not None:
                self.sending[prompt] -= 1
                self.left_at[prompt] = time.monotonic()


class Cancel:
    name = "cancel"
    guarantee = (
        "Stop closes every connection to a model within a second, at any moment; what had come is kept."
    )
    trials = 1000
    batch = 200
    sample = 12

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch))

    def control(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, "leave-open"))

    def summary(self, tally: Tally) -> str:
        took = tally.figures.get("closed_s", [])
        return (
            f"{len(took):,} stops with open connections, all closed after {share(took, 0.5) * 1000:.0f} ms (median), "
            f"{share(took, 0.99) * 1000:.0f} ms (p99), {share(took, 1.0) * 1000:.0f} ms (longest)"
        )


async def _attack(batch: Batch, planted: str | None = None) -> Tally:
    tally = Tally()
    async with WatchedUpstream() as upstream:
        for model, pieces in WHOLE.items():
            upstream.script(_script(model, pieces), model=model)
        with an_installation(batch.folder, upstream.url, tuple(WHOLE)) as installation:
            await installation.start(planted).ready()
            turns = asyncio.Semaphore(AT_ONCE)
            asked: dict[str, int] = {}

            async def trial(number: int) -> None:
                async with turns:
                    prompt = f"Question {number}?"
                    await _stop_once(installation.port, upstream, prompt, batch.chance(number), tally)
                    asked[prompt] = _calls(upstream)[prompt]
                    tally.trials += 1
                    batch.step()

            numbers = range(batch.first, batch.first + batch.count)
            await asyncio.gather(*(trial(number) for number in numbers))
            await asyncio.sleep(0.1)
            after = _calls(upstream)
            late = [prompt for prompt, count in asked.items() if after[prompt] != count]
            if late:
                tally.failures.append(f"models were asked after the stop of {len(late)} turns")
    return tally


def _script(model: str, pieces: Sequence[str]) -> Script:
    steps: list[Step] = [step for piece in pieces for step in (event(delta(content=piece)), Pause(0.01))]
    return Script((*steps, event(delta(finish="stop")), event("[DONE]")), before=(Pause(BEFORE_S[model]),))


async def _stop_once(port: int, upstream: WatchedUpstream, prompt: str, chance: Random, tally: Tally) -> None:
    body: dict[str, Any] = {"prompt": prompt}
    if chance.random() < 0.5:
        body |= {"mode": "chat", "seats": {"assistant": chance.choice(list(WHOLE))}}
    follower, reader = await Wire.open(port), Reader()
    begun: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def follow() -> None:
        await follower.begin("POST", "/api/sessions", body, Accept="text/event-stream")
        async for each in follower.events():
            reader.take(each)
            if not begun.done():
                begun.set_result(each["turn"]["id"])

    following = asyncio.create_task(follow())
    stopper = await Wire.open(port)
    try:
        async with asyncio.timeout(10):
            turn_id = await begun
        await asyncio.sleep(chance.uniform(0, LATEST_S))
        seen = dict(reader.texts())
        open_before, asked_at = upstream.sending[prompt], time.monotonic()
        answer = await stopper.ask("POST", f"/api/turns/{turn_id}/stop")
        while upstream.sending[prompt] and time.monotonic() < asked_at + LIMIT_S:  # noqa: ASYNC110
            await asyncio.sleep(0.002)
        if upstream.sending[prompt]:
            tally.failures.append(
                f"{upstream.sending[prompt]} connections to models are open 1 s after the stop"
            )
        elif open_before:
            tally.note("closed_s", max(0.0, upstream.left_at[prompt] - asked_at))
        async with asyncio.timeout(5):
            await following
        _judge(answer.json, seen, reader, tally)
    except (TimeoutError, OSError) as error:
        tally.failures.append(f"the stop was not answered, or the stream did not end: {error!r}")
    finally:
        following.cancel()
        follower.cut()
        stopper.cut()


def _judge(snapshot: Any, seen: dict[str, str], reader: Reader, tally: Tally) -> None:
    """A stopped turn keeps what was seen of it; one that had ended before is complete."""
    status = snapshot["turn"]["status"]
    kept = {reply["seat"]: reply["text"] for reply in snapshot["turn"]["replies"]}
    wholes = ["".join(pieces) for pieces in WHOLE.values()]
    if status not in ("stopped", "completed") or reader.end != f"turn.{status}":
        tally.failures.append(f"after the stop the turn is {status}, and its stream ended with {reader.end}")
    for seat, text in kept.items():
        if not any(whole.startswith(text) for whole in wholes):
            tally.failures.append(f"kept what nobody said: {text[-40:]!r}")
        if status == "completed" and text not in wholes:
            tally.failures.append("completed without its whole text")
        if not text.startswith(seen.get(seat, "")):
            tally.failures.append(f"{len(text)} characters kept, {len(seen[seat])} had been seen")


def _calls(upstream: ScriptedUpstream) -> Counter[str]:
    return Counter(request.json["messages"][-1]["content"] for request in upstream.chats)


CAMPAIGNS: list[Campaign] = [Cancel()]
