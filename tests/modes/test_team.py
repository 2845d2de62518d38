"""The team as a script: who speaks when, seeing what."""

from collections import Counter
from typing import Any

import pytest

from parley.kernel.connector import Finish
from parley.kernel.errors import Invalid, Rejected
from parley.kernel.inputs import (
    SkipInput,
)
from parley.kernel.seats import Seat
from parley.modes.team.brief import TeamBrief
from parley.modes.team.mode import Team
from parley.modes.team.ready import TEAMS
from parley.modes.team.strategies import STRATEGIES
from parley.testing import PlayedMatch
from tests.fakes.team_talk import (
    QUESTION,
    ROUNDS,
    SEATS,
    SYNTHESIS,
    Answer,
    a_team,
    asked,
    data,
    ends,
)
from tests.fakes.virtual_loop import on_virtual_time


# ── strategies ───────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("strategy", STRATEGIES)
@on_virtual_time
async def test_each_strategy_asks_its_seats_in_its_order(strategy: str) -> None:
    turn = await a_team(strategy).play(QUESTION)
    first = [(1, *step) for step in ROUNDS[strategy]]
    later = [(2, seat, task) for seat, task in ROUNDS[strategy] if task not in ("draft", "propose")]
    assert asked(turn) == [*first, *later, (3, "d", "synthesis")]
    assert ends(turn) == [
        ("planned", "round", None),
        ("planned", "synthesis", "rounds"),
        ("synthesis", "end", "rounds"),
    ]
    (plan,) = data(turn, "plan")
    assert (plan["lead"], plan["chair"], plan["writer"], plan["rounds"]) == ("a", "d", "d", 2)
    refs = [note.key for note in turn.notes if note.name == "team.said/1"]
    assert (
        len(refs)
        == len(set(refs))
        == len([step for step in asked(turn) if step[2] not in ("choose", "synthesis")])
    )


HEARD = {  # what the second speaker of the second round has heard
    "round_robin": ["1.1 Proposer", "1.2 Critic", "1.3 Devil's advocate", "2.1 Proposer"],
    "debate": ["1.1 Proposer", "1.2 Critic", "1.3 Devil's advocate"],
    "trial": ["1.1 Proposer", "1.2 Critic", "1.3 Devil's advocate", "1.4 Moderator", "2.1 Proposer"],
    "critique": ["1.2 Critic", "1.3 Devil's advocate", "1.4 Proposer"],
    "panel": ["1.1 Critic", "1.2 Proposer"],
    "red_team": ["1.2 Critic", "1.3 Devil's advocate", "1.4 Proposer"],
}


@pytest.mark.parametrize("strategy", STRATEGIES)
@on_virtual_time
async def test_each_seat_hears_what_its_strategy_lets_it_hear(strategy: str) -> None:
    match = a_team(strategy)
    await match.play(QUESTION)
    prompt = match.heard("b", 1)[-1]
    refs = [
        line.removeprefix("<ref>").removesuffix("</ref>") for line in prompt.splitlines() if "<ref>" in line
    ]
    assert refs == HEARD[strategy]
    assert "<question>Tea or &lt;coffee&gt;?</question>" in prompt
    assert ("<asked_of_you>Why?</asked_of_you>" in prompt) == (strategy == "panel")
    everything = match.heard("d")[-1]
    assert everything.count("<ref>") == sum(
        "<position>" in part for part in everything.split("<statement>")[1:]
    ) + (2 if strategy == "trial" else 0)


@on_virtual_time
async def test_those_who_are_asked_at_once_do_not_hear_each_other_and_revise_from_the_second_round_on() -> (
    None
):
    match = a_team()
    turn = await match.play(QUESTION)
    assert "<statements>" not in match.heard("b", 0)[-1]
    assert [each["task"] for each in data(turn, "said")] == ["answer"] * 3 + ["revise"] * 3


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("pause", ["never", "each_round"])
@pytest.mark.parametrize("rounds", [1, 3])
@on_virtual_time
async def test_the_outline_tells_the_calls_before_they_are_made(
    strategy: str, pause: str, rounds: int
) -> None:
    match = a_team(strategy, rounds=rounds, pause=pause)
    turn = await match.play(QUESTION)
    seats = [Seat(name, name, "member", name) for name in SEATS]
    outline = Team().outline(TeamBrief.model_validate(match.brief), seats)
    asked_for = Counter((reply.seat, reply.purpose) for reply in turn.replies)
    for calls in outline.calls:
        count = asked_for.pop((calls.seat, calls.purpose), 0)
        chosen = (strategy, calls.purpose) == ("panel", "speak")  # anybody may be, so only the sum is certain
        assert (0 if chosen else calls.least) <= count <= calls.most, calls
        assert calls.hears_least <= calls.hears_most
    assert not asked_for
    least, most = sum(calls.least for calls in outline.calls), sum(calls.most for calls in outline.calls)
    assert least <= len(turn.replies) <= most
    if strategy != "panel":
        assert least == len(turn.replies)
        assert most == len((await a_team(strategy, rounds=rounds).play(QUESTION)).replies)


