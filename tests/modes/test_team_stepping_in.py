"""How a person steps in, and where a team ends."""

from typing import Any

import pytest

from parley.kernel.inputs import (
    AddInput,
    AskInput,
    ContinueInput,
    SkipInput,
    SteerInput,
    SynthesiseInput,
    TurnInput,
)
from parley.modes.team.strategies import STRATEGIES
from tests.fakes.team_talk import QUESTION, a_team, data, ends, script
from tests.fakes.virtual_loop import on_virtual_time

# ── stepping in ──────────────────────────────────────────────────────────────────────────────────────
STEPS: list[tuple[str, TurnInput, str, list[tuple[str, str, str | None]]]] = [
    ("a fact", AddInput("It is late."), "1:abc 2:abc 3:abc 4:d", []),
    ("a direction", SteerInput("Be brief."), "1:abc 2:abc 3:abc 4:d", []),
    ("a question", AskInput("b", "How hot?"), "1:abc 2:b 3:abc 4:abc 5:d", [("asked", "round", None)]),
    ("a seat skipped", SkipInput("b"), "1:abc 2:ac 3:abc 4:d", []),
    ("a round skipped", SkipInput(), "1:abc 2:abc 3:d", []),
    ("an end", SynthesiseInput(), "1:abc 2:d", [("synthesis", "end", "person")]),
]


@pytest.mark.parametrize(
    ("given", "expected", "end"), [step[1:] for step in STEPS], ids=[step[0] for step in STEPS]
)
@on_virtual_time
async def test_what_is_said_while_the_first_round_runs_shapes_the_rest(
    given: TurnInput, expected: str, end: list[Any]
) -> None:
    match = a_team(rounds=3)
    turn = await match.play(QUESTION, meanwhile={1: [given]})
    assert script(turn) == expected
    assert [each.round for each in turn.interjections] == [2]
    assert ends(turn)[1:2] == end or not end
    words = {"AddInput": "<fact>It is late.</fact>", "SteerInput": "<direction>Be brief.</direction>"}
    if (word := words.get(type(given).__name__)) is not None:
        assert word not in match.heard("a", 0)[-1]
        assert all(word in match.heard(seat, call)[-1] for seat, call in (("a", 1), ("c", 2), ("d", -1)))


@pytest.mark.parametrize(
    ("given", "expected", "end"), [step[1:] for step in STEPS], ids=[step[0] for step in STEPS]
)
@on_virtual_time
async def test_what_is_said_while_it_pauses_shapes_the_next_turn(
    given: TurnInput, expected: str, end: list[Any]
) -> None:
    match = a_team(rounds=3, pause="each_round")
    first = await match.play(QUESTION)
    assert (script(first), ends(first)) == ("1:abc", [("planned", "pause", None)])
    turns = [first, await match.play(given)]
    while ends(turns[-1])[-1][1] == "pause":
        turns.append(await match.play(ContinueInput()))
    assert " ".join(map(script, turns)) == expected
    assert len({note.key for turn in turns for note in turn.notes if note.name == "team.said/1"}) == sum(
        len(data(turn, "said")) for turn in turns
    )


@pytest.mark.parametrize(
    ("given", "expected", "end"), [step[1:] for step in STEPS], ids=[step[0] for step in STEPS]
)
@on_virtual_time
async def test_what_is_said_while_the_last_round_runs_reaches_the_synthesis(
    given: TurnInput, expected: str, end: list[Any]
) -> None:
    match = a_team(rounds=1)
    turn = await match.play(QUESTION, meanwhile={1: [given]})
    assert script(turn) == ("1:abc 2:b 3:d" if isinstance(given, AskInput) else "1:abc 2:d")
    if text := getattr(given, "text", ""):
        assert text in match.heard("d")[-1]
    assert len(data(turn, "synthesis")) == 1


@on_virtual_time
async def test_what_is_said_in_a_round_before_a_pause_is_heard_in_the_next_turn() -> None:
    match = a_team(rounds=3, pause="each_round")
    first = await match.play(QUESTION, meanwhile={1: [AddInput("It is late."), SkipInput("c")]})
    assert script(first) == "1:abc"
    second = await match.play(ContinueInput())
    assert script(second) == "2:ab"
    assert "<fact>It is late.</fact>" in match.heard("a")[-1]
    assert script(await match.play(ContinueInput())) == "3:abc 4:d"
    assert match.heard("d")[-1].count("It is late.") == 1


@on_virtual_time
async def test_an_end_asked_for_in_a_round_before_a_pause_comes_at_once() -> None:
    turn = await a_team(rounds=3, pause="each_round").play(QUESTION, meanwhile={1: [SynthesiseInput()]})
    assert script(turn) == "1:abc 2:d"


