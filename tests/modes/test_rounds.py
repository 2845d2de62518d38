"""A mode with members, an arbiter, rounds and notes: the kernel can carry it, and a crash in the middle too."""

from collections.abc import Sequence

import pytest

from parley.kernel.errors import Rejected
from parley.kernel.messages import Message
from parley.kernel.mode import Brief, Mode, Reply, Stage
from parley.kernel.seats import Seating
from tests.fakes.canned import CannedConnector, Forever, a_script, a_theatre, kinds, texts, until
from tests.fakes.memory_log import MemoryLog
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
    seating = Seating(roles=("arbiter",), members=(2, 4))

    async def play(self, stage: Stage, brief: CouncilBrief) -> None:
        verdict = ""
        (arbiter,) = stage.role("arbiter")
        for number in stage.rounds(brief.rounds):
            asking = [Message("user", f"{stage.prompt} {number} {verdict}")]
            answers = await stage.ask_all(stage.role("member"), lambda _, said=asking: said)
            order = stage.random(f"order:{number}").sample(range(len(answers)), len(answers))
            length = await stage.compute(_total_length, answers)
            told = " | ".join(answers[index].text for index in order)
            judged = await stage.ask(arbiter, [Message("user", told)], purpose="judge")
            verdict = judged.text
            stage.announce("council.verdict/1", {"text": verdict, "length": length})
            if "settled" in verdict:
                break


def _total_length(answers: Sequence[Reply]) -> int:
    return sum(len(answer.text) for answer in answers)


