"""Tests of the pictures and files of replies: from a model's chunk to the events, the record and the next question."""

from typing import Any

import pytest

from parley.kernel.connector import Made
from parley.kernel.errors import Invalid, Unavailable
from parley.kernel.history import EarlierTurn
from parley.kernel.messages import ImagePart, Message, TextPart
from parley.kernel.models import Capability
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.modes.compare import Compare
from parley.testing import (
    CannedEngine,
    Forever,
    SmallCatalog,
    Wait,
    heard,
    make_model,
    make_script,
    open_engine,
    until,
)
from tests.fakes.virtual_loop import on_virtual_time

CAT = Made(b"a cat")
SCRIPT = make_script(Chat(), {"assistant": "ada"}, prompt="Draw a cat.")


def added(events: list[dict[str, Any]]) -> list[tuple[int, int, str]]:
    """The parts that a stream announced: index, offset, name."""
    found = [event for event in events if event["kind"] == "part.added"]
    return [(event["index"], event["part"]["offset"], event["part"]["attached"]["name"]) for event in found]


@on_virtual_time
async def test_a_picture_stands_where_the_model_made_it_in_events_and_in_the_record() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", "Look: ", CAT, "a cat.", Made(b"a,b", "cats.csv"))
        events = await engine.play(Chat(), SCRIPT)
    assert added(events) == [(0, 6, "picture.png"), (1, 12, "cats.csv")]
    kinds = [event["kind"] for event in events]
    assert kinds.index("part.added") < kinds.index("reply.completed")
    (ended,) = (event for event in events if event["kind"] == "reply.completed")
    assert [part["offset"] for part in ended["parts"]] == [6, 12]
    step = engine.log.replies()["assistant"]
    assert (step.text, [part.attached.name for part in step.parts]) == (
        "Look: a cat.",
        ["picture.png", "cats.csv"],
    )
    assert step.metrics is not None
    assert step.metrics.output_tokens == 4, "as the provider counted them"


@on_virtual_time
async def test_a_picture_without_a_word_is_a_complete_reply() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", CAT)
        await engine.play(Chat(), SCRIPT)
    step = engine.log.replies()["assistant"]
    assert (step.status, step.text, len(step.parts)) == ("completed", "", 1)


@on_virtual_time
async def test_who_comes_late_or_plays_again_sees_the_parts_so_far_once() -> None:
    async with open_engine() as engine:
        script = make_script(Compare(), {"a": "ada", "b": "bob"})
        engine.connector.says("ada", CAT, "A cat.")
        engine.connector.says("bob", "A ", CAT, Forever())
        live = engine.start(Compare(), script)
        await until(lambda: len(live.replies) == 2 and all(each.parts for each in live.replies.values()))
        parts = [len(reply.parts) for reply in live.snapshot().turn.replies]
        await engine.recorder.commit()
    assert parts == [1, 1]
    async with open_engine(log=engine.log) as again:
        again.connector.says("bob", "A dog.")
        events = await again.resume(Compare())
    assert added(events) == [(0, 0, "picture.png")], "that of the reply that had ended"
    replies = again.log.replies()
    assert ([len(replies[seat].parts) for seat in "ab"], again.connector.asked("ada")) == ([1, 0], 0)


@pytest.mark.parametrize(
    ("cause", "code", "said"),
    [
        (Invalid("file", "It is larger than 20 MB."), "upstream_unusable_file", "It is larger than 20 MB."),
        (Unavailable("The disk is full.", code="disk_full"), "disk_full", ""),
    ],
)
def test_a_picture_that_cannot_be_stored_fails_the_reply_and_keeps_its_text(
    cause: Exception, code: str, said: str
) -> None:
    @on_virtual_time
    async def whole() -> None:
        async with open_engine() as engine:
            engine.connector.says("ada", "Look: ", CAT, "never read")
            engine.blobs.broken = cause
            await engine.play(Chat(), SCRIPT)
        step = engine.log.replies()["assistant"]
        assert (step.status, step.text, step.parts) == ("failed", "Look: ", ())
        assert step.error is not None
        assert step.error.code == code
        assert said in (step.error.detail or "")

    whole()


