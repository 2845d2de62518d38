"""A blind viewer with a stopwatch: simulated battles on a virtual clock, and everything measurable in them."""

import asyncio
import math
import random
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Literal, NamedTuple

import msgspec

from parley.engine.live_turn import LiveTurn
from parley.kernel.errors import Rejected
from parley.kernel.ports import TurnScript
from parley.modes.battle import Battle
from parley.testing import BREAK, CannedEngine, Said, Wait, decoded, make_script

SIDES = ("left", "right")
PAUSE_S = 0.12
"""A gap between two releases that cannot be the ticker's: the cursor stood still."""

RELOADS = 5

NEAR = 40
"""So many code points before and after the shorter text's end are timed for themselves."""


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """How a model sends. Seconds, code points per second, tokens in a chunk."""

    first_s: float
    rate: float
    chunk: int = 1
    jitter: float = 0.2
    stalls: float = 0.0
    """How many stalls to expect in an answer of ordinary length."""
    stall_s: float = 2.0
    ending_s: float = 0.0
    """How long the model waits between its last word and its finish reason."""


class Sight(msgspec.Struct):
    """What a viewer got of one battle: (time, side, from, to) of every piece, and the texts at the end."""

    texts: tuple[str, str] = ("", "")
    pieces: list[tuple[float, int, int, int]] = []
    looks: list[tuple[float, int, int]] = []
    """Time and visible lengths of reloads and of a second tab's opening."""
    others: list[float] = []
    """When anything else came."""
    other_times: int = 0
    tab_pieces: int = 0
    ended_s: float = 0.0
    answered_s: float = 0.0
    """When the JSON twin answered."""


def words(chance: random.Random) -> list[str]:
    """Return an answer's tokens; their count and shape are the same for every model."""
    count = int(min(220, max(12, 60 * chance.lognormvariate(0, 0.6))))
    tokens: list[str] = []
    for _ in range(count):
        word = "".join(chance.choices("aeinorst", k=min(12, 1 + int(chance.expovariate(0.25)))))
        tokens += [f" {word[:6]}", *([word[6:]] if len(word) > 6 else [])]
    return tokens


def sends(profile: Profile, tokens: Sequence[str], chance: random.Random) -> list[Said]:
    """Return what a model of this profile sends, and when."""
    said: list[Said] = [Wait(profile.first_s * chance.lognormvariate(0, 0.3))]
    pace = profile.rate * chance.lognormvariate(0, 0.1)
    often = profile.stalls * profile.chunk / 80
    for start in range(0, len(tokens), profile.chunk):
        piece = "".join(tokens[start : start + profile.chunk])
        if start:
            said.append(Wait(len(piece) / pace * chance.lognormvariate(0, profile.jitter)))
            if chance.random() < often:
                said.append(Wait(profile.stall_s * chance.lognormvariate(0, 0.5)))
        said.append(piece)
    return [*said, Wait(profile.ending_s * chance.lognormvariate(0, 0.3))] if profile.ending_s else said


def breaks_off(said: list[Said], chance: random.Random) -> list[Said]:
    """Return the beginning of an answer, and a failure."""
    kept = said[: chance.randrange(len(said))]
    return [*kept, chance.choice([Rejected("The key was refused."), BREAK])]


Plans = Sequence[list[Said]]
"""What the left and the right model send in one play."""

Interruption = Literal["stop", "restart", "kill"]


async def watch(engine: CannedEngine, plans: Plans, chance: random.Random, number: int) -> Sight:
    """Play a battle and watch it in every way."""
    return await _attend(engine.start(Battle(), _prepared(engine, (plans,), number)), chance)


async def watch_interrupted(
    engine: CannedEngine, plays: Sequence[Plans], how: Interruption, chance: random.Random, number: int
) -> tuple[Sight, Sight]:
    """Interrupt a battle at some moment and replay it; return what is seen of both plays."""
    script = _prepared(engine, plays, number)
    live = engine.start(Battle(), script)
    first = asyncio.create_task(_attend(live, chance))
    await asyncio.sleep(chance.uniform(0.5, 12.0))
    if live.finished.is_set():
        seen = await first
        return seen, seen
    if how == "stop":
        await engine.runner.stop(live.id)
        engine.log.renew(live.id)
    else:
        stored = list(engine.log.transactions)
        await engine.runner.close()
        await engine.recorder.commit()
        if how == "kill":  # nothing more could be written
            engine.log.transactions[:] = stored
    again = await engine.log.read(live.id)
    return await asyncio.gather(first, _attend(engine.start(Battle(), again), chance))


def _prepared(engine: CannedEngine, plays: Sequence[Plans], number: int) -> TurnScript:
    """Script what the models of a new battle say in each play."""
    engine.log.transactions.clear()
    engine.log.scripts.clear()
    engine.connector.requests.clear()
    engine.connector.answers.clear()
    for plans in plays:
        for side, plan in zip(SIDES, plans, strict=True):
            engine.connector.says(f"model-{side}", *plan)
    return make_script(Battle(), {side: f"model-{side}" for side in SIDES}, turn_id=f"turn-{number}")


