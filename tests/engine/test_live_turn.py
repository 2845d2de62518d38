"""Tests of a live turn: snapshots and deltas always come to the same, and blind viewers see no more than they may."""

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parley.engine.live_reply import GrowingText, LiveReply
from parley.engine.live_turn import LiveTurn
from parley.engine.release import ReleaseQueue
from parley.kernel.errors import Problem
from parley.kernel.events import NoteAdded, ReplyCompleted, ReplyFailed
from parley.kernel.views import Metrics, NoteView
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.testing import decoded, make_match, make_script
from tests.fakes.virtual_loop import on_virtual_time

METRICS = Metrics(
    ttft_ms=1234,
    duration_ms=2345,
    input_tokens=3456,
    output_tokens=4567,
    reasoning_tokens=5678,
    tokens_per_second=67.8,
    cost_micros=7890,
    estimated=False,
)


def a_live_turn(*, blind: bool, paced: bool = False) -> LiveTurn:
    mode = Battle() if blind else Chat()
    seats = {"left": "canary", "right": "canary"} if blind else {"assistant": "ada"}
    script = make_script(mode, seats)
    releases = ReleaseQueue(paced=paced) if blind else None
    return LiveTurn(script, make_match(mode, script), releases, lambda _: None)


def a_reply(live: LiveTurn, seat: int, attempt: int = 1) -> LiveReply:
    reply = LiveReply(
        reply_id=f"reply-{seat}",
        seat=live.script.seats[seat],
        path="",
        number=0,
        purpose="answer",
        order=seat,
        attempt=attempt,
        now=0.0,
    )
    live.begin(reply, reply.started(live.id))
    return reply


def pushed(live: LiveTurn) -> list[dict[str, Any]]:
    """What the one feed of a turn holds now; it is emptied."""
    (feed,) = live.feeds
    events = decoded(b"".join(feed._frames))
    feed._frames.clear()
    feed._stale = False
    return events


def fold(view: dict[str, Any], events: list[dict[str, Any]]) -> dict[str, Any]:
    """Apply events to a snapshot's turn as a client does."""
    view = copy.deepcopy(view)
    replies = {reply["id"]: reply for reply in view["replies"]}
    for event in events:
        if event["kind"] == "reply.delta":
            reply, channel = replies[event["reply_id"]], event["channel"]
            if event["end"] <= reply[f"{channel}_end"]:
                continue
            assert event["offset"] == reply[f"{channel}_end"]
            reply[channel] += event["text"]
            reply[f"{channel}_end"] = event["end"]
            reply["status"] = "streaming"
        elif event["kind"] == "reply.completed":
            assert event["text_end"] == replies[event["reply_id"]]["text_end"]
            replies[event["reply_id"]] |= {
                "status": "completed",
                "finish_reason": event["finish_reason"],
                "metrics": event["metrics"],
            }
    return view


def seen(live: LiveTurn) -> dict[str, Any]:
    return msgspec.json.decode(msgspec.json.encode(live.snapshot().turn))


PIECES = st.lists(
    st.tuples(
        st.sampled_from(["text", "reasoning"]),
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8),
    ),
    min_size=1,
    max_size=20,
)


@settings(max_examples=50)
@given(pieces=PIECES, cut=st.integers(0, 25), ticks=st.sets(st.integers(0, 25)))
def test_a_snapshot_at_any_moment_and_the_rest_give_the_whole(
    pieces: list[tuple[Any, str]], cut: int, ticks: set[int]
) -> None:
    @on_virtual_time
    async def whole() -> None:
        live = a_live_turn(blind=False)
        live.follow()._stale = False
        reply = a_reply(live, 0)
        view = seen(live)
        for index, (channel, text) in enumerate(pieces):
            live.append(reply, channel, text, index * 0.01)
            if index in ticks:
                live.release(index * 0.01)
            if index == cut:
                pushed(live)
                view = seen(live)
        reply.status, reply.ended_at, reply.metrics = "completed", 1.0, METRICS
        before = seen(live)
        assert before["replies"][0]["metrics"] is None, "an end is shown once it was told"
        assert before["replies"][0]["status"] == "streaming"
        live.publish_end(reply, completed(reply))
        assert fold(view, pushed(live)) == seen(live)
        said = "".join(text for channel, text in pieces if channel == "text")
        assert seen(live)["replies"][0]["text"] == said

    whole()


def completed(reply: LiveReply) -> ReplyCompleted:
    return ReplyCompleted(
        turn_id="turn",
        reply_id=reply.id,
        attempt=reply.attempt,
        text_end=reply.text.length,
        reasoning_end=reply.reasoning.length,
        finish_reason=reply.finish_reason,
        metrics=reply.metrics,
    )


