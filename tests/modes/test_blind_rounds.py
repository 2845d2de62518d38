"""A blind mode with rounds: four hidden seats, and nothing that can be timed tells who is fast, in no round."""

import asyncio
import contextlib
import itertools
from collections.abc import Sequence
from typing import Any

import pytest

from parley.engine import release
from parley.engine.pacing import LEAD_S, MAX_RATE, NaturalCursor
from parley.kernel.errors import Rejected
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.seats import Group, Seating
from parley.testing import CannedEngine, Forever, Said, Wait, decoded, kinds, make_script, open_engine, until
from tests.fakes.blind_panel import PANEL, BlindPanel, Panel
from tests.fakes.deltas import texts
from tests.fakes.virtual_loop import on_virtual_time, run

MODELS = ("fast", "slow", "stalling", "coarse")
WAYS: dict[str, tuple[float, int, float, int]] = {
    "fast": (0.2, 4, 0.01, 0),
    "slow": (1.5, 4, 0.06, 0),
    "stalling": (0.5, 7, 0.03, 11),
    "coarse": (0.8, 45, 0.4, 0),
}
"""By model: seconds to the first word, code points of a piece, seconds between pieces, and every how many pieces it
stalls for two seconds."""

Frame = tuple[float, tuple[Any, ...]]
"""When something came, and what, by seats and rounds instead of ids."""


def sends(model: str, text: str) -> list[Said]:
    """Return how a model says a text."""
    first, size, gap, stalls = WAYS[model]
    said: list[Said] = [Wait(first)]
    for number, start in enumerate(range(0, len(text), size), 1):
        said += [text[start : start + size], Wait(2.0 if stalls and number % stalls == 0 else gap)]
    return said


def words(seat: str, number: int) -> str:
    """What a seat says in a round: as long as what the others say."""
    return f"{seat} in round {number} " * (8 * number)


async def watched(
    engine: CannedEngine, mode: Mode[Any], seats: dict[str, str], brief: Any = None
) -> list[Frame]:
    """Play a turn and return all that a blind viewer gets, with times; reloads beside the stream."""
    clock = asyncio.get_running_loop().time
    live = engine.start(mode, make_script(mode, seats, brief=brief))
    begun, frames = clock(), list[Frame]()
    places: dict[str, tuple[str, int]] = {}

    async def reload() -> None:
        while not live.finished.is_set():
            turn = live.snapshot().turn
            seen = tuple((each.seat, each.round, each.order, each.status, each.text) for each in turn.replies)
            frames.append((clock() - begun, ("reload", turn.round, turn.status, *seen)))
            await asyncio.sleep(0.7)

    looking = asyncio.create_task(reload())
    async for packet in live.follow():
        for event in decoded(packet):
            frames.append((clock() - begun, visible(event, places)))
    await looking
    return sorted(frames, key=lambda frame: (round(frame[0], 6), frame[1][0] == "reload"))


def visible(event: dict[str, Any], places: dict[str, tuple[str, int]]) -> tuple[Any, ...]:
    """Return what an event says, without ids."""
    kind = event["kind"]
    if kind == "reply.started":
        places[event["reply_id"]] = event["seat"], event["round"]
    if kind == "turn.snapshot":
        return kind, len(event["turn"]["replies"])
    rest = tuple(
        event[name] for name in ("round", "order", "attempt", "offset", "end", "text") if name in event
    )
    return kind, *places.get(event.get("reply_id", ""), ()), *rest


def seen_of(seating: Sequence[str], *, mode: Mode[Any] | None = None) -> list[Frame]:
    """Return what is seen of a panel where these models sit in this order; each seat says its own words."""

    async def whole() -> list[Frame]:
        async with open_engine() as engine:
            for seat, model in zip(PANEL, seating, strict=True):
                for number in (1, 2, 3):
                    engine.connector.says(model, *sends(model, words(seat, number)))
            return await watched(engine, mode or BlindPanel(), dict(zip(PANEL, seating, strict=True)))

    return run(whole())


def leaks(orders: Sequence[Sequence[str]], **given: Any) -> list[str]:
    """Return which seatings can be told from the first one."""
    first, *others = ((order, seen_of(order, **given)) for order in orders)
    return [" ".join(order) for order, seen in others if seen != first[1]]


def test_what_a_blind_viewer_gets_is_the_same_whichever_seats_the_models_have() -> None:
    assert leaks(list(itertools.permutations(MODELS))) == []
    frames = [what for _, what in seen_of(MODELS)]
    rounds = [what[1] for what in frames if what[0] == "round.started"]
    assert rounds == [1, 2, 3]
    assert sum(what[0] == "reply.completed" for what in frames) == 12


