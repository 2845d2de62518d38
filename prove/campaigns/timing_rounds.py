"""A blind mode with rounds under the stopwatch: four seats confer twice, and a classifier guesses who is quick."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from parley.engine.pacing import NaturalCursor
from parley.engine.release import ReleaseGroup, ReleaseQueue
from parley.testing import CannedEngine, decoded, make_script, open_engine
from prove.blind_viewer import Measured, Sight, measured, sends, words
from prove.campaign import Batch, Campaign, Tally
from prove.campaigns.timing import PAIRS, Pair, Watched, aucs, caught, judged
from tests.fakes.blind_panel import PANEL, BlindPanel
from tests.fakes.virtual_loop import run

ROUNDS = 2
SIDES = PANEL[:2]
"""The seats of the quick and the slow model, in either order; the other seats may have either."""


class BlindRounds:
    """Which of two seats has the quick model, if four confer?"""

    name = "timing-rounds"
    guarantee = (
        "Where four hidden models answer in two rounds, nothing that can be timed in either round, or between them, "
        "tells which of two seats is the quick model's: two classifiers come to an AUC ≤ 0.55."
    )
    trials = 1500
    batch = 1500
    sample = 40

    def run(self, batch: Batch) -> Tally:
        """Watch panels."""
        return judged(run(_watch_all(batch)), batch.count)

    def control(self, batch: Batch) -> Tally:
        """Pace the first round only: a classifier must nearly always be right."""
        with _only_the_first_round_is_paced():
            return caught(run(_watch_all(batch)), 0.85, "the second round comes as it is said")

    def summary(self, tally: Tally) -> str:
        return aucs(tally)


CAMPAIGNS: list[Campaign] = [BlindRounds()]


async def _watch_all(batch: Batch) -> list[Watched]:
    seen: list[Watched] = []
    async with open_engine() as engine:
        for number in range(batch.first, batch.first + batch.count):
            chance = batch.chance(number)
            pair = PAIRS[number % len(PAIRS)]
            left = chance.random() < 0.5
            seats = [
                *(("quick", "slow") if left else ("slow", "quick")),
                *chance.choices(("quick", "slow"), k=2),
            ]
            engine.log.transactions.clear()
            engine.log.scripts.clear()
            engine.connector.requests.clear()
            engine.connector.answers.clear()
            for seat, who in zip(PANEL, seats, strict=True):
                for _ in range(ROUNDS):
                    engine.connector.says(f"model-{seat}", *sends(_profile(pair, who), words(chance), chance))
            rounds = await _watch(engine, number)
            seen.append(Watched(pair.name, _measured(rounds), int(left)))
            batch.step()
    return seen


def _profile(pair: Pair, who: str):
    return pair.quick if who == "quick" else pair.slow


async def _watch(engine: CannedEngine, number: int) -> list[Sight]:
    """Read the stream of one panel with a stopwatch; return what was seen of each round, timed from the start."""
    clock = asyncio.get_running_loop().time
    models = {seat: f"model-{seat}" for seat in PANEL}
    script = make_script(BlindPanel(), models, turn_id=f"turn-{number}", brief={"rounds": ROUNDS})
    live, begun = engine.start(BlindPanel(), script), clock()
    sights = [Sight(pieces=[], looks=[], others=[]) for _ in range(ROUNDS)]
    texts = [["", ""] for _ in range(ROUNDS)]
    places: dict[str, tuple[int, int]] = {}
    at = 0
    async for frames in live.follow():
        now = clock() - begun
        for event in decoded(frames):
            if event["kind"] == "reply.started" and event["seat"] in SIDES:
                places[event["reply_id"]] = event["round"] - 1, SIDES.index(event["seat"])
            elif event["kind"] == "round.started":
                at = event["round"] - 1
            if event["kind"] == "reply.delta" and event["reply_id"] in places:
                at, side = places[event["reply_id"]]
                texts[at][side] += event["text"]
                sights[at].pieces.append((now, side, event["offset"], event["end"]))
            else:
                sights[at].others.append(now)
            sights[at].ended_s = sights[at].answered_s = now
    for sight, (left, right) in zip(sights, texts, strict=True):
        sight.texts = (left, right)
    return sights


def _measured(rounds: Sequence[Sight]) -> Measured:
    """Measure both rounds, each like a battle."""
    first, second = map(measured, rounds)
    return Measured(
        plain=[*second.plain, *first.plain],
        longer=second.longer,
        turned=[*second.turned, *(value * first.longer * second.longer for value in first.turned)],
    )


@contextmanager
def _only_the_first_round_is_paced() -> Iterator[None]:
    expect = ReleaseQueue.add_group

    def later_ones_unpaced(self: ReleaseQueue, seats: Iterable[str]) -> ReleaseGroup:
        part = expect(self, seats)
        if len(self._groups) > 1:
            part.cursor = NaturalCursor()
        return part

    ReleaseQueue.add_group = later_ones_unpaced
    try:
        yield
    finally:
        ReleaseQueue.add_group = expect