@pytest.mark.parametrize("paced", [True, False])
def test_a_blind_viewer_sees_neither_names_nor_reasoning_nor_metrics_nor_causes(
    paced: bool,
) -> None:
    @on_virtual_time
    async def whole() -> None:
        live = a_live_turn(blind=True, paced=paced)
        live.follow()._stale = False
        await live.wait_to_ask(live.script.seats)
        for index in (0, 1):
            reply = a_reply(live, index, attempt=index + 1)
            live.append(reply, "reasoning", "secret thoughts", 0.1)
            live.append(reply, "text", "shown words " * 5, 0.2)
            reply.metrics, reply.finish_reason, reply.status = METRICS, "length", "completed"
            reply.ended_at = 0.3
            live.publish_end(reply, completed(reply))
        note = NoteView(seq=1, name="secret.note/1", round=0, key="", data="secret")
        live.publish(NoteAdded(turn_id="turn", note=note))
        live.notes.append(note)
        live.publish(_failed("reply-1"))
        for step in range(100):
            live.release(0.4 + step * 0.033)
        live.publish_all_ends()
        shown = str(pushed(live)) + str(seen(live)) + str(msgspec.to_builtins(live.snapshot()))
        for secret in ("canary", "secret", "length", "1234", "2345", "4567", "67.8", "7890", "CAUSE"):
            assert secret not in shown, secret
        assert {reply.attempt for reply in live.snapshot().turn.replies} == {1}
        assert all(seat.model is None for seat in live.snapshot().match.seats)
        assert live.released.is_set()

    whole()


def _failed(reply_id: str) -> ReplyFailed:
    return ReplyFailed(
        turn_id="turn",
        reply_id=reply_id,
        attempt=1,
        status="failed",
        text_end=0,
        reasoning_end=0,
        metrics=METRICS,
        error=Problem(code="x", title="CAUSE"),
    )


@on_virtual_time
async def test_a_blind_viewer_sees_only_what_lies_before_the_cursor() -> None:
    live = a_live_turn(blind=True, paced=True)
    live.follow()._stale = False
    await live.wait_to_ask(live.script.seats)
    left, right = a_reply(live, 0), a_reply(live, 1)
    live.append(left, "text", "l" * 500, 0.0)
    assert [reply["text"] for reply in seen(live)["replies"]] == ["", ""]
    live.append(right, "text", "r" * 32, 1.0)
    for step in range(60):
        live.release(1.0 + step * 0.033)
        shown = [reply["text_end"] for reply in seen(live)["replies"]]
        assert shown[0] == shown[1] == min((live.visible or {})["reply-0"], 32)
    deltas = [event for event in pushed(live) if event["kind"] == "reply.delta"]
    ends = [event["end"] for event in deltas if event["reply_id"] == "reply-0"]
    assert max(ends) == 32


@on_virtual_time
async def test_a_turn_that_is_held_shows_no_more() -> None:
    live = a_live_turn(blind=True)
    left = a_reply(live, 0)
    live.append(left, "text", "shown", 0.0)
    live.release(0.1)
    live.freeze()
    live.append(left, "text", " hidden", 0.2)
    assert not live.release(0.3)
    assert seen(live)["replies"][0]["text"] == "shown"


@on_virtual_time
async def test_checkpoints_hold_each_running_reply_that_has_grown_once() -> None:
    live = a_live_turn(blind=False)
    reply = a_reply(live, 0)
    assert live.checkpoint() == []
    live.append(reply, "text", "one", 0.0)
    (entry,) = live.checkpoint()
    assert (entry.reply_id, entry.attempt, entry.text) == ("reply-0", 1, "one")
    assert live.checkpoint() == []
    live.append(reply, "reasoning", "hm", 0.1)
    assert [entry.reasoning for entry in live.checkpoint()] == ["hm"]
    reply.status = "completed"
    live.append(reply, "text", "!", 0.2)
    assert live.checkpoint() == []


@given(st.lists(st.one_of(st.text(max_size=5), st.integers(0, 30)), max_size=20))
def test_a_growing_text_shows_every_code_point_once(steps: list[str | int]) -> None:
    text, shown = GrowingText(), ""
    for step in steps:
        if isinstance(step, str):
            text.add(step)
        else:
            shown += text.show(step)
        assert text.shown_text() == shown
        assert text.shown == len(shown)
    assert shown + text.show() == text.text()