@on_virtual_time
async def test_a_reply_with_too_many_pictures_fails_and_keeps_the_others() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", *(Made(bytes([number])) for number in range(17)))
        await engine.play(Chat(), SCRIPT)
    step = engine.log.replies()["assistant"]
    assert (step.status, len(step.parts)) == ("failed", 16)


@on_virtual_time
async def test_a_stopped_reply_keeps_its_pictures() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", "Look: ", CAT, Forever())
        live = engine.start(Chat(), SCRIPT)
        await until(lambda: any(reply.parts for reply in live.replies.values()))
        await engine.runner.stop("turn")
    step = engine.log.replies()["assistant"]
    assert (step.status, step.text, len(step.parts)) == ("stopped", "Look: ", 1)


@on_virtual_time
async def test_a_blind_viewer_sees_a_picture_once_the_cursor_has_passed_it() -> None:
    script = make_script(Battle(), {"left": "ada", "right": "bob"})
    async with open_engine() as engine:
        engine.connector.says("ada", Made(b"early", "ada-picture.png"), "A" * 400)
        engine.connector.says("bob", Wait(5.0), "B" * 200, CAT, "B" * 200)
        live = engine.start(Battle(), script)
        await until(lambda: any(reply.parts for reply in live.replies.values()))
        feed = live.follow()
        assert [reply.parts for reply in live.snapshot().turn.replies] == [(), ()]
        events = await heard(feed)
    shown = {event["reply_id"]: 0 for event in events if event["kind"] == "reply.started"}
    shown |= {reply["id"]: 0 for reply in events[0]["turn"]["replies"]}
    assert len(added(events)) == 2
    for event in events:
        if event["kind"] == "reply.delta":
            shown[event["reply_id"]] = event["end"]
        if event["kind"] == "part.added":
            assert event["part"]["offset"] < max(shown.values())
            assert event["part"]["attached"]["name"] == "picture.png", "its own may name the model"
            assert event["attempt"] == 1


@on_virtual_time
async def test_pictures_at_the_end_of_a_blind_turn_are_shown_with_its_end() -> None:
    script = make_script(Battle(), {"left": "ada", "right": "bob"})
    async with open_engine() as engine:
        engine.connector.says("ada", CAT)
        engine.connector.says("bob", "Here it is: ", Made(b"a dog"))
        events = await engine.play(Battle(), script)
    ends = [event for event in events if event["kind"] == "reply.completed"]
    assert [len(event["parts"]) for event in ends] == [1, 1]


async def asked_after_a_picture(engine: CannedEngine) -> tuple[Message, ...]:
    """Let a seat draw, ask it again, and return the messages that its model gets."""
    engine.connector.says("ada", "Look: ", CAT, "a cat.")
    engine.connector.says("ada", "Blue.")
    await engine.play(Chat(), SCRIPT)
    earlier: list[EarlierTurn] = [engine.log.earlier("turn")]
    seats = {"assistant": "ada"}
    await engine.play(
        Chat(), make_script(Chat(), seats, turn_id="next", prompt="Make it blue.", earlier=earlier)
    )
    return engine.connector.requests[-1].messages


@pytest.mark.parametrize("sees", [True, False])
def test_the_next_question_brings_the_picture_to_a_model_that_sees_and_a_note_to_others(sees: bool) -> None:
    @on_virtual_time
    async def whole() -> None:
        capabilities: tuple[Capability, ...] = ("text", "vision") if sees else ("text",)
        async with open_engine(
            catalog=SmallCatalog([make_model("ada", capabilities=capabilities)])
        ) as engine:
            _, answer, question = await asked_after_a_picture(engine)
        (sha256,) = engine.blobs.stored
        assert answer == Message("assistant", "Look: \n\n[image 1]\n\na cat.")
        picture = ImagePart(sha256, "image/png")
        assert question.content == ((picture, TextPart("Make it blue.")) if sees else "Make it blue.")
        assert engine.connector.requests[-1].attached == ({sha256: CAT.data} if sees else {})

    whole()