async def _attend(live: LiveTurn, chance: random.Random) -> Sight:
    """Watch one play in every way."""
    clock = asyncio.get_running_loop().time
    begun, sight = clock(), Sight()
    looking = [asyncio.create_task(_look(live, sight, begun, chance.uniform(0, 15))) for _ in range(RELOADS)]
    twin = asyncio.create_task(_wait(live, sight, begun))
    tab = asyncio.create_task(_join(live, sight, begun, chance.uniform(0, 15)))
    await _read(live, sight, begun)
    await asyncio.gather(*looking, twin, tab)
    sight.looks.sort()
    return sight


async def _read(live: LiveTurn, sight: Sight, begun: float) -> None:
    """Read the stream with a stopwatch."""
    clock = asyncio.get_running_loop().time
    sides: dict[str, int] = {}
    texts = ["", ""]
    async for frames in live.follow():
        now = clock() - begun
        sight.other_times += frames.count(b": \n\n")
        for event in decoded(frames):
            match event["kind"]:
                case "reply.started":
                    sides[event["reply_id"]] = SIDES.index(event["seat"])
                case "reply.delta":
                    side = sides[event["reply_id"]]
                    texts[side] += event["text"]
                    sight.pieces.append((now, side, event["offset"], event["end"]))
                case _:
                    sight.others.append(now)
    sight.ended_s = clock() - begun
    sight.texts = (texts[0], texts[1])


async def _look(live: LiveTurn, sight: Sight, begun: float, after: float) -> None:
    """Reload at some moment."""
    await asyncio.sleep(after)
    lengths = [reply.text_end for reply in live.snapshot().turn.replies]
    if len(lengths) == len(SIDES):
        sight.looks.append((asyncio.get_running_loop().time() - begun, lengths[0], lengths[1]))


async def _join(live: LiveTurn, sight: Sight, begun: float, after: float) -> None:
    """Open a second tab at some moment and read on."""
    await asyncio.sleep(after)
    if live.finished.is_set():
        return
    async for frames in live.follow():
        for event in decoded(frames):
            if event["kind"] == "turn.snapshot":
                left, right = (reply["text_end"] for reply in event["turn"]["replies"])
                sight.looks.append((asyncio.get_running_loop().time() - begun, left, right))
            else:
                sight.tab_pieces += event["kind"] == "reply.delta"


async def _wait(live: LiveTurn, sight: Sight, begun: float) -> None:
    """Wait for the outcome, as a program does."""
    await live.finished.wait()
    sight.answered_s = asyncio.get_running_loop().time() - begun


# ── what can be measured ─────────────────────────────────────────────────────────────────────────


class Measured(NamedTuple):
    """Everything a blind viewer may measure of a battle."""

    plain: list[float]
    """Left against right; equal for both sides where nothing leaks."""
    longer: int
    """Whose text is the longer one: 1 the left one, −1 the right one, 0 neither."""
    turned: list[float]
    """The longer text's side against the other, with what both together show."""


def measured(sight: Sight) -> Measured:
    """Measure a battle.

    Text counts only by its length and by where its words end: a side whose pauses fall between words,
    while the other's fall anywhere, is the one that was waited for.
    """
    sides = [_of_side(sight, side) for side in range(len(SIDES))]
    apart = [left - right for left, right in zip(*sides, strict=True)]
    lengths = [len(text) for text in sight.texts]
    longer = (lengths[0] > lengths[1]) - (lengths[0] < lengths[1])
    ratio = (lengths[0] - lengths[1]) / max(1, *lengths)
    both = _of_both(sight, lengths)
    crossed = [value * sign for value in both for sign in (longer, ratio)]
    looks = [float(left - right) for _, left, right in sight.looks]
    looked = [sum(looks), max(looks, default=0.0), min(looks, default=0.0)]
    return Measured(
        plain=[*apart, *both, *crossed, *looked, float(longer), ratio],
        longer=longer,
        turned=[
            *(value * longer for value in (*apart, *looked)),
            *both,
            float(min(lengths)),
            float(max(lengths)),
            abs(ratio),
        ],
    )


def measured_again(first: Sight, second: Sight) -> Measured:
    """Measure a battle that was played twice: both plays, and what of the first came again in the second."""
    before, after = measured(first), measured(second)
    kept = [_in_common(*texts) for texts in zip(first.texts, second.texts, strict=True)]
    whole = [
        float(bool(old) and new.startswith(old)) for old, new in zip(first.texts, second.texts, strict=True)
    ]
    apart = [float(kept[0] - kept[1]), whole[0] - whole[1]]
    stayed = [float(all(whole)), float(sum(whole))]
    # When the second play has the first one's texts, their lengths are known of both.
    lengths = [len(text) for text in second.texts]
    ratio = (lengths[0] - lengths[1]) / max(1, *lengths)
    crossed = [value * sign for value in (*stayed, first.ended_s) for sign in (after.longer, ratio)]
    both = [*stayed, first.ended_s]
    return Measured(
        plain=[*after.plain, *before.plain, *apart, *both, *crossed],
        longer=after.longer,
        turned=[
            *after.turned,
            *(value * before.longer * after.longer for value in before.turned),
            *(value * after.longer for value in apart),
            *both,
            abs(ratio) * all(whole),
        ],
    )


