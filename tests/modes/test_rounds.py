"""A mode with members, an arbiter, rounds and notes: the kernel can carry it, and a crash in the middle too."""

from collections.abc import Sequence
from typing import Any

import pytest

from parley.kernel.errors import Rejected
from parley.kernel.messages import Message
from parley.kernel.mode import Brief, Mode, Reply, Stage
from parley.kernel.ports import ReplyEnded
from parley.kernel.seats import Group, Seating
from parley.testing import CannedConnector, Forever, MemoryLog, Wait, kinds, make_script, open_engine, until
from tests.fakes.deltas import texts
from tests.fakes.virtual_loop import on_virtual_time

SEATS = {"arbiter": "judge", "a": "ada", "b": "bob"}


class CouncilBrief(Brief):
    """How long a council sits."""

    rounds: int = 2


class Council(Mode[CouncilBrief]):
    """Members answer, an arbiter judges, and so on until it is content."""

    name = "council"
    title = "Council"
    summary = "Members answer, an arbiter judges"
    brief = CouncilBrief
    seating = Seating(groups=(Group("arbiter"), Group("member", 2, 4)))

    async def play(self, stage: Stage, brief: CouncilBrief) -> None:
        verdict = ""
        (arbiter,) = stage.role("arbiter")
        for number in stage.rounds(brief.rounds):
            asking = [Message("user", f"{stage.prompt} {number} {verdict}")]
            answers = await stage.ask_all(stage.role("member"), lambda _, said=asking: said)
            order = stage.random("order").sample(range(len(answers)), len(answers))
            length = await stage.compute(_total_length, answers)
            joined = " | ".join(answers[index].text for index in order)
            judged = await stage.ask(arbiter, [Message("user", joined)], purpose="judge")
            verdict = judged.text
            stage.announce("council.verdict/1", {"text": verdict, "length": length})
            if "settled" in verdict:
                break


def _total_length(answers: Sequence[Reply]) -> int:
    return sum(len(answer.text) for answer in answers)


@on_virtual_time
async def test_rounds_members_notes_and_computing_are_carried() -> None:
    async with open_engine() as engine:
        engine.connector.says("judge", "not yet")
        engine.connector.says("judge", "settled")
        engine.connector.says("ada", "one")
        engine.connector.says("bob", Rejected("no"))
        engine.connector.says("bob", "two")
        events = await engine.play(Council(), make_script(Council(), SEATS, brief={"rounds": 5}))
    assert kinds(events)[-1] == "turn.completed"
    assert [event["round"] for event in events if event["kind"] == "round.started"] == [1, 2]
    notes = [event["note"] for event in events if event["kind"] == "note.added"]
    assert [(note["name"], note["round"], note["data"]) for note in notes] == [
        ("council.verdict/1", 1, {"text": "not yet", "length": 3}),
        ("council.verdict/1", 2, {"text": "settled", "length": 6}),
    ]
    assert engine.connector.heard("ada") == ["user: Hello 2 not yet"]
    assert engine.log.replies()["b/1/answer"].status == "failed", "one failing seat does not end the scene"
    assert set(engine.log.replies()) == {
        f"{seat}/{number}/{purpose}"
        for number in (1, 2)
        for seat, purpose in (("a", "answer"), ("b", "answer"), ("arbiter", "judge"))
    }


