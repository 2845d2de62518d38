"""Tests of what a file says of a vote's standing: whether it counts, and why not."""

import pytest

from parley.features.vote_files.parsing import _standing


@pytest.mark.parametrize(
    ("excluded", "kept"),
    [
        ("spam", "spam"),
        ("", None),
        ("flagged_voter", None),
    ],  # the rule of older versions took honest voters out
)
def test_a_vote_that_the_withdrawn_rule_took_out_counts_again(excluded: str, kept: str | None) -> None:
    row = {"parley_kind": "blind", "parley_counted": "true", "parley_reason": "", "parley_excluded": excluded}
    assert _standing(row) == ("blind", True, None, kept)
