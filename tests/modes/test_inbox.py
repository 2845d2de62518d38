"""What a person says while a turn runs: read when a round begins, and whenever the turn is played again, just so."""

import asyncio
from typing import Any

import msgspec
import pytest

from parley.engine.ensembles import PlayedEnsembles
from parley.engine.live_turn import LiveTurn
from parley.kernel.errors import Rejected
from parley.kernel.history import EarlierReply, EarlierTurn
from parley.kernel.inputs import (
    AddInput,
    AskInput,
    ContinueInput,
    PromptInput,
    SkipInput,
    SteerInput,
    SynthesiseInput,
)
from parley.kernel.messages import text_of
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.ports import Ensemble, EventLogged, ReplyEnded
from parley.kernel.seats import Group, Seat, Seating
from parley.modes.chat import Chat
from tests.fakes.canned import (
    CannedConnector,
    Forever,
    SmallCatalog,
    Wait,
    a_card,
    a_model,
    a_script,
    a_theatre,
    heard,
    kinds,
    until,
)
from tests.fakes.memory_log import MemoryLog
from tests.fakes.panel import Panel
from tests.fakes.virtual_loop import on_virtual_time

SEATS = {"chair": "judge", "a": "ada", "b": "bob"}


def lines(connector: CannedConnector, model: str) -> list[str]:
    """What a model was told last in each of its calls."""
    return [text_of(request.messages[-1]) for request in connector.requests if request.model == model]


def following(live: LiveTurn) -> asyncio.Task[list[dict[str, Any]]]:
    """Follow a turn from its first moment."""
    feed = live.follow()
    feed.open()
    return asyncio.create_task(heard(feed))


async def shown(log: MemoryLog) -> list[tuple[str, int | None]]:
    """What was said while the turn ran and which round heard it, from the record."""
    return [(said.id, said.round) for said in (await log.read("turn")).inbox.interjections]


@on_virtual_time
async def test_what_is_said_in_a_round_is_heard_when_the_next_one_begins() -> None:
    async with a_theatre() as theatre:
        theatre.connector.says("ada", "One.", Wait(1.0))
        theatre.connector.says("ada", "Two.", Wait(1.0))
        theatre.connector.says("judge", "In sum.", Wait(1.0))
        live = theatre.start(Panel(), a_script(Panel(), SEATS))
        reading = following(live)
        await until(lambda: theatre.connector.asked("ada") == 1)
        assert await theatre.interject(SteerInput("be brief"))
        assert await theatre.interject(AddInput("and kind"))
        await until(lambda: theatre.connector.asked("judge") == 1)
        assert await theatre.interject(SteerInput("too late for this turn"))
        events = await reading
        assert lines(theatre.connector, "ada") == [
            "Round 1. Hello [] ()",
            "Round 2. Hello [a: One. | b: An answer.] (be brief / and kind)",
        ]
        rounds = [(event["round"], event["heard"]) for event in events if event["kind"] == "round.started"]
        assert rounds == [(1, []), (2, ["interjection-1", "interjection-2"])]
        added = [event["interjection"] for event in events if event["kind"] == "input.added"]
        assert [(said["id"], said["round"]) for said in added] == [
            ("interjection-1", None),
            ("interjection-2", None),
            ("interjection-3", None),
        ]
        assert await shown(theatre.log) == [
            ("interjection-1", 2),
            ("interjection-2", 2),
            ("interjection-3", None),
        ]
        view = live.snapshot().turn
        assert [(said.id, said.round) for said in view.interjections] == await shown(theatre.log)


