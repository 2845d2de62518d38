"""Checks proposed from graded answers: what they catch, and their false alarms."""

import pytest

from parley.features.lab.checks.checking import apply
from parley.features.lab.checks.contract import CheckedAnswer, JsonSchema, Language, Length, Number, Refusal
from parley.features.lab.checks.proposing import MOST_PROPOSED, GradedAnswer, Proposal, propose

GOOD = ["Rain, 14 degrees.", "Sun and 21 degrees.", "Snow above 900 m."]


def graded(good: list[str], bad: list[str], expected: str | None = None) -> list[GradedAnswer]:
    sides = [(text, True) for text in good] + [(text, False) for text in bad]
    return [GradedAnswer(CheckedAnswer(text=text, expected=expected), side) for text, side in sides]


async def proposed(good: list[str], bad: list[str], expected: str | None = None) -> list[Proposal]:
    return await propose(graded(good, bad, expected))


async def test_a_planted_flaw_is_caught_without_a_false_alarm() -> None:
    bad = ["I'm sorry, but I can't help with that.", "I cannot help with this request."]
    proposals = await proposed(GOOD, bad)
    best = proposals[0]
    assert (best.caught, best.alarms) == (2, 0)
    assert Refusal(negate=True) in [it.check for it in proposals]


@pytest.mark.parametrize(
    ("good", "bad", "kind"),
    [
        (GOOD, [f"{text} " * 30 for text in GOOD], Length),
        (['{"sky": "grey", "rain": true}', '{"sky": "blue"}'], ["The sky is grey", "It rains {"], JsonSchema),
        (
            ["The weather will be fine in the north today.", "There will be a lot of rain in the south."],
            ["Das Wetter wird heute im Norden schön sein.", "Im Süden wird es sehr viel regnen."],
            Language,
        ),
    ],
)
async def test_each_kind_of_flaw_has_its_check(good: list[str], bad: list[str], kind: type[object]) -> None:
    assert any(isinstance(it.check, kind) and it.caught == len(bad) for it in await proposed(good, bad))


async def test_a_number_is_compared_with_the_expected_one() -> None:
    proposals = await proposed(["It makes 1,200.", "1200 in all"], ["It is 12.", "About 1300"], "1200")
    assert Number() in [it.check for it in proposals]


async def test_counts_are_those_of_the_checks_themselves() -> None:
    answers = graded([*GOOD, "Sure! Rain and wind."], ["Sure! It rains a lot.", "Sure! Sun.", "- a\n- b"])
    proposals = await propose(answers)
    assert 0 < len(proposals) <= MOST_PROPOSED
    for it in proposals:
        fails = [side.good for side in answers if (await apply(it.check, side.answer)).passed is False]
        assert (it.caught, it.alarms) == (fails.count(False), fails.count(True))
        assert it.caught > 0
        assert it.alarms <= 0.2 * 4


async def test_without_both_sides_nothing_is_proposed() -> None:
    assert await proposed(GOOD, []) == await proposed([], GOOD) == []


async def test_answers_that_do_not_differ_yield_nothing() -> None:
    assert await proposed(["The same."] * 3, ["The same."] * 3) == []
