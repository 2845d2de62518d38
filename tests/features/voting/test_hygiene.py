"""Tests of the rules by which votes are kept and not counted."""

import pytest

from parley.features.voting.hygiene import PROMPT_CAP, Earlier, Reading, is_duplicate, too_fast

HERE = frozenset(("ada", "bob"))


@pytest.mark.parametrize(
    ("reading", "found"),
    [
        (Reading(read_ms=5, seen_ms=400, chars=3_000), True),  # a program, on answers that came at once
        (Reading(read_ms=900, seen_ms=1_500, chars=4_000), True),  # 2,700 characters a second
        (Reading(read_ms=150, seen_ms=4_900, chars=1_500), True),  # faster than a hand, 300 a second
        (Reading(read_ms=5, seen_ms=400, chars=900), False),  # short: one look
        (Reading(read_ms=250, seen_ms=4_000, chars=1_800), False),  # watched 450 characters a second come
        (Reading(read_ms=1_100, seen_ms=1_500, chars=6_000), False),  # a second to look
        (Reading(read_ms=0, seen_ms=6_000, chars=9_000), False),  # six seconds before the eyes
        (Reading(read_ms=60_000, seen_ms=70_000, chars=9_000), False),
        (None, False),
    ],
)
def test_a_vote_is_too_fast_only_where_nobody_could_have_looked(reading: Reading, found: bool) -> None:
    assert too_fast(reading) is found


def test_another_pair_or_another_person_is_no_duplicate() -> None:
    earlier = [Earlier("me", HERE), Earlier("you", frozenset(("ada", "cleo")))]
    assert is_duplicate("me", HERE, earlier)
    assert not is_duplicate("you", HERE, earlier)
    assert not is_duplicate("me", frozenset(("ada", "cleo")), earlier)


def test_a_question_counts_so_often_and_no_more() -> None:
    earlier = [Earlier(f"voter-{number}", HERE) for number in range(PROMPT_CAP)]
    assert not is_duplicate("me", HERE, earlier[1:])
    assert is_duplicate("me", HERE, earlier)