@on_virtual_time
async def test_rounds_members_notes_and_computing_are_carried() -> None:
    async with a_theatre() as theatre:
        theatre.connector.says("judge", "not yet")
        theatre.connector.says("judge", "settled")
        theatre.connector.says("ada", "one")
        theatre.connector.says("bob", Rejected("no"))
        theatre.connector.says("bob", "two")
        events = await theatre.play(Council(), a_script(Council(), SEATS, brief={"rounds": 5}))
    assert kinds(events)[-1] == "turn.completed"
    assert [event["round"] for event in events if event["kind"] == "round.started"] == [1, 2]
    notes = [event["note"] for event in events if event["kind"] == "note.added"]
    assert [(note["name"], note["round"], note["data"]) for note in notes] == [
        ("council.verdict/1", 1, {"text": "not yet", "length": 3}),
        ("council.verdict/1", 2, {"text": "settled", "length": 6}),
    ]
    assert theatre.connector.heard("ada") == ["user: Hello 2 not yet"]
    assert theatre.log.replies()["b/1/answer"].status == "failed", "one failing seat does not end the scene"
    assert set(theatre.log.replies()) == {
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
    async with a_theatre(connector, log) as theatre:
        theatre.start(Council(), a_script(Council(), SEATS))
        await until(lambda: connector.asked("bob") == 2 and "a/2/answer" in log.replies())
        await until(lambda: log.replies()["a/2/answer"].status == "completed")
    assert log.ended("turn") is None
    assert await log.unfinished() == ["turn"]
    asked = {model: connector.asked(model) for model in ("ada", "bob", "judge")}
    assert asked == {"ada": 2, "bob": 2, "judge": 1}

    async with a_theatre(connector, log) as theatre:
        events = await theatre.again(Council())
    assert {model: connector.asked(model) for model in asked} == {"ada": 2, "bob": 3, "judge": 2}
    assert kinds(events)[-1] == "turn.completed"
    assert texts(events) == {"a": "An answer.", "b": "second", "arbiter": "settled"}
    assert log.kinds().count("note.added") == 2
    snapshot_notes = [note["round"] for note in events[0]["turn"]["notes"]]
    assert snapshot_notes == [1], "what was noted before the crash is shown at once"
    assert [event["note"]["round"] for event in events if event["kind"] == "note.added"] == [2]


@on_virtual_time
async def test_after_a_retry_later_steps_may_hear_what_has_changed() -> None:
    async with a_theatre() as theatre:
        theatre.connector.says("ada", "good")
        theatre.connector.says("bob", Rejected("no"))
        theatre.connector.says("bob", "better")
        theatre.connector.says("judge", "one is missing")
        theatre.connector.says("judge", "settled")
        script = a_script(Council(), SEATS, brief={"rounds": 1})
        await theatre.play(Council(), script)
        events = await theatre.again(Council())
        assert kinds(events)[-1] == "turn.completed"
        assert theatre.connector.asked("ada") == 1
        assert theatre.connector.asked("bob") == 2
        assert texts(events)["arbiter"] == "settled"
        assert theatre.log.replies()["arbiter"].attempt == 2
        again = await theatre.again(Council())
        assert kinds(again)[-1] == "turn.completed"
        assert theatre.connector.asked("judge") == 2, "the new fingerprint was stored"


class Repeating(Council):
    """Asks the same step twice."""

    async def play(self, stage: Stage, brief: CouncilBrief) -> None:
        await stage.ask(stage.seats[0])
        await stage.ask(stage.seats[0])


@on_virtual_time
async def test_asking_the_same_step_twice_is_a_bug() -> None:
    async with a_theatre() as theatre:
        events = await theatre.play(Repeating(), a_script(Council(), SEATS))
    assert events[-1]["error"]["code"] == "mode_broken"
    assert theatre.connector.asked("judge") == 1


class Forgetful(Council):
    """Says something else each time it is played."""

    plays = 0

    async def play(self, stage: Stage, brief: CouncilBrief) -> None:
        Forgetful.plays += 1
        await stage.ask(stage.seats[0], [Message("user", f"play {Forgetful.plays}")])


@on_virtual_time
async def test_other_messages_at_replay_are_an_error() -> None:
    async with a_theatre() as theatre:
        await theatre.play(Forgetful(), a_script(Council(), SEATS))
        events = await theatre.again(Forgetful())
    assert events[-1]["error"]["code"] == "mode_broken"
    assert theatre.connector.asked("judge") == 1


class Drawing(Council):
    """Notes what it draws."""

    async def play(self, stage: Stage, brief: CouncilBrief) -> None:
        for number in stage.rounds(2):
            stage.announce("draw/1", [stage.random("x").random(), stage.random(f"y{number}").random()])
            stage.announce("draw/1", "never told: it has the same key")
            stage.announce("draw/1", "told: it has another key", key="other")


@on_virtual_time
async def test_randomness_is_the_turn_s_and_a_note_is_told_once() -> None:
    async with a_theatre() as theatre:
        first = await theatre.play(Drawing(), a_script(Council(), SEATS))
        other = await theatre.play(Drawing(), a_script(Council(), SEATS, turn_id="other"))
    async with a_theatre() as theatre:
        same = await theatre.play(Drawing(), a_script(Council(), SEATS))
    drawn = [[event["note"] for event in events if event["kind"] == "note.added"] for events in (first, same)]
    assert drawn[0] == drawn[1]
    assert [note["key"] for note in drawn[0]] == ["", "other", "", "other"]
    assert drawn[0][0]["data"] != next(e["note"]["data"] for e in other if e["kind"] == "note.added")


class Unspeakable(Council):
    """Announces what no JSON can hold."""

    async def play(self, stage: Stage, brief: CouncilBrief) -> None:
        stage.announce("bad/1", object())


@on_virtual_time
async def test_a_note_that_cannot_be_told_fails_the_turn_and_nothing_else() -> None:
    async with a_theatre() as theatre:
        live = theatre.start(Unspeakable(), a_script(Council(), SEATS))
        await until(live.finished.is_set)
        assert live.status == "failed"
        assert live.snapshot().turn.notes == ()


def test_a_brief_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="extra"):
        CouncilBrief.model_validate({"rounds": 1, "colour": "blue"})