@on_virtual_time
async def test_a_crash_in_round_two_pays_nothing_twice_and_repeats_no_note() -> None:
    connector, log = CannedConnector(), MemoryLog()
    connector.says("judge", "not yet")
    connector.says("judge", "settled")
    connector.says("bob", "first")
    connector.says("bob", "se", Forever())
    connector.says("bob", "second")
    async with open_engine(connector, log) as engine:
        engine.start(Council(), make_script(Council(), SEATS))
        await until(lambda: connector.asked("bob") == 2 and "a/2/answer" in log.replies())
        await until(lambda: log.replies()["a/2/answer"].status == "completed")
    assert log.ended("turn") is None
    assert await log.unfinished() == ["turn"]
    asked = {model: connector.asked(model) for model in ("ada", "bob", "judge")}
    assert asked == {"ada": 2, "bob": 2, "judge": 1}

    async with open_engine(connector, log) as engine:
        events = await engine.resume(Council())
    assert {model: connector.asked(model) for model in asked} == {"ada": 2, "bob": 3, "judge": 2}
    assert kinds(events)[-1] == "turn.completed"
    assert texts(events) == {"a": "An answer.", "b": "second", "arbiter": "settled"}
    assert log.kinds().count("note.added") == 2
    snapshot_notes = [note["round"] for note in events[0]["turn"]["notes"]]
    assert snapshot_notes == [1], "what was noted before the crash is shown at once"
    assert [event["note"]["round"] for event in events if event["kind"] == "note.added"] == [2]


@on_virtual_time
async def test_after_a_retry_later_steps_may_hear_what_has_changed() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", "good")
        engine.connector.says("bob", Rejected("no"))
        engine.connector.says("bob", "better")
        engine.connector.says("judge", "one is missing")
        engine.connector.says("judge", "settled")
        script = make_script(Council(), SEATS, brief={"rounds": 1})
        await engine.play(Council(), script)
        events = await engine.retry(Council())
        assert kinds(events)[-1] == "turn.completed"
        assert engine.connector.asked("ada") == 1
        assert engine.connector.asked("bob") == 2
        assert texts(events)["arbiter"] == "settled"
        assert engine.log.replies()["arbiter"].attempt == 2
        again = await engine.resume(Council())
        assert kinds(again)[-1] == "turn.completed"
        assert engine.connector.asked("judge") == 2, "the new fingerprint was stored"


def noted(events: list[dict[str, Any]]) -> list[tuple[int, str]]:
    notes = [event["note"] for event in events if event["kind"] == "note.added"]
    return [(note["round"], note["data"]["text"]) for note in notes]


@on_virtual_time
async def test_a_failure_is_part_of_the_scene_a_crash_does_not_ask_it_again_but_the_person_may() -> None:
    connector, log = CannedConnector(), MemoryLog()
    connector.says("bob", Rejected("no"))
    connector.says("bob", "back again")
    connector.says("judge", "Half a ver", Forever())
    connector.says("judge", "not yet")
    connector.says("judge", "settled")
    async with open_engine(connector, log) as engine:
        engine.start(Council(), make_script(Council(), SEATS))
        await until(lambda: connector.asked("judge") == 1)
    async with open_engine(connector, log) as engine:
        events = await engine.resume(Council())
        assert kinds(events)[-1] == "turn.completed"
        assert connector.asked("bob") == 2, "once in each round"
        failed = [event for event in events if event["kind"] == "reply.failed"]
        assert [(event["attempt"], event["error"]["title"]) for event in failed] == [(1, "no")]
        assert log.replies()["b/1/answer"].status == "failed"
        await engine.retry(Council())
    assert log.replies()["b"].text == "back again"


@on_virtual_time
async def test_after_a_retry_nothing_of_before_is_left() -> None:
    """The failed seat answers now, the arbiter is content at once: notes and replies of round two are gone."""
    async with open_engine() as engine:
        engine.connector.says("bob", Rejected("no"))
        engine.connector.says("bob", "here")
        engine.connector.says("judge", "one is missing")
        engine.connector.says("judge", "settled, nearly")
        engine.connector.says("judge", "settled")
        first = await engine.play(Council(), make_script(Council(), SEATS))
        assert noted(first) == [(1, "one is missing"), (2, "settled, nearly")]
        second = await engine.retry(Council())
        assert second[0]["turn"]["notes"] == []
        assert noted(second) == [(1, "settled")]
        assert {step.round for step in engine.log.replies().values()} == {1}
        read = await engine.log.read("turn")
        assert [note.data for note in read.notes] == [{"text": "settled", "length": 14}]
        assert not any(step.stale for step in read.steps if step.seat != "a")


