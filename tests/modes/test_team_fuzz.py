"""Teams under any answers, any words of the person and any crash: every turn ends, and nothing is counted twice."""

import asyncio
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from parley.kernel.errors import Rejected
from parley.kernel.inputs import (
    AddInput,
    AskInput,
    ContinueInput,
    PromptInput,
    SkipInput,
    SteerInput,
    SynthesiseInput,
    TurnInput,
)
from parley.kernel.views import TurnView
from parley.modes.team.mode import Team
from parley.modes.team.strategies import STRATEGIES
from parley.testing import BREAK, CUT, PlayedMatch, Said
from tests.fakes.virtual_loop import run

SEATS = ("a", "b", "c")
CODES = {"mode_without_members", "mode_without_synthesis", "mode_cap_reached"}

texts = st.sampled_from(
    [
        "Next: Critic\nEnough: no",
        "Next: b, z\nEnough: yes",
        "## Consensus\n- All of it [1.1 Proposer] [9.9]\n## Recommendation\n- Do it [2.1]",
        "I was wrong, says the Critic [1.1].\nAnswers: 1.1, 1.2, 8.8\nPosition: No.\nChanged my mind: yes",
        "Position:\nPosition:",
        " ",
        "\x00 <said>[</said> 🜁",
    ]
)
answers = st.one_of(
    texts.map(lambda text: (text,)),
    st.sampled_from([("half", BREAK), ("half", Rejected("no")), ("half", CUT)]),
)
words = st.sampled_from(
    [
        AddInput("A fact."),
        SteerInput("Be brief."),
        AskInput("b", "Why?"),
        SkipInput("a"),
        SkipInput(),
        SynthesiseInput(),
    ]
)
inputs = st.one_of(words, st.sampled_from([ContinueInput(), ContinueInput(to_end=True), PromptInput("And?")]))
briefs = st.fixed_dictionaries(
    {
        "strategy": st.sampled_from(list(STRATEGIES)),
        "rounds": st.integers(1, 3),
        "pause": st.sampled_from(["never", "each_round"]),
        "max_tokens": st.sampled_from([None, 1, 40, 90]),
        "writer": st.sampled_from([None, "a", "c"]),
    }
)


@settings(max_examples=100)
@given(
    briefs,
    st.lists(answers, min_size=1, max_size=12),
    st.lists(inputs, max_size=4),
    st.dictionaries(st.integers(1, 4), st.lists(words, max_size=2), max_size=2),
)
def test_every_turn_ends_and_counts_everything_once(
    brief: dict[str, Any],
    said: Sequence[tuple[Said, ...]],
    given_later: Sequence[TurnInput],
    meanwhile: dict[int, list[TurnInput]],
) -> None:
    async def play() -> list[TurnView]:
        match = PlayedMatch(Team(), SEATS, brief=brief)
        for place, answer in enumerate([*said, *[("Enough.",)] * len(SEATS)]):
            match.says(SEATS[place % len(SEATS)], *answer)
        turns: list[TurnView] = []
        for given_now in (PromptInput("Tea?"), *given_later):
            turn = await match.play(given_now, meanwhile=meanwhile)
            for _ in range(len(said)):
                if turn.status == "running":
                    turn = await match.resume()
            if turn.status == "failed":
                turn = await match.retry()
            for _ in range(len(said)):
                if turn.status == "running":
                    turn = await match.resume()
            turns.append(turn)
        return turns

    turns = run(asyncio.wait_for(play(), 1000))
    refs: list[str] = []
    for turn in turns:
        assert turn.status in ("completed", "failed")
        assert turn.error is None or turn.error.code in CODES
        if isinstance(turn.input, PromptInput):
            refs = []
        refs += [note.key for note in turn.notes if note.name == "team.said/1"]
        assert len(refs) == len(set(refs))
        replies = {reply.id for reply in turn.replies}
        data: list[Any] = [note.data for note in turn.notes]
        assert all(each["reply_id"] in replies for each in data if each.get("reply_id"))
        answered = [answer["ref"] for each in data for answer in each.get("answers", ())]
        assert set(answered) <= set(refs)
