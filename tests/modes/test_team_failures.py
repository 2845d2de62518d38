"""A team whose members fail, and whose process ends at any moment."""

from typing import Any

import pytest

from parley.kernel.errors import Rejected
from parley.kernel.inputs import AddInput, AskInput, SkipInput, SteerInput, SynthesiseInput, TurnInput
from parley.kernel.views import TurnView
from parley.modes.team.mode import Team
from parley.modes.team.strategies import STRATEGIES
from parley.testing import BREAK, PlayedMatch
from tests.fakes.team_talk import QUESTION, SEATS, SYNTHESIS, Answer, Cut, a_team, asked, data, plain
from tests.fakes.virtual_loop import on_virtual_time


# ── failures ─────────────────────────────────────────────────────────────────────────────────────────
@on_virtual_time
async def test_a_failing_member_is_left_out_and_asked_again_in_the_next_round() -> None:
    match = a_team(rounds=2, instead={"b": [(Rejected("The key was refused."),), ("Coffee.",)]})
    turn = await match.play(QUESTION)
    said = {each["ref"]: each for each in data(turn, "said")}
    assert said["1.2"]["problem"]["title"] == "The key was refused."
    assert (said["2.2"]["problem"], said["2.2"]["task"]) == (None, "answer")
    assert "1.2 Critic" not in match.heard("a", 1)[-1]
    assert "2.2 Critic" in match.heard("d")[-1]


@pytest.mark.parametrize(
    ("strategy", "failing", "code"),
    [
        ("debate", "abc", "mode_without_members"),
        ("critique", "a", "mode_without_members"),
        ("red_team", "a", "mode_without_members"),
        ("debate", "d", "mode_without_synthesis"),
        ("trial", "d", "mode_without_synthesis"),
    ],
)
@on_virtual_time
async def test_without_an_answer_that_all_need_the_turn_fails_and_retry_asks_only_what_is_missing(
    strategy: str, failing: str, code: str
) -> None:
    match = PlayedMatch(
        Team(), SEATS, brief={"strategy": strategy, "rounds": 1, "members": {"d": {"role": "Judge"}}}
    )
    for seat in failing:
        for _ in range(2 if (strategy, seat) == ("trial", "d") else 1):
            match.says(seat, "half", Rejected("The key was refused."))
        match.says(seat, SYNTHESIS)
    turn = await match.play(QUESTION)
    assert turn.error is not None
    assert (turn.status, turn.error.code) == ("failed", code)
    before = {seat: match.asked(seat) for seat in SEATS}
    again = await match.retry()
    assert again.status == "completed"
    fine = [reply.seat for reply in turn.replies if reply.status == "completed" and reply.seat not in failing]
    assert all(match.asked(seat) == before[seat] for seat in fine)


@pytest.mark.parametrize("said", [("Half a sen", BREAK), ("",), (" \n",)])
@on_virtual_time
async def test_a_reply_that_breaks_off_or_is_empty_is_not_said(said: Answer) -> None:
    match = a_team(rounds=1, instead={"b": [said]})
    turn = await match.play(QUESTION)
    assert sorted(each["problem"] is None for each in data(turn, "said")) == [False, True, True]
    assert match.heard("d")[-1].count("<ref>") == 2


# ── crash and resume ─────────────────────────────────────────────────────────────────────────────────
WORDS: list[TurnInput] = [
    AddInput("It is late."),
    SteerInput("Be brief."),
    AskInput("b", "How hot?"),
    SkipInput("b"),
    SkipInput(),
    SynthesiseInput(),
]


@pytest.mark.parametrize("strategy", STRATEGIES)
@on_virtual_time
async def test_a_crash_in_any_reply_changes_nothing_and_asks_nobody_twice(strategy: str) -> None:
    whole = await a_team(strategy).play(QUESTION, meanwhile={1: [AddInput("It is late.")]})
    for place, reply in enumerate(whole.replies):
        number = sum(other.seat == reply.seat for other in whole.replies[:place])
        match = a_team(strategy, cut=Cut(reply.seat, number))
        cut = await match.play(QUESTION, meanwhile={1: [AddInput("It is late.")]})
        assert cut.status == "running"
        turn = await match.resume()
        assert [(each.seat, each.round, each.text) for each in turn.replies] == [
            (each.seat, each.round, each.text) for each in whole.replies
        ], (strategy, place)
        assert sum(map(match.asked, SEATS)) == len(whole.replies) + _lost(cut)
        assert _timeless(plain(turn.notes)) == _timeless(plain(whole.notes))
        assert [each.round for each in turn.interjections] == [2]


def _lost(turn: TurnView) -> int:
    return sum(reply.status == "streaming" for reply in turn.replies)


def _timeless(notes: list[Any]) -> list[Any]:
    """Notes in the order of their keys, without the random ids of replies."""
    return sorted(
        ((name, number, key, {**note, "reply_id": ""}) for name, number, key, note in notes), key=str
    )


@pytest.mark.parametrize("given", WORDS, ids=str)
@on_virtual_time
async def test_a_crash_after_a_person_stepped_in_resumes_with_the_same_words(given: TurnInput) -> None:
    whole = await a_team(rounds=2).play(QUESTION, meanwhile={1: [given]})
    match = a_team(rounds=2, cut=Cut("d", 0))
    await match.play(QUESTION, meanwhile={1: [given]})
    turn = await match.resume()
    assert asked(turn) == asked(whole)
    assert _timeless(plain(turn.notes)) == _timeless(plain(whole.notes))