@on_virtual_time
async def test_a_person_leaves_out_a_seat_asks_one_alone_and_ends_the_talk() -> None:
    async with a_theatre() as theatre:
        for model in ("ada", "bob"):
            theatre.connector.says(model, "Said.", Wait(1.0))
        live = theatre.start(Panel(), a_script(Panel(), SEATS, brief={"rounds": 9}))
        reading = following(live)
        for number, said in enumerate((SkipInput("b"), AskInput("b", "why?"), SynthesiseInput()), 1):
            await until(lambda number=number: live.round == number)
            await theatre.interject(said)
        events = await reading
        notes = [event["note"]["data"]["asked"] for event in events if event["kind"] == "note.added"]
        assert notes == [["a", "b"], ["a"], ["b"], ["a", "b"]]
        assert lines(theatre.connector, "bob")[1] == "Round 3. Hello [a: Said.] (why?)"
        assert theatre.connector.asked("judge") == 1
        assert [event["round"] for event in events if event["kind"] == "round.started"] == [1, 2, 3, 4]


@pytest.mark.parametrize("moment", ["before the boundary", "after the boundary"])
@on_virtual_time
async def test_after_a_crash_each_round_hears_what_it_heard_and_nothing_is_paid_twice(moment: str) -> None:
    connector, log = CannedConnector(), MemoryLog()
    connector.says("ada", "One.")
    connector.says("ada", "Two.")
    if moment == "before the boundary":
        connector.says("bob", "Slow", Forever())
        connector.says("bob", "Uno.", Wait(1.0))
    else:
        connector.says("bob", "Uno.", Wait(1.0))
        connector.says("bob", "Slow", Forever())
        connector.says("bob", "Due.", Wait(1.0))
    async with a_theatre(connector, log) as theatre:
        theatre.start(Panel(), a_script(Panel(), SEATS, brief={"rounds": 3}))
        await until(lambda: connector.asked("bob") == 1)
        await theatre.interject(SteerInput("first"))
        if moment == "after the boundary":
            await until(lambda: connector.asked("bob") == 2)
            await theatre.interject(SteerInput("second"))
        await until(lambda: "a/2/answer" in log.replies() or moment == "before the boundary")
    before = {model: lines(connector, model) for model in ("ada", "bob")}
    async with a_theatre(connector, log) as theatre:
        live = theatre.start(Panel(), await log.read("turn"))
        assert [said.input for said in live.inbox.interjections][:1] == [SteerInput("first")]
        events = await heard(live.follow())
    assert kinds(events)[-1] == "turn.completed"
    later = {model: lines(connector, model) for model in ("ada", "bob")}
    if moment == "before the boundary":
        assert later["bob"][:2] == [before["bob"][0]] * 2, "what was in flight is asked again, as it was"
        assert later["ada"][0] == "Round 1. Hello [] ()"
        assert later["ada"][1].endswith("(first)")
        assert later["ada"][2].endswith("()")
    else:
        assert later["bob"][1] == later["bob"][2] == "Round 2. Hello [a: One. | b: Uno.] (first)"
        assert later["ada"][2].endswith("(second)")
    assert connector.asked("ada") == 3, "no finished reply is asked again"
    expected = [2] if moment == "before the boundary" else [2, 3]
    assert [number for _, number in await shown(log)] == expected


@on_virtual_time
async def test_a_retry_hears_the_same_in_the_same_round_and_later_words_in_a_later_one() -> None:
    async with a_theatre() as theatre:
        log = theatre.log
        theatre.connector.says("ada", "One.", Wait(1.0))
        theatre.connector.says("bob", "Uno.")
        theatre.connector.says("bob", Wait(1.0), Rejected("no"))
        theatre.connector.says("bob", "Due.")
        theatre.connector.says("judge", Wait(1.0), "Sum.")
        live = theatre.start(Panel(), a_script(Panel(), SEATS))
        reading = following(live)
        await until(lambda: live.round == 1)
        await theatre.interject(SteerInput("early"))
        await until(lambda: live.round == 2)
        await theatre.interject(SteerInput("late"))
        await reading
        first = lines(theatre.connector, "bob")
        assert [number for _, number in await shown(log)] == [2, None]
        log.renew("turn")
        assert [number for _, number in await shown(log)] == [None, None], (
            "nothing was heard of this play yet"
        )
        events = await theatre.again(Panel())
        assert kinds(events)[-1] == "turn.completed"
        assert lines(theatre.connector, "bob") == [*first, first[1]], "the same words in the same round"
        assert [number for _, number in await shown(log)] == [2, None]
        assert theatre.connector.asked("ada") == 2


