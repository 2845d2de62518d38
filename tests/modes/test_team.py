"""The team as a script: who speaks when, seeing what; how a person steps in; where it ends."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from parley.kernel.errors import Invalid, Rejected
from parley.kernel.inputs import (
    AddInput,
    AskInput,
    ContinueInput,
    SkipInput,
    SteerInput,
    SynthesiseInput,
    TurnInput,
)
from parley.kernel.seats import Seat
from parley.kernel.views import NoteView, TurnView
from parley.modes.team.brief import TeamBrief
from parley.modes.team.mode import Team
from parley.modes.team.ready import TEAMS
from parley.modes.team.strategies import STRATEGIES
from parley.testing import BREAK, CUT, PlayedMatch, Said
from tests.fakes.virtual_loop import on_virtual_time

Answer = tuple[Said, ...]


class Cut(NamedTuple):
    """The reply of a seat in which the process ends, counted from 0."""

    seat: str
    number: int


QUESTION = "Tea or <coffee>?"
SEATS = ("a", "b", "c", "d")
SYNTHESIS = "## Consensus\n- Hot [1.1 Proposer]\n## Disagreements\nNone.\n## Assumptions\n- Water [7.7]\n"
SYNTHESIS += "## Recommendation\n1. Tea [1.1 Proposer, 1.2 Critic]\n## Minority report\n- The Critic: coffee"
ROUNDS = {
    "round_robin": [("a", "speak"), ("b", "speak"), ("c", "speak")],
    "debate": [("a", "answer"), ("b", "answer"), ("c", "answer")],
    "trial": [("a", "argue"), ("b", "oppose"), ("c", "oppose"), ("d", "rule")],
    "critique": [("a", "draft"), ("b", "critique"), ("c", "critique"), ("a", "redraft")],
    "panel": [("d", "choose"), ("b", "speak"), ("a", "speak")],
    "red_team": [("a", "propose"), ("b", "attack"), ("c", "attack"), ("a", "defend")],
}
EMPTY: Mapping[str, Sequence[Answer]] = {}
CHOICE = "Next: Critic, Proposer\nAsk: Why?\nEnough: no"


def a_team(
    strategy: str = "debate",
    *,
    instead: Mapping[str, Sequence[Answer]] = EMPTY,
    cut: Cut | None = None,
    **brief: Any,
) -> PlayedMatch:
    """Three who speak, and a moderator who writes; each says "<seat> <n>." in its n-th reply.

    `instead` are other answers of a seat. The process ends in the `cut` reply of a seat, which it gives once more.
    """
    match = PlayedMatch(
        Team(), SEATS, brief={"strategy": strategy, "members": {"d": {"role": "Moderator"}}, **brief}
    )
    closing = "Answers: none\nPosition: Mine.\nChanged my mind: no"
    answers: dict[str, list[Answer]] = {
        seat: [(f"{seat} {number}.\n\n{closing}",) for number in range(1, 9)] for seat in "abc"
    }
    leading = {"panel": CHOICE, "trial": "a is ahead."}.get(strategy)
    answers["d"] = [(leading,)] * brief.get("rounds", 2) if leading else []
    answers["d"].append((SYNTHESIS,))
    answers |= {seat: list(said) for seat, said in instead.items()}
    if cut:
        answers[cut.seat].insert(cut.number, (*answers[cut.seat][cut.number], CUT))
    for seat, said in answers.items():
        for each in said:
            match.says(seat, *each)
    return match


def asked(turn: TurnView) -> list[tuple[int, str, str]]:
    return [(reply.round, reply.seat, reply.purpose) for reply in turn.replies]


def script(turn: TurnView) -> str:
    """Who was asked, as in "1:abc 2:abc 3:d"."""
    rounds: dict[int, str] = {}
    for reply in turn.replies:
        rounds[reply.round] = rounds.get(reply.round, "") + reply.seat
    return " ".join(f"{number}:{''.join(sorted(seats))}" for number, seats in rounds.items())


def data(turn: TurnView, name: str) -> list[Any]:
    return [note.data for note in turn.notes if note.name == f"team.{name}/1"]


def ends(turn: TurnView) -> list[tuple[str, str, str | None]]:
    return [(each["kind"], each["next"], each["why"]) for each in data(turn, "round")]


def plain(notes: Sequence[NoteView]) -> list[Any]:
    return [(note.name, note.round, note.key, note.data) for note in notes]


# ── strategies ───────────────────────────────────────────────────────────────────────────────────


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


# ── who is who ───────────────────────────────────────────────────────────────────────────────────


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


# ── stepping in ──────────────────────────────────────────────────────────────────────────────────

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


# ── moderators ───────────────────────────────────────────────────────────────────────────────────


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


# ── caps ─────────────────────────────────────────────────────────────────────────────────────────


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


# ── failures ─────────────────────────────────────────────────────────────────────────────────────


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


# ── crash and resume ─────────────────────────────────────────────────────────────────────────────


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


@pytest.mark.parametrize("given", [step[1] for step in STEPS], ids=[step[0] for step in STEPS])
@on_virtual_time
async def test_a_crash_after_a_person_stepped_in_resumes_with_the_same_words(given: TurnInput) -> None:
    whole = await a_team(rounds=2).play(QUESTION, meanwhile={1: [given]})
    match = a_team(rounds=2, cut=Cut("d", 0))
    await match.play(QUESTION, meanwhile={1: [given]})
    turn = await match.resume()
    assert asked(turn) == asked(whole)
    assert _timeless(plain(turn.notes)) == _timeless(plain(whole.notes))
