"""The consortium as a script: canned replies in, events out."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from parley.kernel.connector import ChatRequest, Chunk, Finish
from parley.kernel.errors import Rejected
from parley.kernel.inputs import ContinueInput
from parley.kernel.messages import Message, text_of
from parley.kernel.ports import EventLogged
from parley.modes.consortium.mode import Consortium
from parley.testing import (
    BREAK,
    CannedConnector,
    CannedEngine,
    Forever,
    MemoryLog,
    SmallCatalog,
    Wait,
    kinds,
    make_model,
    make_script,
    open_engine,
    until,
)
from tests.fakes.consortium_talk import SEATS, arbiter, member, notes
from tests.fakes.virtual_loop import on_virtual_time

MODE = Consortium()


async def play(
    engine: CannedEngine, brief: dict[str, Any] | None = None, **more: Any
) -> list[dict[str, Any]]:
    seats = more.pop("seats", SEATS)
    return await engine.play(MODE, make_script(MODE, seats, brief=brief, **more))


def says_usual(connector: CannedConnector) -> None:
    connector.says("ada", member("Paris is the capital of France.", 0.9))
    connector.says("bob", member("The capital of France is Paris.", "70%"))
    connector.says("cid", member("It is Lyon.", "not sure"))


@on_virtual_time
async def test_members_answer_the_arbiter_concludes_and_all_of_it_is_streamed() -> None:
    async with open_engine() as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", arbiter("Paris.", 0.95, dissent="One member said Lyon."))
        events = await play(engine)
    assert kinds(events)[-1] == "turn.completed"
    answers = {note["seat"]: note for note in notes(events, "answer")}
    texts = {step.seat: step.text for step in engine.log.replies().values()}
    assert {seat: note["confidence"] for seat, note in answers.items()} == {"a": 0.9, "b": 0.7, "c": None}
    for seat, note in answers.items():
        assert note["answer"] == texts[seat][note["answer_start"] : note["answer_end"]]
        assert (note["thought_process"], note["parsed"], note["iteration"]) == ("Let me see.", True, 1)
    (verdict,) = notes(events, "verdict")
    assert verdict["synthesis"] == "Paris."
    assert texts["arbiter"][verdict["synthesis_start"] : verdict["synthesis_end"]] == "Paris."
    assert (verdict["settled"], verdict["warning"], sorted(verdict["shown"])) == (True, None, ["a", "b", "c"])
    (agreement,) = notes(events, "agreement", key="")
    assert 0 < agreement["consensus"] < 1
    assert set(agreement["sentences"]) == {"a", "b", "c"}
    assert agreement["families"] == [["a", "b", "c"]], "the canned models are of one family"
    assert len(notes(events, "agreement", key="judged")) == 1, "the dissent is known now"
    (words,) = notes(events, "words")
    assert words["seats"]["a"][0]["word"] in {"capital", "france", "paris"}
    order = [event["note"]["name"].split(".")[1] for event in events if event["kind"] == "note.added"]
    assert order == [
        *["answer/1"] * 3,
        "agreement/1",
        "words/1",
        "verdict/1",
        "agreement/1",
        "result/1",
    ]


@on_virtual_time
async def test_an_answer_is_streamed_as_soon_as_it_is_there() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", member("Quick."))
        engine.connector.says("bob", "Slow", Forever())
        engine.connector.says("cid", member("Quick too."))
        live = engine.start(MODE, make_script(MODE, SEATS))
        await until(lambda: {note.key for note in live.notes} == {"a", "c"})


@on_virtual_time
async def test_it_goes_on_until_the_arbiter_is_sure() -> None:
    async with open_engine() as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", arbiter("First.", 0.5, more=True, areas=["the year"]))
        engine.connector.says("judge", arbiter("Second.", 0.6))
        engine.connector.says("judge", arbiter("Third.", 0.8))
        engine.connector.says("judge", arbiter("Never said."))
        events = await play(engine, {"max_iterations": 5})
    verdicts = notes(events, "verdict")
    assert [(each["iteration"], each["settled"]) for each in verdicts] == [(1, False), (2, False), (3, True)]
    (result,) = notes(events, "result")
    assert (result["settled"], result["metadata"]["iteration_count"]) == (True, 3)
    heard = engine.connector.heard("ada")
    assert [text.partition(":")[0] for text in heard] == ["system", *["user", "assistant"] * 2, "user"]
    assert "<area>the year</area>" in heard[3]
    assert '"synthesis":"Second."' in heard[5]
    assert "bob" not in "".join(heard)
    assert "Lyon" not in "".join(heard), "a member hears its own answers only"


SILENT = "<synthesis>x</synthesis><confidence>{}</confidence>"
"""A verdict that says nothing of another round."""


@pytest.mark.parametrize(
    ("brief", "verdict", "rounds", "settled"),
    [
        ({}, arbiter("x", 0.8), 1, True),
        ({}, arbiter("x", 0.79), 3, False),
        ({}, arbiter("x", 0.9, more=True), 3, False),
        ({}, arbiter("x", "quite sure"), 3, False),
        ({}, arbiter("x", 0.9, more="perhaps"), 3, False),
        ({}, SILENT.format("0.8"), 1, True),
        ({}, SILENT.format("0.79"), 3, False),
        ({}, '{"synthesis": "x", "confidence": 0.8}', 1, True),
        ({"minimum_iterations": 2}, SILENT.format("1"), 2, True),
        ({"minimum_iterations": 2}, arbiter("x", 1), 2, True),
        ({"max_iterations": 1}, arbiter("x", 0.1, more=True), 1, False),
        ({"confidence_threshold": "85%", "max_iterations": 2}, arbiter("x", 0.84), 2, False),
        ({"confidence_threshold": 85}, arbiter("x", "85 %"), 1, True),
        ({"confidence_threshold": "0,85"}, arbiter("x", "0,85"), 1, True),
        ({"confidence_threshold": 0}, arbiter("x", "none"), 3, False),
    ],
)
@on_virtual_time
async def test_when_it_stops(brief: dict[str, Any], verdict: str, rounds: int, settled: bool) -> None:
    async with open_engine() as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", verdict)
        events = await play(engine, brief)
    assert engine.connector.asked("judge") == engine.connector.asked("ada") == rounds
    assert notes(events, "result")[0]["settled"] is settled


@on_virtual_time
async def test_failed_and_silent_members_are_left_out() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", Rejected("The key was refused."))
        engine.connector.says("ada", member("Back again."))
        engine.connector.says("bob", "<answer>Broken o", BREAK)
        engine.connector.says("bob", "<thought_process>Hm.</thought_process><answer> </answer>")
        engine.connector.says("cid", member("I am here."))
        engine.connector.says("judge", arbiter("x", 0.9))
        events = await play(engine, {"minimum_iterations": 2})
    assert kinds(events)[-1] == "turn.completed"
    left_out = [
        (note["iteration"], note["seat"], note["problem"]["code"]) for note in notes(events, "left_out")
    ]
    assert sorted(left_out) == [
        (1, "a", "upstream_rejected"),
        (1, "b", "reply_incomplete"),
        (2, "b", "reply_without_answer"),
    ]
    first, second = notes(events, "verdict")
    assert "Only one member" in first["warning"]
    assert (first["shown"], sorted(second["shown"]), second["warning"]) == (["c"], ["a", "c"], None)
    assert notes(events, "agreement", number=1, key="")[0]["consensus"] is None
    assert notes(events, "agreement", number=1, key="")[0]["silent"] == ["a", "b"]
    assert notes(events, "result")[0]["warnings"] == [first["warning"]]
    heard = engine.connector.heard("ada")
    assert [text.partition(":")[0] for text in heard] == ["system", "user"], "it never answered before"


@on_virtual_time
async def test_without_any_member_the_turn_fails_in_words() -> None:
    async with open_engine() as engine:
        for model in ("ada", "bob", "cid"):
            engine.connector.says(model, Rejected("no"))
        events = await play(engine)
    assert events[-1]["kind"] == "turn.failed"
    assert events[-1]["error"]["code"] == "mode_without_members"
    assert engine.connector.asked("judge") == 0


@on_virtual_time
async def test_a_failing_arbiter_fails_the_turn_and_a_retry_asks_only_the_arbiter() -> None:
    async with open_engine() as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", Rejected("The key was refused."))
        engine.connector.says("judge", arbiter("Paris."))
        events = await play(engine)
        assert events[-1]["error"]["code"] == "mode_without_arbiter"
        assert "The key was refused." in events[-1]["error"]["title"]
        events = await engine.retry(MODE)
    assert kinds(events)[-1] == "turn.completed"
    assert [engine.connector.asked(model) for model in ("ada", "bob", "cid", "judge")] == [1, 1, 1, 2]
    assert notes(events, "result")[0]["synthesis"]["synthesis"] == "Paris."


@on_virtual_time
async def test_an_arbiter_that_breaks_off_or_cannot_be_read_is_shown_with_a_warning() -> None:
    async with open_engine() as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", "<synthesis>Half a synth", BREAK)
        engine.connector.says("judge", "It is Paris, I think.\n")
        events = await play(engine, {"max_iterations": 2})
    assert kinds(events)[-1] == "turn.completed"
    first, second = notes(events, "verdict")
    assert (first["synthesis"], first["parsed"], first["settled"]) == ("Half a synth", True, False)
    assert "broke off" in first["warning"]
    assert (second["synthesis"], second["parsed"]) == ("It is Paris, I think.", False)
    assert (second["confidence"], second["settled"]) == (None, False)
    assert "as received" in second["warning"]
    (result,) = notes(events, "result")
    assert len(result["warnings"]) == 2
    assert result["settled"] is False


@on_virtual_time
async def test_a_synthesis_that_was_cut_off_settles_nothing() -> None:
    cut = "<confidence>0.99</confidence><needs_iteration>false</needs_iteration><synthesis>Paris is the cap"
    async with open_engine() as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", cut, Finish("length"))
        engine.connector.says("judge", arbiter("Paris."))
        events = await play(engine)
    first, second = notes(events, "verdict")
    assert (first["confidence"], first["settled"], second["settled"]) == (0.99, False, True)
    assert "broke off" in first["warning"]


@on_virtual_time
async def test_the_order_in_which_the_arbiter_sees_members_changes_and_tells_nothing() -> None:
    orders: set[tuple[str, ...]] = set()
    async with open_engine() as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", arbiter("x", 0.1))
        events = await play(engine, {"max_iterations": 10})
        for verdict in notes(events, "verdict"):
            orders.add(tuple(verdict["shown"]))
        asked = "".join(
            text_of(message)
            for request in engine.connector.requests
            if request.model == "judge"
            for message in request.messages
        )
    assert len(orders) > 1
    assert not any(name in asked for name in ("ada", "bob", "cid"))
    assert "Member 3" in asked


@on_virtual_time
async def test_names_are_shown_where_that_is_wanted() -> None:
    async with open_engine() as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", arbiter("x"))
        await play(engine, {"reveal_names": True}, seats={**SEATS, "c": "ada"})
        (asked,) = engine.connector.heard("judge")
    assert asked.count("<model>ada</model>") == 2
    assert "<instance>2</instance>" in asked
    assert "Member 1" not in asked


@on_virtual_time
async def test_members_hear_no_names_also_where_the_arbiter_sees_them() -> None:
    async with open_engine() as engine:
        says_usual(engine.connector)
        fields = {"areas": ["what Bob counts"], "dissent": "ada-2 is no member, but cid holds out."}
        engine.connector.says("judge", arbiter("Ada asked Bob.", 0.3, more=True, **fields))
        engine.connector.says("judge", arbiter("x"))
        events = await play(engine, {"reveal_names": True})
        asked = engine.connector.heard("ada")[-1]
    verdict = notes(events, "verdict", number=1)[0]
    places = {seat: f"Member {place}" for place, seat in enumerate(verdict["shown"], 1)}
    assert verdict["dissent"] == fields["dissent"], "the person reads it as it was written"
    assert f"ada-2 is no member, but {places['c']} holds out." in asked
    assert f"<area>what {places['b']} counts</area>" in asked
    assert "Ada asked Bob." in asked, "the synthesis is an answer, and its words are its own"


@on_virtual_time
async def test_members_and_arbiter_keep_their_own_conversations() -> None:
    history = {
        "a": (Message("user", "Before?"), Message("assistant", "Ada's own.")),
        "arbiter": (Message("user", "Before?"), Message("assistant", "The synthesis.")),
    }
    async with open_engine() as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", arbiter("x"))
        await play(engine, history=history, prompt="And now?")
        assert engine.connector.heard("ada")[1:3] == ["user: Before?", "assistant: Ada's own."]
        assert "<instruction>And now?</instruction>" in engine.connector.heard("ada")[3]
        assert engine.connector.heard("judge")[:2] == ["user: Before?", "assistant: The synthesis."]
        await play(engine, {"manual_context": True}, history=history, prompt="And now?", turn_id="other")
        rules, asked = engine.connector.heard("ada")
        assert rules.startswith("system: ")
        assert asked.startswith("user: Human: Before?\nAssistant: Ada's own.\n\n<prompt>")
    logged = [entry for entry in engine.log.entries if isinstance(entry, EventLogged)]
    concluded = [
        msgspec.json.decode(entry.data)
        for entry in logged
        if (entry.kind, entry.turn_id) == ("seat.concluded", "turn")
    ]
    assert {each["seat"]: each["text"] for each in concluded} == {
        "a": "Paris is the capital of France.",
        "b": "The capital of France is Paris.",
        "c": "It is Lyon.",
        "arbiter": "x",
    }


@on_virtual_time
async def test_a_turn_without_a_new_question_goes_on_from_the_last_synthesis() -> None:
    history = {
        "a": (Message("user", "Hello"), Message("assistant", "Ada's own.")),
        "arbiter": (Message("user", "Hello"), Message("assistant", "The synthesis <so far>.")),
    }
    async with open_engine() as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", arbiter("Better."))
        await play(engine, history=history, turn_input=ContinueInput())
        heard = engine.connector.heard("ada")
        assert heard[1:3] == ["user: Hello", "assistant: Ada's own."]
        assert "<iteration_prompt>" in heard[3]
        assert '{"synthesis":"The synthesis &lt;so far&gt;."' in heard[3]
        assert "<original_prompt>Hello</original_prompt>" in heard[3]
        await play(engine, turn_input=ContinueInput(), turn_id="first failed")
        assert engine.connector.heard("ada")[-1] == "user: <prompt><instruction>Hello</instruction></prompt>"


@on_virtual_time
async def test_a_crash_in_the_second_round_repeats_nothing() -> None:
    connector, log = CannedConnector(), MemoryLog()
    connector.says("ada", member("One."))
    connector.says("bob", Rejected("no"))
    connector.says("cid", member("Three."))
    connector.says("judge", arbiter("First.", 0.2, more=True))
    connector.says("judge", "<synthesis>Sec", Forever())
    connector.says("judge", arbiter("Second.", 0.9))
    async with open_engine(connector, log) as engine:
        engine.start(MODE, make_script(MODE, SEATS))
        await until(lambda: connector.asked("judge") == 2)
    asked = {model: connector.asked(model) for model in ("ada", "bob", "cid")}
    assert asked == {"ada": 2, "bob": 2, "cid": 2}
    async with open_engine(connector, log) as engine:
        events = await engine.resume(MODE)
    assert kinds(events)[-1] == "turn.completed"
    assert {model: connector.asked(model) for model in asked} == asked, "failures are not asked again either"
    assert connector.asked("judge") == 3
    read = await log.read("turn")
    keys = [(note.name, note.round, note.key) for note in read.notes]
    assert len(keys) == len(set(keys)), "no note is repeated"
    assert notes(events, "result")[0]["synthesis"]["synthesis"] == "Second."


@on_virtual_time
async def test_a_retry_asks_those_that_failed_and_replaces_what_followed() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", member("One."))
        engine.connector.says("bob", Rejected("no"))
        engine.connector.says("bob", member("Two."))
        engine.connector.says("cid", member("Three."))
        engine.connector.says("judge", arbiter("First.", 0.2))
        engine.connector.says("judge", arbiter("Second.", 0.9))
        engine.connector.says("judge", arbiter("All three.", 0.9))
        first = await play(engine, {"max_iterations": 2})
        assert [note["seat"] for note in notes(first, "left_out")] == ["b"]
        second = await engine.retry(MODE)
        read = await engine.log.read("turn")
    assert notes(second, "left_out") == []
    assert [(each["synthesis"], each["settled"]) for each in notes(second, "verdict")] == [
        ("All three.", True)
    ]
    assert {note.round for note in read.notes} == {1}
    assert {step.round for step in read.steps} == {1}
    assert notes(second, "result")[0]["metadata"]["iteration_count"] == 1


@on_virtual_time
async def test_a_stopped_turn_has_no_result() -> None:
    async with open_engine() as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", "<synth", Forever())
        live = engine.start(MODE, make_script(MODE, SEATS))
        await until(lambda: engine.connector.asked("judge") == 1)
        await engine.runner.stop("turn")
    assert live.status == "stopped"
    assert not [note for note in live.notes if note.name == "consortium.result/1"]


@on_virtual_time
async def test_a_turn_that_was_stopped_goes_on_where_it_was() -> None:
    async with open_engine() as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", arbiter("First.", 0.1, more=True))
        engine.connector.says("judge", "<synth", Forever())
        engine.connector.says("judge", arbiter("Second."))
        engine.start(MODE, make_script(MODE, SEATS))
        await until(lambda: engine.connector.asked("judge") == 2)
        await engine.runner.stop("turn")
        events = await engine.retry(MODE)
    assert [engine.connector.asked(model) for model in ("ada", "bob", "cid", "judge")] == [2, 2, 2, 3]
    assert [verdict["synthesis"] for verdict in notes(events, "verdict")] == ["First.", "Second."]
    (result,) = notes(events, "result")
    assert result["settled"] is True


class Timed(CannedConnector):
    """Knows when the last of its streams ended."""

    ended = 0.0

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        async for chunk in super().stream(request):
            yield chunk
        if request.model != "judge":
            self.ended = asyncio.get_running_loop().time()


@on_virtual_time
async def test_ten_members_take_no_longer_than_the_slowest() -> None:
    latency = 20.0
    connector = Timed()
    seats = {"arbiter": "judge", **{letter: f"model-{letter}" for letter in "abcdefghij"}}
    for model in seats.values():
        connector.says(model, Wait(latency), member("Something."))
    connector.says("judge", arbiter("x"))
    async with open_engine(connector) as engine:
        begun = asyncio.get_running_loop().time()
        live = engine.start(MODE, make_script(MODE, seats, brief={"max_iterations": 1}))
        await until(lambda: connector.asked("judge"))
        assert connector.most_open == 10
        assert connector.ended - begun <= 1.05 * latency
        await engine.runner.stop(live.id)


@on_virtual_time
async def test_the_result_is_the_one_of_the_proposal_field_by_field() -> None:
    """The proposal's own example: same models, same replies, same result."""
    prompt = "What are the key considerations for AGI safety?"
    models = {"a": "claude-3-opus-20240229", "b": "claude-3-sonnet-20240229", "c": "gpt-4", "d": "gemini-pro"}
    confidences = {"a": 0.85, "b": 0.78, "c": 0.9, "d": 0.7}
    replies = {
        seat: f"<thought_process> ... </thought_process> <answer> ... </answer> <confidence> {sure} </confidence>"
        for seat, sure in confidences.items()
    }
    areas = ["Explore the concept of alignment further", "Investigate different safety frameworks"]
    verdict = {
        "synthesis": "The key considerations for AGI safety are...",
        "confidence": 0.92,
        "analysis": "The models largely agree on the importance of alignment...",
        "dissent": "Model Gemini-Pro was less confident...",
        "needs_iteration": False,
        "refinement_areas": areas,
    }
    seats = {"arbiter": "judge", **models}
    priced = [make_model(model) for model in (*models.values(), "judge")]
    async with open_engine(catalog=SmallCatalog(priced)) as engine:
        for seat, model in models.items():
            engine.connector.says(model, replies[seat])
        engine.connector.says("judge", arbiter("Not yet.", 0.5, more=True))
        engine.connector.says("judge", msgspec.json.encode(verdict).decode())
        events = await play(engine, seats=seats, prompt=prompt)
    (result,) = notes(events, "result")
    assert result["original_prompt"] == prompt
    announced = [
        {key: each[key] for key in ("model", "response", "confidence")} for each in result["model_responses"]
    ]
    assert announced == [
        {"model": models[seat], "response": replies[seat], "confidence": confidences[seat]} for seat in models
    ]
    assert result["synthesis"] == verdict
    assert [each["iteration"] for each in result["iterations"]] == [1, 2]
    assert result["iterations"][1]["model_responses"] == result["model_responses"]
    assert result["iterations"][0]["synthesis"]["synthesis"] == "Not yet."
    metadata = result["metadata"]
    assert metadata["models_used"] == list(models.values())
    assert (metadata["arbiter"], metadata["iteration_count"]) == ("judge", 2)
    assert metadata["timestamp"] == "2026-01-01T00:00:00+00:00"
    assert metadata["config"]["models"] == dict.fromkeys(models.values(), 1)
    assert metadata["config"]["confidence_threshold"] == 0.8
    assert metadata["cost_usd"] == result["worth"]["cost_usd"] == pytest.approx(10 * 9e-6)
    assert result["worth"]["best_single"] == {
        "seat": "c",
        "model": "gpt-4",
        "cost_usd": 9e-6,
        "duration_ms": 0,
    }
    assert (result["settled"], result["warnings"], result["worth"]["unpriced"]) == (True, [], [])