@on_virtual_time
async def test_nobody_is_heard_once_the_turn_ends_and_what_was_taken_is_stored_before_its_end() -> None:
    async with a_theatre() as theatre:
        theatre.connector.says("judge", Wait(1.0), "Sum.")
        live = theatre.start(Panel(), a_script(Panel(), SEATS, brief={"rounds": 1}))
        assert not await theatre.interject(SteerInput("x"), "another turn")
        taken: list[bool] = []
        while not live.finished.is_set():
            taken.append(await theatre.interject(SteerInput("x")))
            await asyncio.sleep(0)
        assert not await theatre.interject(SteerInput("x"))
        logged = [entry.kind for entry in theatre.log.entries if isinstance(entry, EventLogged)]
        assert logged.count("input.added") == taken.count(True) == len(live.inbox.interjections)
        assert logged[-1] == "turn.completed"
        assert len(taken) > taken.count(True) - 1 > 1


@on_virtual_time
async def test_a_stopped_turn_keeps_what_was_said_and_hears_nothing_more() -> None:
    async with a_theatre() as theatre:
        theatre.connector.says("ada", "So", Forever())
        live = theatre.start(Panel(), a_script(Panel(), SEATS))
        await until(lambda: theatre.connector.asked("ada") == 1)
        assert await theatre.interject(SteerInput("kept"))
        stopping = asyncio.create_task(theatre.runner.stop("turn"))
        await asyncio.sleep(0)
        assert not await theatre.interject(SteerInput("not stored"))
        await stopping
        assert live.status == "stopped"
        assert await shown(theatre.log) == [("interjection-1", None)]


@on_virtual_time
async def test_the_same_words_sent_twice_are_taken_once() -> None:
    async with a_theatre() as theatre:
        theatre.connector.says("ada", Wait(1.0), "One.")
        live = theatre.start(Panel(), a_script(Panel(), SEATS))
        said = SteerInput("once")
        both = await asyncio.gather(*(theatre.interject(said, key="k") for _ in range(2)))
        assert both == [True, True]
        assert [each.id for each in live.inbox.interjections] == ["k"]
        assert await theatre.interject(said, key="k")
        await live.finished.wait()
        assert theatre.log.kinds().count("input.added") == 1


@on_virtual_time
async def test_what_could_not_be_stored_is_not_heard_and_may_be_said_again() -> None:
    async with a_theatre() as theatre:
        theatre.connector.says("ada", Wait(2.0), "One.")
        live = theatre.start(Panel(), a_script(Panel(), SEATS))
        await until(lambda: theatre.connector.asked("ada") == 1 and "a" in theatre.log.replies())
        theatre.log.refuse = EventLogged
        with pytest.raises(ValueError, match="cannot be stored"):
            await theatre.interject(SteerInput("again"), key="k")
        assert live.inbox.interjections == ()
        theatre.log.refuse = None
        assert await theatre.interject(SteerInput("again"), key="k")
        await live.finished.wait()
        assert await shown(theatre.log) == [("k", 2)]


@on_virtual_time
async def test_what_is_said_while_the_house_closes_is_heard_once_it_is_open_again() -> None:
    connector, log = CannedConnector(), MemoryLog()
    connector.says("ada", "So", Forever())
    connector.says("ada", "One.")
    async with a_theatre(connector, log) as theatre:
        live = theatre.start(Panel(), a_script(Panel(), SEATS))
        await until(lambda: connector.asked("ada") == 1)
        live.interrupted = True
        assert await theatre.interject(SteerInput("late"))
    async with a_theatre(connector, log) as theatre:
        await theatre.again(Panel())
    assert lines(connector, "ada")[-1].endswith("(late)")


class Listening(Mode[Brief]):
    """Two hidden sides speak twice, as they are asked by default."""

    name = "listening"
    title = "Listening"
    summary = "Blind, with rounds"
    brief = Brief
    seating = Seating(groups=(Group("left"), Group("right")), blind=True, paced=True)
    listens = frozenset({"steer", "ask"})

    async def play(self, stage: Stage, brief: Brief) -> None:
        for _ in stage.rounds(2):
            await stage.ask_all(stage.seats)