@on_virtual_time
async def test_a_crash_of_a_retry_may_leave_later_rounds_that_heard_something_else() -> None:
    connector, log = CannedConnector(), MemoryLog()
    connector.says("bob", Rejected("no"))
    for answer in ("here", "there", "everywhere"):
        connector.says("bob", answer)
    for verdict in ("one is missing", "settled", "not quite", "settled at last"):
        connector.says("judge", verdict)
    async with open_engine(connector, log) as engine:
        await engine.play(Council(), make_script(Council(), SEATS))
        await engine.retry(Council())
    said = [isinstance(entry, ReplyEnded) and entry.text == "not quite" for entry in log.entries]
    log.transactions = [log.entries[: said.index(True) + 1]]  # just before round two is asked again
    assert log.ended("turn") is None
    async with open_engine(connector, log) as engine:
        events = await engine.resume(Council())
    assert kinds(events)[-1] == "turn.completed"
    assert texts(events)["arbiter"] == "settled at last"


@on_virtual_time
async def test_a_reply_with_nul_in_it_reads_the_same_when_it_comes_from_the_record() -> None:
    connector, log = CannedConnector(), MemoryLog()
    connector.says("judge", "not\x00yet")
    connector.says("judge", "Half", Forever())
    connector.says("judge", "settled")
    async with open_engine(connector, log) as engine:
        engine.start(Council(), make_script(Council(), SEATS))
        await until(lambda: connector.asked("judge") == 2)
    assert connector.heard("ada") == ["user: Hello 2 not\ufffdyet"]


class Curious(Council):
    """Tells who sits there, what it was told when, and what its seats' conversations keep."""

    async def play(self, stage: Stage, brief: CouncilBrief) -> None:
        cards = [stage.card(seat) for seat in stage.seats]
        stage.announce("cards/1", [card.id if card else None for card in cards])
        order: list[str] = []
        replies = await stage.ask_all(stage.seats, then=lambda reply: order.append(reply.seat.name))
        stage.announce("order/1", {"ended": order, "seats": [reply.seat.name for reply in replies]})
        stage.announce("begun/1", stage.begun_at)


class CuriousInTheDark(Curious):
    """The same, blind."""

    seating = Seating(groups=(Group("left"), Group("right")), blind=True)


@on_virtual_time
async def test_a_mode_knows_open_cards_and_hears_each_reply_as_it_ends() -> None:
    async with open_engine() as engine:
        engine.connector.says("judge", "Slow", Wait(3.0))
        engine.connector.says("ada", "Slower", Wait(5.0))
        events = await engine.play(Curious(), make_script(Council(), SEATS))
    notes = {
        event["note"]["name"]: event["note"]["data"] for event in events if event["kind"] == "note.added"
    }
    assert notes["cards/1"] == ["judge", "ada", "bob"]
    assert notes["order/1"] == {"ended": ["b", "arbiter", "a"], "seats": ["arbiter", "a", "b"]}
    assert notes["begun/1"] == "2026-01-01T00:00:00+00:00"


@on_virtual_time
async def test_a_blind_match_shows_its_mode_no_card() -> None:
    async with open_engine() as engine:
        dark = CuriousInTheDark()
        live = engine.start(dark, make_script(dark, {"left": "ada", "right": "bob"}))
        await until(live.finished.is_set)
        assert live.notes[0].data == [None, None]


def test_a_mode_that_says_nothing_of_its_calls_asks_each_seat_once() -> None:
    seats = make_script(Council(), SEATS).seats
    calls = Council().outline(CouncilBrief(), seats).calls
    assert [(each.seat, each.least, each.most) for each in calls] == [
        ("arbiter", 1, 1),
        ("a", 1, 1),
        ("b", 1, 1),
    ]


