"""A sample of every campaign of `make prove`, and its control: a planted fault that it must catch."""

import pytest

from prove.campaign import Batch, Campaign, Skipped, failures
from prove.campaigns import all_campaigns

SEED = 7
CAMPAIGNS = all_campaigns()


@pytest.mark.parametrize("campaign", CAMPAIGNS, ids=lambda campaign: campaign.name)
@pytest.mark.timeout(300)
def test_sample(campaign: Campaign, tmp_path) -> None:
    try:
        tally = campaign.run(Batch(first=0, count=campaign.sample, seed=SEED, folder=tmp_path))
    except Skipped as missing:
        pytest.skip(str(missing))
    assert tally.trials == campaign.sample
    assert failures(campaign, tally) == []
    assert isinstance(campaign.summary(tally), str)


@pytest.mark.parametrize("campaign", CAMPAIGNS, ids=lambda campaign: campaign.name)
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