@on_virtual_time
async def test_who_is_asked_without_messages_hears_what_was_said_to_it() -> None:
    async with a_theatre() as theatre:
        theatre.connector.says("ada", "One.", Wait(1.0))
        live = theatre.start(Listening(), a_script(Listening(), {"left": "ada", "right": "bob"}))
        await until(lambda: theatre.connector.asked("ada") == 1)
        await theatre.interject(SteerInput("To both."))
        await theatre.interject(AskInput("right", "To one."))
        await live.finished.wait()
        assert theatre.connector.heard("ada") == ["user: Hello\n\nTo both."]
        assert theatre.connector.heard("bob") == ["user: Hello\n\nTo both.\n\nTo one."]


@on_virtual_time
async def test_in_a_blind_match_what_was_said_is_shown_and_nothing_that_depends_on_models() -> None:
    shows: list[Any] = []
    for slow in ("ada", "bob"):
        async with a_theatre() as theatre:
            for _ in range(2):
                theatre.connector.says(slow, "The same.", Wait(1.0))
                theatre.connector.says("bob" if slow == "ada" else "ada", "The same.", Wait(0.1))
            live = theatre.start(Listening(), a_script(Listening(), {"left": "ada", "right": "bob"}))
            feed = live.follow()
            await asyncio.sleep(0.5)
            await theatre.interject(SteerInput("be brief"))
            seen = live.snapshot().turn.interjections
            events = await heard(feed)
            added = [event for event in events if event["kind"] == "input.added"]
            shows.append((msgspec.to_builtins(seen), added))
    assert shows[0] == shows[1]
    assert shows[0][0][0]["input"] == {"type": "steer", "text": "be brief"}


@on_virtual_time
async def test_a_turn_that_goes_on_counts_its_rounds_on_and_knows_what_was_said() -> None:
    replies = tuple(
        EarlierReply(seat=seat, round=number, purpose="answer", text=f"{seat}{number}", status="completed")
        for number in (1, 2)
        for seat in ("a", "b")
    )
    earlier = EarlierTurn(index=0, input=PromptInput("Hello"), status="completed", replies=replies)
    script = msgspec.structs.replace(
        a_script(Panel(), SEATS, said=ContinueInput(), brief={"pause": "each_round"}), earlier=(earlier,)
    )
    async with a_theatre() as theatre:
        events = await theatre.play(Panel(), script)
        assert [event["round"] for event in events if event["kind"] == "round.started"] == [3]
        assert lines(theatre.connector, "ada") == ["Round 3. Hello [a: a2 | b: b2] ()"]
        assert theatre.connector.asked("judge") == 0
        assert {entry.text for entry in theatre.log.entries if isinstance(entry, ReplyEnded)} == {
            "An answer."
        }


@on_virtual_time
async def test_within_an_ensemble_nobody_answers_and_a_pause_has_no_effect() -> None:
    panel = a_model("panel", kind="ensemble")
    seats = tuple(
        Seat(f"s-{name}", name, name if name == "chair" else "member", model) for name, model in SEATS.items()
    )
    ensemble = Ensemble(mode="panel", brief={"pause": "each_round", "rounds": 2}, seats=seats)
    async with a_theatre(catalog=SmallCatalog([panel])) as theatre:
        ensembles = PlayedEnsembles(
            find=lambda _: ensemble,
            modes={"panel": Panel()},
            card=a_card,
            hub=theatre.hub,
            gateway=theatre.gateway,
            recorder=theatre.recorder,
            computing=theatre.runner.computing,
        )
        theatre.gateway.admit(ensembles)
        theatre.connector.says("judge", "The panel's word.")
        events = await theatre.play(Chat(), a_script(Chat(), {"assistant": "panel"}))
    assert kinds(events)[-1] == "turn.completed"
    assert theatre.connector.asked("ada") == 2
    assert theatre.log.replies()["assistant/0/answer"].text == "The panel's word."
