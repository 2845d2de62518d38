"""The simulated members of `prove.deliberation` and the modes that they play understand each other."""

import pytest

from prove.deliberation.__main__ import WAYS
from prove.deliberation.people import Manners
from prove.deliberation.trial import Team, a_company, deliberate, questions

ADVERSARIAL = {"role", "team, red_team", "team, trial"}
"""Ways in which members argue for what they do not believe."""


@pytest.mark.parametrize("name", WAYS)
async def test_members_who_know_the_answer_are_read_by_every_strategy(name: str) -> None:
    team = Team("sure", (1.0, 1.0, 1.0), 0.0, 1.0)
    outcomes = await deliberate(team, a_company(team, Manners()), WAYS[name], questions(6, 1), 1)
    assert all(outcome.calls > 3 and outcome.seconds > 0 for outcome in outcomes)
    right = sum(outcome.right for outcome in outcomes)
    assert right == 6 or (name in ADVERSARIAL and right >= 4)


async def test_a_team_whose_members_are_wrong_alike_is_wrong() -> None:
    team = Team("wrong", (0.0, 0.0, 0.0), 1.0, 0.0)
    outcomes = await deliberate(team, a_company(team, Manners()), WAYS["team, debate"], questions(6, 1), 1)
    assert not any(outcome.right for outcome in outcomes)


async def test_members_who_answer_at_once_take_as_long_as_the_slowest() -> None:
    team, steady = Team("steady", (1.0, 1.0, 1.0), 0.0, 1.0), Manners(seconds=1.0, spread=0.0)
    seconds = {
        name: (await deliberate(team, a_company(team, steady), WAYS[f"team, {name}"], questions(1, 1), 1))[
            0
        ].seconds
        for name in ("debate", "round_robin", "critique")
    }
    # Two rounds at once; three in turn, twice; a draft, then twice criticism and a revision. Then the synthesis.
    assert seconds == {"debate": 3.0, "round_robin": 7.0, "critique": 6.0}