def test_rounds_that_are_not_paced_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The positive control: the same comparison, where the first round is paced and later ones are not."""
    orders = [MODELS, MODELS[::-1]]
    even = release.EvenCursor

    def once() -> Any:
        made.append(None)
        return even() if len(made) == 1 else NaturalCursor()

    made: list[None] = []
    assert leaks(orders) == []
    monkeypatch.setattr(release, "EvenCursor", once)
    caught = []
    for order in orders:
        made.clear()
        caught.append(seen_of(order))
    assert caught[0] != caught[1]


def test_a_round_begins_once_the_one_before_is_shown_whole() -> None:
    frames = seen_of(MODELS)
    for number in (2, 3):
        begun = next(at for at, what in frames if what[:2] == ("round.started", number))
        before = [(at, what) for at, what in frames if what[0] == "reply.delta" and what[2] == number - 1]
        ends = {what[1]: what[-2] for _, what in before}
        assert max(at for at, _ in before) <= begun
        assert ends == {seat: len(words(seat, number - 1)) for seat in PANEL}
        first = next(at for at, what in frames if what[0] == "reply.delta" and what[2] == number)
        assert first >= begun + max(first for first, *_ in WAYS.values()) + LEAD_S
        for at, what in frames:
            if what[0] == "reload" and at < begun:
                assert all(said[1] < number for said in what[3:]), (
                    "a reload tells of a round that has not begun"
                )
                assert what[1] < number


def test_two_texts_swapped_with_their_models_give_mirrored_timelines() -> None:
    """Texts of different lengths go with their models: all that changes is at which seat they are shown."""

    async def whole(order: Sequence[str]) -> list[Frame]:
        async with open_engine() as engine:
            for place, model in enumerate(MODELS):
                for number in (1, 2, 3):
                    engine.connector.says(model, *sends(model, "word " * (20 + 9 * place * number)))
            seats = dict(zip(PANEL, order, strict=True))
            return [
                (
                    at,
                    tuple(seats.get(part, part) if isinstance(part, str) else part for part in what[:3]),
                    what[-2:],
                )
                for at, what in await watched(engine, BlindPanel(), seats)
                if what[0] == "reply.delta"
            ]  # pyright: ignore[reportReturnType]

    one, other = (sorted(run(whole(order))) for order in (MODELS, MODELS[::-1]))
    assert one == other


class Scene(Brief):
    """What each round of a scene asks: groups of seats by their letters, one after the other."""

    rounds: tuple[tuple[str, ...], ...]


class BlindScene(Mode[Scene]):
    """Asks in each round what its brief says."""

    name = "blind-scene"
    title = "Blind scene"
    summary = "Asks as it is told"
    brief = Scene
    seating = Seating(groups=tuple(map(Group, PANEL)), blind=True, paced=True)

    async def play(self, stage: Stage, brief: Scene) -> None:
        by_name = {seat.name: seat for seat in stage.seats}
        for number in stage.rounds(len(brief.rounds)):
            for again, group in enumerate(brief.rounds[number - 1]):
                seats = [by_name[letter] for letter in group]
                if len(seats) == 1:
                    await stage.ask(seats[0], purpose=f"step-{again}")
                else:
                    await stage.ask_all(seats, purpose=f"step-{again}")


SCENES: dict[str, tuple[tuple[str, ...], ...]] = {
    "one after the other": (("d", "b", "a", "c"),),
    "one after the other, twice": (("a", "b", "c", "d"), ("c", "d", "a", "b")),
    "one in each round": (("a",), ("b",), ("c",), ("d",)),
    "a round in which nobody speaks": (("abcd",), (), ("dcba",), ()),
    "seats that are asked in some rounds only": (("abcd",), ("ac",), ("bd",), ("abcd",)),
    "members that are dropped": (("abcd",), ("abc",), ("ab",), ("a",)),
    "a group and its judge": (("abc", "d"), ("abc", "d")),
    "twice in one round": (("abcd", "abcd"),),
    "nobody at all": ((), ()),
}


def seen_of_scene(scene: str, order: Sequence[str]) -> list[Frame]:
    """Return what is seen of a scene where these models sit in this order."""

    async def whole() -> list[Frame]:
        async with open_engine() as engine:
            asked = dict.fromkeys(PANEL, 0)
            for number, groups in enumerate(SCENES[scene], 1):
                for letter in "".join(groups):
                    asked[letter] += 1
                    engine.connector.says(
                        order[PANEL.index(letter)], *sends(order[PANEL.index(letter)], words(letter, number))
                    )
            seats = dict(zip(PANEL, order, strict=True))
            return await watched(engine, BlindScene(), seats, {"rounds": SCENES[scene]})

    return run(whole())


@pytest.mark.parametrize("scene", SCENES)
def test_every_way_to_ask_comes_to_its_end_with_all_that_was_said_in_order(scene: str) -> None:
    frames = [what for _, what in seen_of_scene(scene, MODELS)]
    assert [what[0] for what in frames if what[0].startswith("turn.")][-1] == "turn.completed"
    asked = [
        (letter, number)
        for number, groups in enumerate(SCENES[scene], 1)
        for group in groups
        for letter in sorted(group)
    ]
    started = [what[1:3] for what in frames if what[0] == "reply.started"]
    assert sorted(started) == sorted(asked)
    orders = [what[4] for what in frames if what[0] == "reply.started"]
    assert orders == sorted(orders), "who is shown later comes later, live as after a reload"
    rounds = [what[1] for what in frames if what[0] == "round.started"]
    assert rounds == sorted({number for _, number in asked})
    said = dict.fromkeys(asked, "")
    for what in frames:
        if what[0] == "reply.delta" and len(set(asked)) == len(asked):
            said[what[1], what[2]] += what[-1]
    if len(set(asked)) == len(asked):
        assert said == {(letter, number): words(letter, number) for letter, number in asked}


@pytest.mark.parametrize(
    "scene", ["one after the other", "one after the other, twice", "one in each round", "twice in one round"]
)
def test_who_speaks_alone_is_shown_so_that_only_the_time_of_all_together_tells(scene: str) -> None:
    frames = [
        seen_of_scene(scene, order)
        for order in (MODELS, MODELS[::-1], ("slow", "coarse", "fast", "stalling"))
    ]
    for other in frames[1:]:
        assert _from_first_text(other) == _from_first_text(frames[0])


def _from_first_text(frames: list[Frame]) -> list[Frame]:
    """Return what comes from the first text on, with times since then."""
    stream = [frame for frame in frames if frame[1][0] != "reload"]
    begin = next(at for at, what in stream if what[0] == "reply.started")
    return [(round(at - begin, 6), what) for at, what in stream if at >= begin]


class AllAtOnce(BlindScene):
    """Asks groups beside each other, and a seat beside them."""

    async def play(self, stage: Stage, brief: Scene) -> None:
        first, second = stage.seats[:2], stage.seats[2:]
        async with asyncio.TaskGroup() as group:
            group.create_task(stage.ask_all(first))
            group.create_task(stage.ask(second[0], purpose="alone"))
            group.create_task(stage.ask_all(second))


@on_virtual_time
async def test_groups_that_are_asked_beside_each_other_are_shown_one_after_the_other() -> None:
    async with open_engine() as engine:
        for seat in PANEL:
            engine.connector.says(f"model-{seat}", *sends("fast", words(seat, 1)))
        seats = {seat: f"model-{seat}" for seat in PANEL}
        frames = [what for _, what in await watched(engine, AllAtOnce(), seats, {"rounds": ()})]
    shown = [what[1] for what in frames if what[0] == "reply.delta"]
    second = next(at for at, seat in enumerate(shown) if seat in "cd")
    assert set(shown[:second]) == {"a", "b"}
    assert set(shown[second:]) == {"c", "d"}
    assert sum(what[0] == "reply.completed" for what in frames) == 5


class Stumbling(BlindScene):
    """Asks a group of which one cannot be asked, and goes on without it."""

    async def play(self, stage: Stage, brief: Scene) -> None:
        with contextlib.suppress(ValueError):
            await stage.ask_all(stage.seats, self._asking)
        await stage.ask_all(stage.seats, purpose="again")

    def _asking(self, seat: Any) -> None:
        if seat.name == "a":
            raise ValueError("nothing to ask")


@on_virtual_time
async def test_a_group_of_which_one_was_never_asked_does_not_hold_up_the_turn() -> None:
    async with open_engine() as engine:
        seats = {seat: f"model-{seat}" for seat in PANEL}
        frames = [what for _, what in await watched(engine, Stumbling(), seats, {"rounds": ()})]
    assert frames[-1][0] in ("turn.completed", "turn.failed", "reload")
    assert any(what[0] == "turn.completed" for what in frames)


@on_virtual_time
async def test_while_a_round_is_shown_nobody_is_asked_for_the_next() -> None:
    async with open_engine() as engine:
        for seat in PANEL:
            engine.connector.says(f"model-{seat}", "All of it at once. " * 60)
        live = engine.start(
            BlindPanel(), make_script(BlindPanel(), {seat: f"model-{seat}" for seat in PANEL})
        )
        await until(lambda: all(step.status == "completed" for step in engine.log.replies().values()))
        await asyncio.sleep(1.0)
        assert len(engine.connector.requests) == 4
        assert live.status == "running"
        assert {each.text_end for each in live.snapshot().turn.replies} != {1140}
        await engine.runner.stop("turn")


@on_virtual_time
async def test_a_stop_in_round_two_keeps_what_was_seen_of_each_round() -> None:
    async with open_engine() as engine:
        for seat in PANEL:
            engine.connector.says(f"model-{seat}", *sends("fast", words(seat, 1)))
            engine.connector.says(f"model-{seat}", *sends("slow", words(seat, 2)))
            engine.connector.says(f"model-{seat}", *sends("fast", words(seat, 3)))
        mode, seats = BlindPanel(), {seat: f"model-{seat}" for seat in PANEL}
        live = engine.start(mode, make_script(mode, seats))
        await until(lambda: _seen(live, 2) >= 32)
        await engine.runner.stop("turn")
        view, ended = live.snapshot().turn, engine.log.ended("turn")
        assert ended is not None
        assert ended.released == live.visible
        assert [(each.seat, each.round) for each in view.replies] == [(s, n) for n in (1, 2) for s in PANEL]
        assert {each.text for each in view.replies if each.round == 1} == {words(seat, 1) for seat in PANEL}
        assert len({each.text_end for each in view.replies if each.round == 2}) == 1
        assert (view.round, {each.status for each in view.replies}) == (2, {"stopped"})
        for seat in PANEL:
            engine.connector.answers[f"model-{seat}"].clear()
            engine.connector.says(f"model-{seat}", "Again.")
        events = await engine.retry(mode)
    assert kinds(events)[-1] == "turn.completed"
    assert set(texts(events).values()) == {"Again."}
    assert {event["attempt"] for event in events if "attempt" in event} == {2}


def _seen(live: Any, number: int) -> int:
    return max((each.text_end for each in live.snapshot().turn.replies if each.round == number), default=0)


@on_virtual_time
async def test_a_crash_in_mid_round_asks_every_round_anew() -> None:
    mode, seats = BlindPanel(), {seat: f"model-{seat}" for seat in PANEL}
    async with open_engine() as engine:
        for seat in PANEL:
            engine.connector.says(f"model-{seat}", "First. ")
        engine.connector.says("model-c", "Second, ", Forever())
        engine.connector.says("model-c", "Anew. ")
        engine.start(mode, make_script(mode, seats))
        await until(lambda: engine.connector.asked("model-c") == 2)
        log, connector = engine.log, engine.connector
    assert log.ended("turn") is None
    async with open_engine(connector, log) as engine:
        events = await engine.resume(mode)
    assert events[0]["turn"]["replies"] == []
    assert kinds(events)[-1] == "turn.completed"
    assert [connector.asked(f"model-{seat}") for seat in PANEL] == [5, 5, 5, 5]
    assert [event["round"] for event in events if event["kind"] == "round.started"] == [1, 2, 3]


@pytest.mark.parametrize("seat", PANEL)
@on_virtual_time
async def test_a_failure_in_round_two_voids_the_match_without_a_seat(seat: str) -> None:
    mode, seats = BlindPanel(), {each: "bad" if each == seat else "good" for each in PANEL}
    async with open_engine() as engine:
        engine.connector.says("bad", "All is well. " * 9)
        engine.connector.says("bad", "All is ", Wait(1.0), Rejected("CANARY"))
        engine.connector.says("good", "All is well. " * 9)
        live = engine.start(mode, make_script(mode, seats))
        await until(live.finished.is_set)
        view = live.snapshot()
    assert (view.match.status, view.turn.status) == ("void", "failed")
    assert {each.status for each in view.turn.replies} == {"stopped"}
    assert len({(each.round, each.text) for each in view.turn.replies}) == 2
    assert "CANARY" not in str(view)


@on_virtual_time
async def test_texts_that_were_said_alone_come_at_one_rate_once_all_are_there() -> None:
    async with open_engine() as engine:
        for letter in PANEL:
            engine.connector.says(f"model-{letter}", *sends("slow" if letter == "b" else "fast", "x" * 400))
        seats = {letter: f"model-{letter}" for letter in PANEL}
        brief = {"rounds": SCENES["one after the other"]}
        frames = await watched(engine, BlindScene(), seats, brief)
    first = next(at for at, what in frames if what[0] == "reply.delta")
    last = max(at for at, what in frames if what[0] == "reply.delta")
    assert last - first == pytest.approx(400 / MAX_RATE, abs=0.1)


def test_without_pacing_rounds_come_as_they_are_said() -> None:
    class Natural(Panel):
        name = "natural-panel"
        seating = Seating(groups=tuple(map(Group, PANEL)), blind=True)

    frames = [what for _, what in seen_of(MODELS, mode=Natural())]
    assert [what[1] for what in frames if what[0] == "round.started"] == [1, 2, 3]
    assert sum(what[0] == "reply.completed" for what in frames) == 12
