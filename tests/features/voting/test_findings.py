"""Tests of what is found out about a vote when it is cast."""

import pytest

from parley.engine.hub import Passed
from parley.features.voting.findings import Findings, find
from parley.features.voting.hygiene import too_fast
from tests.fakes.rows import a_reply, a_turn

STREAMED = {"ttft_ms": 400, "duration_ms": 4_000, "tokens_per_second": 50.0}
ALL_AT_ONCE = {"ttft_ms": 9_000, "duration_ms": 20_000, "tokens_per_second": None}


def found_of(
    left: dict[str, object], right: dict[str, object], chars: int, passed: Passed | None
) -> Findings:
    sides = (("left", left), ("right", right))
    replies = [a_reply(seat=seat, text="x" * chars, metrics=metrics) for seat, metrics in sides]
    return find(
        [a_turn()], replies, passed, lambda _prompts, _pictures: (), prompts=["Hi"], seats=["left", "right"]
    )


@pytest.mark.parametrize(
    ("other", "ended_s", "seen"),
    [
        (STREAMED, 5, 5_600),  # words of both came after 0.4 s
        (ALL_AT_ONCE, 22, 3_000),  # an ensemble thinks for 9 s and speaks after 20
        ({**STREAMED, "ttft_ms": 3_000}, 5, 3_000),
        (
            {**STREAMED, "ttft_ms": 9_000},
            5,
            1_000,
        ),  # a metric of an earlier play: not less than since the end
    ],
)
def test_replies_can_be_read_from_when_both_have_words(
    other: dict[str, object], ended_s: int, seen: int
) -> None:
    passed = Passed(since_begin=(ended_s + 1) * 1000, since_end=1000)
    for sides in ((STREAMED, other), (other, STREAMED)):
        found = found_of(*sides, 800, passed)
        assert found.reading == (1000, seen, 1600)


def test_a_vote_in_the_moment_an_ensemble_has_spoken_is_too_fast() -> None:
    found = found_of(ALL_AT_ONCE, STREAMED, 3_000, Passed(since_begin=22_100, since_end=100))
    assert too_fast(found.reading)


def test_nobody_is_too_fast_where_it_is_not_known_how_long_there_was() -> None:
    found = found_of(STREAMED, STREAMED, 3_000, None)
    assert found.reading is None
    assert not too_fast(found.reading)
