"""Tests of what is found out about a vote when it is cast."""

from datetime import UTC, datetime, timedelta

import pytest

from parley.workspace.arena.ballot_repository import VotedReply, VotedTurn
from parley.workspace.arena.findings import find
from parley.workspace.arena.hygiene import too_fast

BEGUN = datetime(2026, 3, 1, 12, tzinfo=UTC)
STREAMED = {"ttft_ms": 400, "duration_ms": 4_000, "tokens_per_second": 50.0}
ALL_AT_ONCE = {"ttft_ms": 9_000, "duration_ms": 20_000, "tokens_per_second": None}


def a_turn(ended_at: datetime) -> VotedTurn:
    return VotedTurn("t", 0, {"text": "Hi"}, "completed", BEGUN, ended_at)


def a_reply(seat: str, chars: int, metrics: dict[str, object]) -> VotedReply:
    return VotedReply("t", seat, "completed", "x" * chars, metrics)


def seen_ms(left: dict[str, object], right: dict[str, object], *, ended_s: float, voted_s: float) -> int:
    turn = a_turn(BEGUN + timedelta(seconds=ended_s))
    sides = (("left", left), ("right", right))
    replies = [a_reply(seat, 800, metrics) for seat, metrics in sides]
    found = find([turn], replies, BEGUN + timedelta(seconds=voted_s), lambda _: ())
    assert found.reading is not None
    return found.reading.seen_ms


@pytest.mark.parametrize(
    ("other", "ended_s", "seen"),
    [
        (STREAMED, 5.0, 5_600),  # words of both came after 0.4 s
        (ALL_AT_ONCE, 22.0, 3_000),  # an ensemble thinks for 9 s and speaks after 20
        ({**STREAMED, "ttft_ms": 3_000}, 5.0, 3_000),
    ],
)
def test_replies_can_be_read_from_when_both_have_words(
    other: dict[str, object], ended_s: float, seen: int
) -> None:
    assert seen_ms(STREAMED, other, ended_s=ended_s, voted_s=ended_s + 1) == seen
    assert seen_ms(other, STREAMED, ended_s=ended_s, voted_s=ended_s + 1) == seen


def test_a_vote_in_the_moment_an_ensemble_has_spoken_is_too_fast() -> None:
    turn = a_turn(BEGUN + timedelta(seconds=22))
    replies = [
        a_reply("left", 3_000, ALL_AT_ONCE),
        a_reply("right", 3_000, STREAMED),
    ]
    found = find([turn], replies, BEGUN + timedelta(seconds=22.1), lambda _: ())
    assert too_fast(found.reading)