def _in_common(old: str, new: str) -> int:
    """Return how many code points at the beginning are the same."""
    pairs = zip(old, new, strict=False)
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], pairs))


def _of_side(sight: Sight, side: int) -> list[float]:
    """Measure one side's stream."""
    mine = [piece for piece in sight.pieces if piece[1] == side]
    times = [piece[0] for piece in mine]
    sizes = [piece[3] - piece[2] for piece in mine]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    pauses = [piece[3] for piece, after in pairwise(mine) if after[0] - piece[0] > PAUSE_S]
    text = sight.texts[side]
    whole = [_ends_a_word(text, end) for end in pauses]
    early = [_ends_a_word(text, end) for end in pauses[:3]]
    return [
        times[0] if times else 0.0,
        times[-1] if times else 0.0,
        float(len(mine)),
        _mean(sizes),
        max(sizes, default=0.0),
        _mean([size * size for size in sizes]),
        _mean(gaps),
        max(gaps, default=0.0),
        _mean([gap * gap for gap in gaps]),
        float(len(pauses)),
        _mean(whole) - 0.2 if whole else 0.0,
        _mean(early) - 0.2 if early else 0.0,
        float(sum(whole)),
    ]


def _of_both(sight: Sight, lengths: Sequence[int]) -> list[float]:
    """Measure the pair, above all around the end of the shorter text and after it."""
    shorter = min(lengths)
    times = sorted({piece[0] for piece in sight.pieces})
    ends = {time: max(piece[3] for piece in sight.pieces if piece[0] == time) for time in times[-1:]}
    tail = sorted({piece[0] for piece in sight.pieces if piece[3] >= shorter})
    pair = sorted({piece[0] for piece in sight.pieces if piece[2] < shorter})
    gaps = [later - earlier for earlier, later in pairwise(times)]
    before = [later - earlier for earlier, later in pairwise(pair)]
    after = [later - earlier for earlier, later in pairwise(tail)]
    sizes = [piece[3] - piece[2] for piece in sight.pieces if piece[2] >= shorter]
    spoken, last = (tail[-1] - tail[0] if tail else 0.0), (times[-1] if times else 0.0)
    first = times[0] if times else 0.0
    paired = (pair[-1] - pair[0]) if pair else 0.0
    return [
        *_paces(sight, shorter, max(lengths)),
        first,
        sight.ended_s,
        sight.answered_s,
        sight.ended_s - last,
        last - first,
        float(sight.other_times),
        float(sight.tab_pieces),
        float(len(sight.pieces)),
        max(sight.others, default=0.0) - last,
        shorter / max(paired, 0.03),
        (max(ends.values(), default=0) - shorter) / max(spoken, 0.03),
        max(gaps, default=0.0),
        max(before, default=0.0),
        max(after, default=0.0),
        float(sum(gap > PAUSE_S for gap in before)),
        float(sum(gap > PAUSE_S for gap in after)),
        sum(gap > PAUSE_S for gap in after) / max(spoken, 0.3),
        sum(gap > PAUSE_S for gap in before) / max(paired, 0.3),
        after[0] if after else 0.0,
        before[-1] if before else 0.0,
        _mean([gap * gap for gap in after]),
        _mean([gap * gap for gap in before]),
        max(sizes, default=0.0),
        _mean(sizes),
    ]


def _paces(sight: Sight, shorter: int, longer: int) -> list[float]:
    """Measure the pace: before and after the shorter text's end, overall, near it, and at the end."""
    seen = sorted({(piece[3], piece[0]) for piece in sight.pieces})
    ends, times = [end for end, _ in seen], [time for _, time in seen]

    def pace(since: int, until: int) -> float:
        """The logarithm of the pace between two places, in code points per second."""
        if not seen or until <= since:
            return 0.0
        taken = _passed(ends, times, until) - _passed(ends, times, since)
        return math.log((until - since) / max(taken, 0.03))

    head, tail = pace(0, shorter), pace(shorter, longer)
    before, after = pace(max(0, shorter - NEAR), shorter), pace(shorter, min(longer, shorter + NEAR))
    last = pace(max(shorter, longer - NEAR), longer)
    return [head, tail, before, after, last, tail - head, after - before, last - before, tail - after]


def _passed(ends: Sequence[int], times: Sequence[float], place: int) -> float:
    """Return when a position in the texts was passed."""
    return times[min(bisect_left(ends, place), len(times) - 1)]


def _ends_a_word(text: str, end: int) -> float:
    return float(end >= len(text) or text[end] == " ")


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