@on_virtual_time
async def test_where_nothing_has_a_price_there_is_no_cost() -> None:
    free = [make_model(model, prices=None) for model in SEATS.values()]
    async with open_engine(catalog=SmallCatalog(free)) as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", arbiter("x"))
        events = await play(engine)
    (result,) = notes(events, "result")
    assert result["worth"]["cost_usd"] is None
    assert "judge" in result["worth"]["unpriced"]


@on_virtual_time
async def test_a_member_that_was_refused_has_cost_nothing() -> None:
    async with open_engine(catalog=SmallCatalog([make_model("bob", prices=None)])) as engine:
        says_usual(engine.connector)
        engine.connector.answers["bob"].clear()
        engine.connector.says("bob", Rejected("The key is not accepted."))
        engine.connector.says("judge", arbiter("x"))
        events = await play(engine)
    (failed,) = [event for event in events if event["kind"] == "reply.failed"]
    assert {failed["metrics"][name] for name in ("input_tokens", "output_tokens", "cost_micros")} == {0}
    assert not failed["metrics"]["estimated"]
    (result,) = notes(events, "result")
    assert result["worth"]["unpriced"] == []
    assert result["worth"]["cost_usd"] == sum(entry.cost_micros or 0 for entry in engine.log.calls()) / 1e6


@on_virtual_time
async def test_a_model_without_a_price_is_named_and_the_rest_is_summed() -> None:
    async with open_engine(catalog=SmallCatalog([make_model("ada", prices=None)])) as engine:
        says_usual(engine.connector)
        engine.connector.says("judge", arbiter("x"))
        events = await play(engine)
    (result,) = notes(events, "result")
    entries = [entry.cost_micros for entry in engine.log.calls()]
    assert None in entries
    assert result["worth"]["cost_usd"] == sum(cost or 0 for cost in entries) / 1e6 > 0
    assert result["worth"]["unpriced"] == result["metadata"]["unpriced"] == ["ada"]
    assert result["worth"]["best_single"]["cost_usd"] is None
    assert [each["instance"] for each in result["model_responses"]] == [1, 1, 1]