class Repeating(Council):
    """Asks the same step twice."""

    async def play(self, stage: Stage, brief: CouncilBrief) -> None:
        await stage.ask(stage.seats[0])
        await stage.ask(stage.seats[0])


@on_virtual_time
async def test_asking_the_same_step_twice_is_a_bug() -> None:
    async with open_engine() as engine:
        events = await engine.play(Repeating(), make_script(Council(), SEATS))
    assert events[-1]["error"]["code"] == "mode_broken"
    assert engine.connector.asked("judge") == 1


class Forgetful(Council):
    """Says something else each time it is played."""

    plays = 0

    async def play(self, stage: Stage, brief: CouncilBrief) -> None:
        Forgetful.plays += 1
        await stage.ask(stage.seats[0], [Message("user", f"play {Forgetful.plays}")])


@on_virtual_time
async def test_other_messages_at_replay_are_an_error() -> None:
    async with open_engine() as engine:
        await engine.play(Forgetful(), make_script(Council(), SEATS))
        events = await engine.resume(Forgetful())
    assert events[-1]["error"]["code"] == "mode_broken"
    assert engine.connector.asked("judge") == 1


class Drawing(Council):
    """Notes what it draws."""

    async def play(self, stage: Stage, brief: CouncilBrief) -> None:
        for _ in stage.rounds(2):
            stage.announce("draw/1", [stage.random("x").random(), stage.random("y").random()])
            stage.announce("draw/1", "told: it has another key", key="other")


@on_virtual_time
async def test_randomness_is_the_turn_s_and_a_note_is_announced_once() -> None:
    async with open_engine() as engine:
        first = await engine.play(Drawing(), make_script(Council(), SEATS))
        other = await engine.play(Drawing(), make_script(Council(), SEATS, turn_id="other"))
    async with open_engine() as engine:
        same = await engine.play(Drawing(), make_script(Council(), SEATS))
    drawn = [[event["note"] for event in events if event["kind"] == "note.added"] for events in (first, same)]
    assert drawn[0] == drawn[1]
    assert [note["key"] for note in drawn[0]] == ["", "other", "", "other"]
    assert drawn[0][0]["data"] != drawn[0][2]["data"], "every round draws anew"
    assert drawn[0][0]["data"] != next(e["note"]["data"] for e in other if e["kind"] == "note.added")


class Announcing(Council):
    """Says the same note twice in one round."""

    async def play(self, stage: Stage, brief: CouncilBrief) -> None:
        await stage.ask(stage.seats[0])
        for _ in stage.rounds(2):
            stage.announce("said/1", "once")
        stage.announce("said/1", "twice")


@on_virtual_time
async def test_announcing_the_same_note_twice_in_one_play_is_a_bug() -> None:
    async with open_engine() as engine:
        events = await engine.play(Announcing(), make_script(Council(), SEATS))
        assert events[-1]["error"]["code"] == "mode_broken"
        assert [event["note"]["round"] for event in events if event["kind"] == "note.added"] == [1, 2]
        again = await engine.resume(Announcing())
    assert again[-1]["error"]["code"] == "mode_broken", "of what an earlier play stored nothing is said twice"
    assert engine.log.kinds().count("note.added") == 2


class Unspeakable(Council):
    """Announces what no JSON can hold."""

    async def play(self, stage: Stage, brief: CouncilBrief) -> None:
        stage.announce("bad/1", object())


@on_virtual_time
async def test_a_note_that_cannot_be_sent_fails_the_turn_and_nothing_else() -> None:
    async with open_engine() as engine:
        live = engine.start(Unspeakable(), make_script(Council(), SEATS))
        await until(live.finished.is_set)
        assert live.status == "failed"
        assert live.snapshot().turn.notes == ()


def test_a_brief_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="extra"):
        CouncilBrief.model_validate({"rounds": 1, "colour": "blue"})
