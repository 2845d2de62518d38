"""What a person says while a turn runs: read when a round begins, and whenever the turn is played again, just so."""

import asyncio
from typing import Any

import msgspec
import pytest

from parley.engine.clock import WallClock
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
from parley.testing import (
    CannedConnector,
    Forever,
    MemoryLog,
    SmallCatalog,
    Wait,
    heard,
    kinds,
    make_card,
    make_model,
    make_script,
    open_engine,
    until,
)
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
    async with open_engine() as engine:
        engine.connector.says("ada", "One.", Wait(1.0))
        engine.connector.says("ada", "Two.", Wait(1.0))
        engine.connector.says("judge", "In sum.", Wait(1.0))
        live = engine.start(Panel(), make_script(Panel(), SEATS))
        reading = following(live)
        await until(lambda: engine.connector.asked("ada") == 1)
        assert await engine.interject(SteerInput("be brief"))
        assert await engine.interject(AddInput("and kind"))
        await until(lambda: engine.connector.asked("judge") == 1)
        assert await engine.interject(SteerInput("too late for this turn"))
        events = await reading
        assert lines(engine.connector, "ada") == [
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
        assert await shown(engine.log) == [
            ("interjection-1", 2),
            ("interjection-2", 2),
            ("interjection-3", None),
        ]
        view = live.snapshot().turn
        assert [(said.id, said.round) for said in view.interjections] == await shown(engine.log)


@on_virtual_time
async def test_a_person_leaves_out_a_seat_asks_one_alone_and_ends_the_talk() -> None:
    async with open_engine() as engine:
        for model in ("ada", "bob"):
            engine.connector.says(model, "Said.", Wait(1.0))
        live = engine.start(Panel(), make_script(Panel(), SEATS, brief={"rounds": 9}))
        reading = following(live)
        for number, said in enumerate((SkipInput("b"), AskInput("b", "why?"), SynthesiseInput()), 1):
            await until(lambda number=number: live.round == number)
            await engine.interject(said)
        events = await reading
        notes = [event["note"]["data"]["asked"] for event in events if event["kind"] == "note.added"]
        assert notes == [["a", "b"], ["a"], ["b"], ["a", "b"]]
        assert lines(engine.connector, "bob")[1] == "Round 3. Hello [a: Said.] (why?)"
        assert engine.connector.asked("judge") == 1
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
    async with open_engine(connector, log) as engine:
        engine.start(Panel(), make_script(Panel(), SEATS, brief={"rounds": 3}))
        await until(lambda: connector.asked("bob") == 1)
        await engine.interject(SteerInput("first"))
        if moment == "after the boundary":
            await until(lambda: connector.asked("bob") == 2)
            await engine.interject(SteerInput("second"))
        await until(lambda: "a/2/answer" in log.replies() or moment == "before the boundary")
    before = {model: lines(connector, model) for model in ("ada", "bob")}
    async with open_engine(connector, log) as engine:
        live = engine.start(Panel(), await log.read("turn"))
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
    async with open_engine() as engine:
        log = engine.log
        engine.connector.says("ada", "One.", Wait(1.0))
        engine.connector.says("bob", "Uno.")
        engine.connector.says("bob", Wait(1.0), Rejected("no"))
        engine.connector.says("bob", "Due.")
        engine.connector.says("judge", Wait(1.0), "Sum.")
        live = engine.start(Panel(), make_script(Panel(), SEATS))
        reading = following(live)
        await until(lambda: live.round == 1)
        await engine.interject(SteerInput("early"))
        await until(lambda: live.round == 2)
        await engine.interject(SteerInput("late"))
        await reading
        first = lines(engine.connector, "bob")
        assert [number for _, number in await shown(log)] == [2, None]
        log.renew("turn")
        assert [number for _, number in await shown(log)] == [None, None], (
            "nothing was heard of this play yet"
        )
        events = await engine.resume(Panel())
        assert kinds(events)[-1] == "turn.completed"
        assert lines(engine.connector, "bob") == [*first, first[1]], "the same words in the same round"
        assert [number for _, number in await shown(log)] == [2, None]
        assert engine.connector.asked("ada") == 2


@on_virtual_time
async def test_nobody_is_heard_once_the_turn_ends_and_what_was_taken_is_stored_before_its_end() -> None:
    async with open_engine() as engine:
        engine.connector.says("judge", Wait(1.0), "Sum.")
        live = engine.start(Panel(), make_script(Panel(), SEATS, brief={"rounds": 1}))
        assert not await engine.interject(SteerInput("x"), "another turn")
        taken: list[bool] = []
        while not live.finished.is_set():
            taken.append(await engine.interject(SteerInput("x")))
            await asyncio.sleep(0)
        assert not await engine.interject(SteerInput("x"))
        logged = [entry.kind for entry in engine.log.entries if isinstance(entry, EventLogged)]
        assert logged.count("input.added") == taken.count(True) == len(live.inbox.interjections)
        assert logged[-1] == "turn.completed"
        assert len(taken) > taken.count(True) - 1 > 1


@on_virtual_time
async def test_a_stopped_turn_keeps_what_was_said_and_hears_nothing_more() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", "So", Forever())
        live = engine.start(Panel(), make_script(Panel(), SEATS))
        await until(lambda: engine.connector.asked("ada") == 1)
        assert await engine.interject(SteerInput("kept"))
        stopping = asyncio.create_task(engine.runner.stop("turn"))
        await asyncio.sleep(0)
        assert not await engine.interject(SteerInput("not stored"))
        await stopping
        assert live.status == "stopped"
        assert await shown(engine.log) == [("interjection-1", None)]


@on_virtual_time
async def test_the_same_words_sent_twice_are_taken_once() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", Wait(1.0), "One.")
        live = engine.start(Panel(), make_script(Panel(), SEATS))
        said = SteerInput("once")
        both = await asyncio.gather(*(engine.interject(said, key="k") for _ in range(2)))
        assert both == [True, True]
        assert [each.id for each in live.inbox.interjections] == ["k"]
        assert await engine.interject(said, key="k")
        await live.finished.wait()
        assert engine.log.kinds().count("input.added") == 1


@on_virtual_time
async def test_what_could_not_be_stored_is_not_heard_and_may_be_said_again() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", Wait(2.0), "One.")
        live = engine.start(Panel(), make_script(Panel(), SEATS))
        await until(lambda: engine.connector.asked("ada") == 1 and "a" in engine.log.replies())
        engine.log.refuse = EventLogged
        with pytest.raises(ValueError, match="cannot be stored"):
            await engine.interject(SteerInput("again"), key="k")
        assert live.inbox.interjections == ()
        engine.log.refuse = None
        assert await engine.interject(SteerInput("again"), key="k")
        await live.finished.wait()
        assert await shown(engine.log) == [("k", 2)]


@on_virtual_time
async def test_what_is_said_while_the_server_closes_is_heard_once_it_is_open_again() -> None:
    connector, log = CannedConnector(), MemoryLog()
    connector.says("ada", "So", Forever())
    connector.says("ada", "One.")
    async with open_engine(connector, log) as engine:
        live = engine.start(Panel(), make_script(Panel(), SEATS))
        await until(lambda: connector.asked("ada") == 1)
        live.interrupted = True
        assert await engine.interject(SteerInput("late"))
    async with open_engine(connector, log) as engine:
        await engine.resume(Panel())
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
    async with open_engine() as engine:
        engine.connector.says("ada", "One.", Wait(1.0))
        live = engine.start(Listening(), make_script(Listening(), {"left": "ada", "right": "bob"}))
        await until(lambda: engine.connector.asked("ada") == 1)
        await engine.interject(SteerInput("To both."))
        await engine.interject(AskInput("right", "To one."))
        await live.finished.wait()
        assert engine.connector.heard("ada") == ["user: Hello\n\nTo both."]
        assert engine.connector.heard("bob") == ["user: Hello\n\nTo both.\n\nTo one."]


@on_virtual_time
async def test_in_a_blind_match_what_was_said_is_shown_and_nothing_that_depends_on_models() -> None:
    shows: list[Any] = []
    for slow in ("ada", "bob"):
        async with open_engine() as engine:
            for _ in range(2):
                engine.connector.says(slow, "The same.", Wait(1.0))
                engine.connector.says("bob" if slow == "ada" else "ada", "The same.", Wait(0.1))
            live = engine.start(Listening(), make_script(Listening(), {"left": "ada", "right": "bob"}))
            feed = live.follow()
            await asyncio.sleep(0.5)
            await engine.interject(SteerInput("be brief"))
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
        make_script(Panel(), SEATS, turn_input=ContinueInput(), brief={"pause": "each_round"}),
        earlier=(earlier,),
    )
    async with open_engine() as engine:
        events = await engine.play(Panel(), script)
        assert [event["round"] for event in events if event["kind"] == "round.started"] == [3]
        assert lines(engine.connector, "ada") == ["Round 3. Hello [a: a2 | b: b2] ()"]
        assert engine.connector.asked("judge") == 0
        assert {entry.text for entry in engine.log.entries if isinstance(entry, ReplyEnded)} == {"An answer."}


@on_virtual_time
async def test_within_an_ensemble_nobody_answers_and_a_pause_has_no_effect() -> None:
    panel = make_model("panel", kind="ensemble")
    seats = tuple(
        Seat(f"s-{name}", name, name if name == "chair" else "member", model) for name, model in SEATS.items()
    )
    ensemble = Ensemble(mode="panel", brief={"pause": "each_round", "rounds": 2}, seats=seats)
    async with open_engine(catalog=SmallCatalog([panel])) as engine:
        ensembles = PlayedEnsembles(
            find=lambda _: ensemble,
            modes={"panel": Panel()},
            card=make_card,
            hub=engine.hub,
            recorder=engine.recorder,
            open_stage=engine.runner.open_stage,
            clock=WallClock(),
        )
        engine.gateway.admit(ensembles)
        engine.connector.says("judge", "The panel's word.")
        events = await engine.play(Chat(), make_script(Chat(), {"assistant": "panel"}))
    assert kinds(events)[-1] == "turn.completed"
    assert engine.connector.asked("ada") == 2
    assert engine.log.replies()["assistant/0/answer"].text == "The panel's word."