@on_virtual_time
async def test_several_questions_and_skips_count_each() -> None:
    match = a_team(rounds=3)
    words: list[TurnInput] = [AskInput("b", "How hot?"), AskInput("b", "And when?"), AskInput("c", "Why?")]
    turn = await match.play(QUESTION, meanwhile={1: words, 2: [SkipInput(), SkipInput(), SkipInput()]})
    assert script(turn) == "1:abc 2:bc 3:d"
    assert "<asked_of_you>How hot?\n\nAnd when?</asked_of_you>" in match.heard("b")[-1]
    assert "<asked_of>Critic</asked_of><asked>How hot?</asked>" in match.heard("c")[-1]
    assert [(each["done"], each["rounds"]) for each in data(turn, "round")] == [(1, 3), (1, 3), (3, 3)]


@on_virtual_time
async def test_it_can_be_left_to_run_to_the_end() -> None:
    match = a_team(rounds=3, pause="each_round")
    await match.play(QUESTION)
    turn = await match.play(ContinueInput(to_end=True))
    assert script(turn) == "2:abc 3:abc 4:d"
    assert data(turn, "plan")[0]["done"] == 1


@pytest.mark.parametrize("pause", ["never", "each_round"])
@on_virtual_time
async def test_after_the_synthesis_one_more_round_leads_to_another_one(pause: str) -> None:
    match = a_team(rounds=1, pause=pause)
    assert script(await match.play(QUESTION)) == "1:abc 2:d"
    assert script(await match.play(SteerInput("Again."))) == "3:abc 4:d"
    assert script(await match.play(AskInput("c", "And you?"))) == "5:c 6:d"
    assert "<earlier_synthesis>## Consensus" in match.heard("c")[-1]
    assert script(await match.play(SynthesiseInput())) == "7:d"


@on_virtual_time
async def test_a_new_question_begins_anew_and_remembers_the_synthesis() -> None:
    match = a_team(rounds=1)
    await match.play(QUESTION)
    turn = await match.play("And to eat?")
    assert script(turn) == "1:abc 2:d"
    prompt = match.heard("b")[-1]
    assert "<question>And to eat?</question>" in prompt
    assert "<statements>" not in prompt
    assert "<earlier_synthesis>## Consensus" in prompt
    assert match.heard("b")[1:-1] == [f"user: {QUESTION}", "assistant: b 1."]


@on_virtual_time
async def test_skipping_all_members_ends_the_round_without_an_error() -> None:
    match = a_team(rounds=2)
    turn = await match.play(QUESTION, meanwhile={1: [SkipInput(seat) for seat in "abc"]})
    assert (turn.status, script(turn)) == ("completed", "1:abc 3:d")
    assert data(turn, "round")[1]["left_out"] == ["a", "b", "c"]


# ── caps ─────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("cap", "expected", "last"),
    [  # each call takes 8 tokens and 9 micro-dollars
        ({"max_tokens": 1000}, "1:abc 2:abc 3:abc 4:d", ("synthesis", "end", "rounds")),
        ({"max_tokens": 50}, "1:abc 2:abc 3:d", ("synthesis", "end", "tokens")),
        ({"max_tokens": 29}, "1:abc 2:d", ("synthesis", "end", "tokens")),
        ({"max_tokens": 24}, "1:abc", ("planned", "end", "tokens")),
        ({"max_tokens": 1}, "1:abc", ("planned", "end", "tokens")),
        ({"max_cost_usd": 0.00003}, "1:abc 2:d", ("synthesis", "end", "money")),
        ({"max_cost_usd": 0.000001}, "1:abc", ("planned", "end", "money")),
    ],
)
@pytest.mark.parametrize("pause", ["never", "each_round"])
@on_virtual_time
async def test_a_cap_ends_the_rounds_and_keeps_a_part_for_the_synthesis(
    cap: dict[str, Any], expected: str, last: tuple[str, str, str], pause: str
) -> None:
    match = a_team(rounds=3, pause=pause, **cap)
    turns = [await match.play(QUESTION)]
    while ends(turns[-1])[-1][1] == "pause":
        turns.append(await match.play(ContinueInput()))
    assert (" ".join(map(script, turns)), ends(turns[-1])[-1]) == (expected, last)
    if last[1:] == ("end", "tokens") and last[0] == "planned":
        refused = await match.play(ContinueInput())
        assert refused.error is not None
        assert (refused.error.code, refused.replies) == ("mode_cap_reached", ())
        assert script(await match.play(SynthesiseInput())).endswith("d")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("cap", range(4, 90, 7))
@on_virtual_time
async def test_no_cap_is_overshot_by_more_than_the_calls_in_flight(strategy: str, cap: int) -> None:
    turn = await a_team(strategy, rounds=3, max_tokens=cap).play(QUESTION)
    at_once = 3 if strategy == "debate" else 2 if strategy in ("critique", "red_team") else 1
    assert len(turn.replies) * 8 < cap + at_once * 8
    assert ends(turn)[-1][2] in ("tokens", "rounds")
