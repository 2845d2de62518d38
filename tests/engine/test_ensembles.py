"""Tests of ensembles: a mode that sits like a model is asked, stopped, resumed and paid like one."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from parley.engine.accounting import CallResult
from parley.engine.clock import WallClock
from parley.engine.ensembles import PlayedEnsembles
from parley.kernel.calls import Call
from parley.kernel.connector import Chunk, Usage
from parley.kernel.errors import NotFound, Rejected, Unavailable, Unreachable
from parley.kernel.messages import Message
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.models import Model, Provider
from parley.kernel.ports import Ensemble, ReplyOpened
from parley.kernel.seats import Group, Seat, Seating
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.modes.consortium.mode import Consortium
from parley.testing import (
    CannedConnector,
    CannedEngine,
    Forever,
    MemoryLog,
    SmallCatalog,
    Wait,
    decoded,
    heard,
    kinds,
    make_card,
    make_model,
    make_script,
    open_engine,
    until,
)
from tests.fakes.deltas import texts
from tests.fakes.virtual_loop import on_virtual_time


class PanelBrief(Brief):
    rounds: int = 2
    says_twice: bool = False


class Panel(Mode[PanelBrief]):
    """Members answer, an arbiter sums up, round after round."""

    name = "panel"
    title = "Panel"
    summary = "For tests"
    brief = PanelBrief
    seating = Seating(groups=(Group("arbiter"), Group("member", 1, 10)))
    voice = "arbiter"

    async def play(self, stage: Stage, brief: PanelBrief) -> None:
        (arbiter,) = stage.role("arbiter")
        for number in stage.rounds(brief.rounds):
            replies = await stage.ask_all(stage.role("member"))
            answers = [reply.text for reply in replies if reply.completed]
            if not answers:
                raise Unavailable("No member gave an answer.", "Choose others.", code="mode_without_members")
            asking = f"{number}: {' | '.join(answers)} ({stage.random('x').random()})"
            verdict = await stage.ask(arbiter, [Message("user", asking)], purpose="synthesis")
            if not verdict.completed:
                raise Unavailable("There is no verdict.", code="mode_without_arbiter")
            for _ in range(1 + brief.says_twice):
                stage.announce("panel.said/1", {"round": number})
            stage.conclude(arbiter, verdict.text.upper())
            if verdict.text == "Enough.":
                break


def a_panel(*members: str, arbiter: str = "judge", **brief: object) -> Ensemble:
    seats = [Seat("arbiter", "arbiter", "arbiter", arbiter)]
    seats += [Seat(name, name, "member", model) for name, model in zip("abc", members, strict=False)]
    return Ensemble(mode="panel", brief=brief, seats=tuple(seats))


PANELS = {
    "panel-r1": a_panel("ada", "bob"),
    "outer-r1": a_panel("panel-r1", "cid", rounds=1),
    "deep-r1": a_panel("outer-r1", rounds=1),
    "middle-r1": a_panel("panel-r1", rounds=1),
    "deepest-r1": a_panel("middle-r1", rounds=1),
    "board-r1": Ensemble(mode="consortium", brief={"max_iterations": 1}, seats=a_panel("ada", "bob").seats),
    "faulty-r1": a_panel("ada", rounds=1, says_twice=True),
}
CHAT = {"assistant": "panel-r1"}


@asynccontextmanager
async def a_hall(
    connector: CannedConnector | None = None,
    log: MemoryLog | None = None,
    *,
    models: Sequence[Model] = (),
    providers: Sequence[Provider] = (),
) -> AsyncGenerator[CannedEngine]:
    """A engine whose catalog has the panels too."""

    def find(model_id: str) -> Ensemble:
        if model_id not in PANELS:
            raise NotFound("There is no such ensemble.")
        return PANELS[model_id]

    panels = [make_model(name, kind="ensemble", routes=(), prices=None) for name in PANELS]
    catalog = SmallCatalog([*models, *panels], providers)
    async with open_engine(connector, log, catalog=catalog) as engine:
        engine.gateway.admit(
            PlayedEnsembles(
                find=find,
                modes={"panel": Panel(), "chat": Chat(), "consortium": Consortium()},
                card=make_card,
                hub=engine.hub,
                recorder=engine.recorder,
                open_stage=engine.runner.open_stage,
                clock=WallClock(),
            )
        )
        yield engine


@on_virtual_time
async def test_a_note_that_is_announced_twice_is_a_bug_within_a_reply_too() -> None:
    async with a_hall() as engine:
        events = await engine.play(Chat(), make_script(Chat(), {"assistant": "faulty-r1"}))
        assert kinds(events)[-2:] == ["reply.failed", "turn.completed"]
        events = await engine.play(Chat(), make_script(Chat(), CHAT, turn_id="other"))
        assert kinds(events)[-2:] == ["reply.completed", "turn.completed"]


def paths(log: MemoryLog) -> list[str]:
    return [step.path for step in log.replies().values()]


def opened(log: MemoryLog) -> list[ReplyOpened]:
    return [entry for entry in log.entries if isinstance(entry, ReplyOpened)]


@on_virtual_time
async def test_what_all_came_to_is_one_text_and_earlier_rounds_are_reasoning() -> None:
    async with a_hall() as engine:
        engine.connector.says("judge", "First.")
        engine.connector.says("judge", "Second.")
        events = await engine.play(Chat(), make_script(Chat(), CHAT))
    assert texts(events) == {"assistant": "SECOND."}
    assert texts(events, "reasoning") == {"assistant": "FIRST.\n\n"}
    assert kinds(events) == [
        "turn.snapshot",
        "turn.started",
        "reply.started",
        "reply.completed",
        "turn.completed",
    ]
    assert engine.connector.asked("ada") == engine.connector.asked("judge") == 2
    within = [entry for entry in opened(engine.log) if entry.parent_reply_id]
    (reply,) = [entry for entry in opened(engine.log) if not entry.parent_reply_id]
    assert {entry.parent_reply_id for entry in within} == {reply.reply_id}
    assert {entry.path for entry in within} == {"assistant.0.answer"}
    assert sorted((entry.round, entry.seat) for entry in within) == [
        (number, seat) for number in (1, 2) for seat in ("a", "arbiter", "b")
    ]
    assert engine.log.kinds().count("note.added") == engine.log.kinds().count("round.started") == 0


@on_virtual_time
async def test_each_call_is_recorded_once_with_its_model_and_the_answer_shows_the_sums() -> None:
    async with a_hall() as engine:
        for model, tokens in (("ada", 100), ("bob", 10), ("judge", 1)):
            engine.connector.says(model, Wait(2), "Words.", Usage(tokens, tokens, tokens))
        events = await engine.play(Chat(), make_script(Chat(), CHAT))
    calls = engine.log.calls()
    paid = [call for call in calls if call.provider_id]
    assert sorted(call.model_id for call in paid) == ["ada", "ada", "bob", "bob", "judge", "judge"]
    assert {call.mode for call in paid} == {"panel"}
    assert [(call.mode, call.purpose) for call in calls if not call.provider_id] == [("chat", "reply")]
    metrics = next(event for event in events if event["kind"] == "reply.completed")["metrics"]
    # The canned connector counts its parts after the usage that was written down: the last count holds.
    assert metrics["input_tokens"] == sum(entry.input_tokens for entry in calls) > 0
    assert metrics["cost_micros"] == sum(entry.cost_micros or 0 for entry in calls) > 0
    assert (metrics["ttft_ms"], metrics["duration_ms"]) == (4000, 8000)
    assert (metrics["estimated"], metrics["tokens_per_second"]) == (False, None)


@on_virtual_time
async def test_a_conversation_goes_to_everybody_and_rules_stand_before_its_first_question() -> None:
    said = (Message("user", "One?"), Message("assistant", "ONE."))
    async with a_hall() as engine:
        script = make_script(
            Chat(), CHAT, prompt="Two?", history={"assistant": said}, brief={"system_prompt": "Rhyme."}
        )
        await engine.play(Chat(), script)
    assert engine.connector.heard("bob") == ["user: Rhyme.\n\nOne?", "assistant: ONE.", "user: Two?"]


@on_virtual_time
async def test_one_failing_member_is_the_mode_s_own_matter() -> None:
    async with a_hall() as engine:
        engine.connector.says("ada", Rejected("No."))
        events = await engine.play(Chat(), make_script(Chat(), CHAT))
    assert kinds(events)[-1] == "turn.completed"
    assert "An answer. (" in engine.connector.heard("judge")[0]


@on_virtual_time
async def test_where_the_mode_fails_the_answer_says_why_and_asking_again_asks_what_is_missing() -> None:
    async with a_hall() as engine:
        engine.connector.says("judge", Rejected("The key was refused."))
        engine.connector.says("judge", "At last.")
        events = await engine.play(Chat(), make_script(Chat(), CHAT))
        failed = next(event for event in events if event["kind"] == "reply.failed")
        assert failed["error"] == {
            "code": "upstream_ensemble_failed",
            "title": "PANEL-R1 did not reach an answer. There is no verdict.",
            "detail": "Ask again, or choose another model.",
        }
        assert (failed["status"], failed["metrics"]["cost_micros"]) == ("failed", 18)
        assert (engine.connector.asked("ada"), engine.connector.asked("judge")) == (1, 1)
        events = await engine.retry(Chat())
    assert texts(events) == {"assistant": "AT LAST."}
    assert (engine.connector.asked("ada"), engine.connector.asked("judge")) == (2, 3)


@on_virtual_time
async def test_what_a_play_again_does_not_come_to_within_it_is_dropped() -> None:
    async with a_hall() as engine:
        engine.connector.says("bob", Rejected("No."))
        engine.connector.says("bob", "Well.")
        for said in ("More.", Rejected("No."), "Enough."):
            engine.connector.says("judge", said)
        await engine.play(Chat(), make_script(Chat(), CHAT))
        assert len([path for path in paths(engine.log) if path]) == 6
        events = await engine.retry(Chat())
    assert texts(events) == {"assistant": "ENOUGH."}
    kept = {(step.seat, step.round) for step in engine.log.replies().values() if step.path}
    assert kept == {("a", 1), ("b", 1), ("arbiter", 1)}, "there was no second round"


@on_virtual_time
async def test_stop_ends_all_calls_at_once_and_what_was_finished_stands() -> None:
    async with a_hall() as engine:
        engine.connector.says("bob", "So far", Forever())
        live = engine.start(Chat(), make_script(Chat(), CHAT))
        await until(lambda: engine.connector.asked("bob") and engine.connector.open == 1)
        before = asyncio.get_running_loop().time()
        await engine.runner.stop("turn")
        assert asyncio.get_running_loop().time() - before < 1
        assert engine.connector.open == 0
        await until(live.finished.is_set)
        steps = {(step.path, step.seat): step.status for step in engine.log.replies().values()}
        within = "assistant.0.answer"
        assert steps == {("", "assistant"): "stopped", (within, "a"): "completed", (within, "b"): "stopped"}
        engine.connector.answers["bob"].clear()
        events = await engine.retry(Chat())
    assert kinds(events)[-1] == "turn.completed"
    assert (engine.connector.asked("ada"), engine.connector.asked("bob")) == (2, 3)


@on_virtual_time
async def test_after_a_crash_nothing_that_was_finished_is_asked_again() -> None:
    connector, log = CannedConnector(), MemoryLog()
    connector.says("bob", "Round one.")
    connector.says("bob", "So far", Forever())
    async with a_hall(connector, log) as engine:
        engine.start(Chat(), make_script(Chat(), CHAT))
        await until(lambda: connector.asked("bob") == 2 and connector.open == 1)
    asked = {model: connector.asked(model) for model in ("ada", "bob", "judge")}
    assert asked == {"ada": 2, "bob": 2, "judge": 1}
    connector.answers["bob"].clear()
    async with a_hall(connector, log) as engine:
        events = await engine.resume(Chat())
    assert texts(events) == {"assistant": "AN ANSWER."}
    asked = {model: connector.asked(model) for model in ("ada", "bob", "judge")}
    assert asked == {"ada": 2, "bob": 3, "judge": 2}
    metrics = next(event for event in events if event["kind"] == "reply.completed")["metrics"]
    completed = [step for step in log.replies().values() if step.path and step.status == "completed"]
    assert metrics["input_tokens"] == sum(step.metrics.input_tokens for step in completed if step.metrics)
    assert len(completed) == 6


@on_virtual_time
async def test_a_provider_with_one_place_is_no_trap() -> None:
    async with a_hall(providers=[Provider("near", "canned", max_concurrency=1)]) as engine:
        engine.connector.says("ada", Wait(1), "One.")
        script = make_script(Battle(), {"left": "outer-r1", "right": "panel-r1"})
        events = await engine.play(Battle(), script)
    assert kinds(events)[-1] == "turn.completed"
    assert engine.connector.most_open == 1


@on_virtual_time
async def test_calls_within_an_ensemble_are_blind_where_its_match_is() -> None:
    async with a_hall() as engine:
        blind: list[bool] = []
        stream = engine.gateway.stream

        def noted(call: Call, result: CallResult | None = None) -> AsyncGenerator[Chunk]:
            blind.append(call.blind)
            return stream(call, result)

        engine.gateway.stream = noted
        await engine.play(Battle(), make_script(Battle(), {"left": "outer-r1", "right": "panel-r1"}))
        assert len(blind) > 8
        assert all(blind)
        blind.clear()
        await engine.play(Chat(), make_script(Chat(), CHAT, turn_id="other"))
        assert not any(blind)


@on_virtual_time
async def test_an_ensemble_may_sit_in_another_one_and_no_deeper() -> None:
    async with a_hall() as engine:
        events = await engine.play(Chat(), make_script(Chat(), {"assistant": "outer-r1"}))
        assert texts(events) == {"assistant": "AN ANSWER."}
        paths = {entry.path for entry in opened(engine.log)}
        assert paths == {"", "assistant.0.answer", "assistant.0.answer/a.1.answer"}
        script = make_script(Chat(), {"assistant": "deep-r1"}, turn_id="deep")
        events = await engine.play(Chat(), script)
    assert kinds(events)[-1] == "turn.completed"
    deep = [
        step
        for step in engine.log.replies().values()
        if "too deep" in (step.error.title if step.error else "")
    ]
    assert [step.path.count("/") for step in deep] == [1]


@on_virtual_time
async def test_it_is_down_while_its_arbiter_or_all_its_members_are() -> None:
    def down(engine: CannedEngine) -> list[bool]:
        ensembles = (
            make_model(name, kind="ensemble", routes=()) for name in ("panel-r1", "outer-r1", "gone-r1")
        )
        return [engine.gateway.is_down(model) for model in ensembles]

    for failing, now in (("bob", [False, False, True]), ("judge", [True, True, True])):
        async with a_hall(models=[make_model(failing, "far")]) as engine:
            assert down(engine) == [False, False, True]
            engine.connector.says(failing, Unreachable("Nobody is there."))
            for number in range(3):
                script = make_script(Chat(), {"assistant": failing}, turn_id=f"turn {number}")
                await engine.play(Chat(), script)
            assert down(engine) == now


async def viewed(seats: dict[str, str]) -> list[tuple[float, dict[str, Any]]]:
    """Return what a blind viewer is told of a battle, and when; one side is silent for eight seconds."""
    async with a_hall() as engine:
        engine.connector.says("alone", Wait(8), "THE SAME TEXT.")
        engine.connector.says("fast", "Another ", Wait(0.2), "text that comes ", Wait(0.2), "at once.")
        for model in ("ada", "bob"):
            engine.connector.says(model, Wait(3), "Well.")
        engine.connector.says("judge", Wait(1), "The same text.")
        live = engine.start(Battle(), make_script(Battle(), seats))
        clock = asyncio.get_running_loop().time
        return [(round(clock(), 3), event) async for frames in live.follow() for event in decoded(frames)]


def masked(events: list[tuple[float, dict[str, Any]]]) -> bytes:
    """Return the stream with ids in the order in which they come, since they are random."""
    known: dict[str, str] = {}
    for _, event in events:
        for name in [
            event.get("reply_id"),
            *(reply["id"] for reply in event.get("turn", {}).get("replies", ())),
        ]:
            if name:
                known.setdefault(name, f"id {len(known)}")
    whole = msgspec.json.encode(events).decode()
    for name, number in known.items():
        whole = whole.replace(name, number)
    return whole.encode()


@on_virtual_time
async def test_a_blind_viewer_sees_the_same_at_the_same_time_of_an_ensemble_and_of_a_model() -> None:
    for sides in (("left", "right"), ("right", "left")):
        ensemble = await viewed(dict(zip(sides, ("panel-r1", "fast"), strict=True)))
        single = await viewed(dict(zip(sides, ("alone", "fast"), strict=True)))
        begun = ensemble[0][0]
        shifted = [(round(at - begun, 3), event) for at, event in ensemble]
        other = [(round(at - single[0][0], 3), event) for at, event in single]
        assert masked(shifted) == masked(other)
        first = next(at for at, event in shifted if event["kind"] == "reply.delta")
        assert first >= 8, "the fast side waits for the ensemble"


@on_virtual_time
async def test_of_a_blind_match_that_was_stopped_nothing_stands_within_it_either() -> None:
    async with a_hall() as engine:
        engine.connector.says("alone", "So far", Forever())
        engine.connector.says("alone", "Whole.")
        live = engine.start(Battle(), make_script(Battle(), {"left": "panel-r1", "right": "alone"}))
        await until(lambda: engine.connector.asked("judge") == 2)
        await engine.runner.stop("turn")
        await until(live.finished.is_set)
        events = await engine.retry(Battle())
    assert kinds(events)[-1] == "turn.completed"
    assert engine.connector.asked("ada") == engine.connector.asked("judge") == 4


@on_virtual_time
async def test_a_failing_ensemble_voids_a_battle_and_the_other_side_is_stopped() -> None:
    async with a_hall() as engine:
        engine.connector.says("judge", Rejected("No."))
        engine.connector.says("alone", "So far", Forever())
        live = engine.start(Battle(), make_script(Battle(), {"left": "alone", "right": "panel-r1"}))
        events = await heard(live.follow())
    assert kinds(events)[-1] == "turn.failed"
    assert b"panel" not in msgspec.json.encode(events).lower()
    assert engine.connector.open == 0
