"""Samples of the campaigns of `make prove`, and their controls: planted faults that they must catch.

Every night a sample of each is run; with every change those that guard what nobody may lose.
"""

import pytest

from prove.campaign import Batch, Campaign, Skipped, Tally, failures
from prove.campaigns import all_campaigns
from prove.campaigns.ratings_rigging import ENOUGH, Rigging

SEED = 7
CAMPAIGNS = all_campaigns()

GUARDS = {
    "blindness": ("identical-pictures", "identical-streams", "limited-places", "timing", "timing-again"),
    "votes": ("audit-tamper", "kill-votes", "kill-standings", "parallel-votes", "preferences"),
    "egress": ("egress-urls", "egress-rebinding"),
    "money": ("fault-storm", "kill-turns"),
}
"""The campaigns whose samples every change has to pass."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test of each campaign that this run samples."""
    if "campaign" in metafunc.fixturenames:
        guards = {name for names in GUARDS.values() for name in names}
        everything = metafunc.config.getoption("--everything")
        sampled = [campaign for campaign in CAMPAIGNS if everything or campaign.name in guards]
        metafunc.parametrize("campaign", sampled, ids=[campaign.name for campaign in sampled])


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_sample(campaign: Campaign, tmp_path) -> None:
    try:
        tally = campaign.run(Batch(first=0, count=campaign.sample, seed=SEED, folder=tmp_path))
    except Skipped as missing:
        pytest.skip(str(missing))
    assert tally.trials == campaign.sample
    assert failures(campaign, tally) == []
    assert isinstance(campaign.summary(tally), str)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_planted_fault_is_caught(campaign: Campaign, tmp_path) -> None:
    try:
        tally = campaign.control(Batch(first=0, count=campaign.sample, seed=SEED, folder=tmp_path))
    except Skipped as missing:
        pytest.skip(str(missing))
    assert failures(campaign, tally), "the campaign did not catch the fault that was planted for it"


def test_names_are_unique() -> None:
    names = [campaign.name for campaign in CAMPAIGNS]
    assert len(names) == len(set(names))
    assert {name for guards in GUARDS.values() for name in guards} <= set(names)


@pytest.mark.parametrize(
    ("name", "flagged", "of", "refuted"),
    [
        ("pushing: alone", 1, 4, True),
        ("pushing: alone", 2, 4, False),
        ("pushing: alone", 111, 120, False),
        ("pushing: alone", 105, 120, True),
        ("pushing: alone", 189, ENOUGH, True),
        ("pushing: alone", 190, ENOUGH, False),
        ("honest: even", 3, 60, False),
        ("honest: even", 5, 60, True),
        ("honest: even", 25, 2_400, True),
        ("honest: even", 24, 2_400, False),
        ("beyond the guarantee: 10% against", 1, 100, False),
    ],
)
def test_few_voters_refute_a_share_only_beyond_chance_and_many_by_the_share_itself(
    name: str, flagged: int, of: int, refuted: bool
) -> None:
    tally = Tally(figures={name: [1.0] * flagged + [0.0] * (of - flagged)})
    assert bool(Rigging().judge(tally)) is refuted


def test_a_share_is_judged_over_all_batches_and_what_a_batch_found_stays() -> None:
    name, whole = "pushing: alone", Tally(failures=["trial 3: lost"])
    for found in (3, 4, 3, 4, 4, 4):
        whole.add(Tally(figures={name: [1.0] * found + [0.0] * (4 - found)}))
    assert failures(Rigging(), whole) == ["trial 3: lost"], "22 of 24 are within chance of 95%"
    whole.add(Tally(figures={name: [0.0] * 8}))
    assert [text.partition(": ")[0] for text in failures(Rigging(), whole)] == ["trial 3", "pushing"]