@on_virtual_time
async def test_the_points_of_a_synthesis_lead_to_statements_that_are_there() -> None:
    turn = await a_team(rounds=1).play(QUESTION)
    (synthesis,) = data(turn, "synthesis")
    assert synthesis["consensus"] == [
        {"text": "Hot [1.1 Proposer]", "refs": ["1.1"], "unknown": [], "holders": ["a"]}
    ]
    assert synthesis["assumptions"] == [
        {"text": "Water [7.7]", "refs": [], "unknown": ["7.7"], "holders": []}
    ]
    (point,) = synthesis["recommendation"]
    assert (point["refs"], point["holders"]) == (["1.1", "1.2"], ["a", "b"])
    assert (synthesis["disagreements"], synthesis["minority"][0]["holders"]) == ([], ["b"])
    assert (synthesis["parsed"], synthesis["warning"]) == (True, None)


@pytest.mark.parametrize(
    ("said", "parsed", "warning"),
    [
        (("Just drink tea.",), False, "does not have its parts"),
        (("## Recommendation\nTea.",), True, "has no part “consensus”"),
        (("## Recommendation\nTe", Finish("length")), True, "reached its token limit"),
    ],
)
@on_virtual_time
async def test_a_synthesis_in_another_form_is_still_shown(said: Answer, parsed: bool, warning: str) -> None:
    turn = await a_team(rounds=1, instead={"d": [said]}).play(QUESTION)
    (synthesis,) = data(turn, "synthesis")
    assert synthesis["parsed"] is parsed
    assert warning in synthesis["warning"]
    assert synthesis["recommendation"][0]["text"] in said[0]


# ── who is who ───────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("brief", "field"),
    [
        ({"members": {"z": {"role": "Critic"}}}, "brief.members.z"),
        ({"writer": "z"}, "brief.writer"),
        ({"members": {"a": {"role": "Judge"}}}, "brief.members"),
        ({"strategy": "panel"}, "brief.members"),
    ],
)
def test_a_brief_that_does_not_fit_its_seats_is_refused(brief: dict[str, Any], field: str) -> None:
    seats = [Seat("1", "a", "member", "ada"), Seat("2", "b", "member", "bob")]
    with pytest.raises(Invalid) as refused:
        Team().check(TeamBrief.model_validate(brief), seats)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("brief", "roles", "lead", "chair", "writer"),
    [
        ({}, "Proposer, Critic, Devil's advocate", "a", None, "a"),
        ({"strategy": "panel"}, "Proposer, Critic, Moderator", "a", "c", "c"),
        ({"strategy": "trial"}, "Proposer, Critic, Judge", "a", "c", "c"),
        ({"members": {"a": {"role": "critic"}}}, "critic, Critic 2, Devil's advocate", "a", None, "a"),
        (
            {"members": {"c": {"role": "Proposer"}}, "writer": "b"},
            "Proposer, Critic, Proposer 2",
            "a",
            None,
            "b",
        ),
        (
            {"members": {"a": {"role": "Poet"}, "c": {"role": "Proposer"}}},
            "Poet, Critic, Proposer",
            "c",
            None,
            "c",
        ),
        ({"members": {"a": {"role": "MODERATOR"}}}, "MODERATOR, Critic, Devil's advocate", "b", "a", "a"),
    ],
)
@on_virtual_time
async def test_seats_get_roles_and_one_leads_and_one_writes(
    brief: dict[str, Any], roles: str, lead: str, chair: str | None, writer: str
) -> None:
    turn = await PlayedMatch(Team(), "abc", brief={**brief, "rounds": 1}).play(QUESTION)
    (plan,) = data(turn, "plan")
    assert ", ".join(each["role"] for each in plan["members"]) == roles
    assert (plan["lead"], plan["chair"], plan["writer"]) == (lead, chair, writer)


@pytest.mark.parametrize("ready", TEAMS, ids=lambda ready: ready["name"])
@on_virtual_time
async def test_every_ready_team_plays_to_its_synthesis(ready: dict[str, Any]) -> None:
    brief = ready["brief"]
    turn = await PlayedMatch(Team(), list(brief["members"]), brief=brief).play(QUESTION)
    assert turn.status == "completed"
    assert [each["role"] for each in data(turn, "plan")[0]["members"]] == [
        member["role"] for member in brief["members"].values()
    ]
    assert len(data(turn, "synthesis")) == 1


@on_virtual_time
async def test_roles_and_instructions_reach_their_seat() -> None:
    members = {"a": {"role": "Poet", "instructions": "Rhyme."}, "b": {"role": "fact checker"}}
    match = PlayedMatch(Team(), "ab", brief={"members": members, "instructions": "Be <kind>."})
    await match.play(QUESTION)
    system, checker = match.heard("a", 0)[0], match.heard("b", 0)[0]
    assert "<role>Poet</role>\nYour colleagues: fact checker." in system
    assert "<role_instructions>Rhyme.</role_instructions>" in system
    assert "Be &lt;kind&gt;." in system
    assert "Be &lt;kind&gt;." in checker
    assert "Check numbers, names, sources and logic." in checker


# ── moderators ───────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("said", "chosen", "problem"),
    [
        ("Next: Critic\nAsk: Why?", "b", None),
        ("**Next:** [1.2 Critic] and the `Proposer`.", "ba", None),
        ("Next: CRITIC\nNext:", "b", None),
        ("Next: Critic – to check the numbers, proposer", "ba", None),
        ("Next: c, b, a, c", "cba", None),
        ("Next: the Lawyer, Critic", "b", None),
        ("I would like to hear the Devil's advocate, then the Critic.", "cb", None),
        ("Next: Lawyer", "a", "absent"),
        ("Next: Moderator", "a", "absent"),
        ("Next: none", "a", "nobody"),
        ("Next:", "a", "nobody"),
        ("What a lovely question!", "a", "nonsense"),
        ("", "a", "failed"),
        (Rejected("no"), "a", "failed"),
    ],
)
@on_virtual_time
async def test_whom_the_moderator_names_speaks_else_who_has_said_least(
    said: Any, chosen: str, problem: str | None
) -> None:
    match = PlayedMatch(Team(), SEATS, brief={"strategy": "panel", "rounds": 2})
    match.says("d", said)
    match.says("d", "Next: nobody")
    match.says("d", SYNTHESIS)
    turn = await match.play(QUESTION)
    first, second = data(turn, "choice")
    assert (first["how"], first["problem"]) == ("fallback" if problem else "moderator", problem)
    assert [reply.seat for reply in turn.replies if (reply.round, reply.purpose) == (1, "speak")] == list(
        chosen
    )
    assert first["chosen"] == list(chosen)
    least = next((seat for seat in "abc" if seat not in chosen), "a")
    assert (second["chosen"], second["how"]) == ([least], "fallback")


@on_virtual_time
async def test_a_moderator_ends_the_discussion_when_there_is_enough_but_not_before_anything_was_said() -> (
    None
):
    match = PlayedMatch(Team(), SEATS, brief={"strategy": "panel", "rounds": 5})
    for text in ("Next: Critic\nEnough: yes", "Next: Critic\nEnough: yes, it is", SYNTHESIS):
        match.says("d", text)
    turn = await match.play(QUESTION)
    assert asked(turn) == [(1, "d", "choose"), (1, "b", "speak"), (2, "d", "choose"), (3, "d", "synthesis")]
    assert ends(turn)[-1] == ("synthesis", "end", "moderator")


@on_virtual_time
async def test_a_skipped_moderator_leaves_the_choice_to_the_rule() -> None:
    match = a_team("panel", rounds=3)
    turn = await match.play(QUESTION, meanwhile={1: [SkipInput("d")], 2: [SkipInput("a"), SkipInput("b")]})
    assert [(each["chosen"], each["how"]) for each in data(turn, "choice")] == [
        (["b", "a"], "moderator"),
        (["c"], "fallback"),
        (["c"], "fallback"),
    ]
