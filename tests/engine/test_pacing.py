"""Tests of pacing: speed does not tell which model sits where."""

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from parley.engine.live_reply import LiveReply
from parley.engine.pacing import LEAD_S, MARGIN, MAX_RATE, WAIT_EVERY, EvenCursor, NaturalCursor
from parley.kernel.seats import Seat

TICK = 0.033
Plan = Sequence[tuple[float, int]]
"""When a side says how many code points, in seconds; it ends with its last piece."""


def play(*plans: Plan, until: float = 600.0) -> list[tuple[float, int, tuple[int, ...]]]:
    """Return (time, position, what is seen of each side) at every tick until everything is released."""
    sides = [a_reply(name) for name in "ab"[: len(plans)]]
    cursor = EvenCursor()
    seen: list[tuple[float, int, tuple[int, ...]]] = []
    now = 0.0
    while now < until:
        for side, plan in zip(sides, plans, strict=True):
            for at, length in plan:
                if now - TICK < at <= now:
                    side.append("text", "x" * length, at)
            if side.ended_at is None and plan and plan[-1][0] <= now:
                side.ended_at = plan[-1][0]
        done = cursor.advance(sides, now)
        lengths = tuple(min(cursor.position, side.text.length) for side in sides)
        seen.append((now, cursor.position, lengths))
        if done:
            return seen
        now += TICK
    raise AssertionError("the cursor never came to its end")


def a_reply(name: str) -> LiveReply:
    seat = Seat(name, name, name, "model")
    return LiveReply(
        reply_id=name, seat=seat, path="", number=0, purpose="answer", order=0, attempt=1, now=0.0
    )


def steadily(rate: float, length: int, start: float = 0.1, piece: int = 4) -> Plan:
    return [(start + index * piece / rate, piece) for index in range(length // piece)]


def test_the_start_waits_for_the_slower_first_word() -> None:
    seen = play(steadily(200, 400, start=0.1), steadily(200, 400, start=5.0))
    first = next(now for now, position, _ in seen if position > 0)
    assert first >= 5.0 + LEAD_S


def test_a_reply_that_is_shown_all_at_once_does_not_wait_for_the_lead() -> None:
    seen = play([(1.0, 40)], [(1.0, 40)])
    assert next(now for now, position, _ in seen if position > 0) < 1.0 + LEAD_S


def test_both_sides_are_always_at_the_same_position_while_both_speak() -> None:
    for _, position, (left, right) in play(steadily(300, 800), steadily(40, 800)):
        assert left == min(position, 800)
        assert left == right


def test_the_pair_advances_at_the_rate_of_the_slower_side() -> None:
    seen = play(steadily(1000, 1200), steadily(100, 1200))
    middle = [(now, position) for now, position, _ in seen if 300 <= position <= 900]
    rate = (middle[-1][1] - middle[0][1]) / (middle[-1][0] - middle[0][0])
    assert 0.85 * MARGIN * 100 <= rate <= 1.15 * MARGIN * 100


def test_nobody_is_faster_than_the_greatest_rate() -> None:
    seen = play([(0.1, 4000)], [(0.1, 4000)])
    for (before, old, _), (now, new, _) in pairwise(seen):
        assert new - old <= MAX_RATE * (now - before) + 1


def test_a_stall_of_one_stops_both() -> None:
    stalled = [*steadily(100, 200), (30.0, 200)]
    at_twenty = next(lengths for now, _, lengths in play(steadily(100, 400), stalled) if now >= 20)
    assert at_twenty == (192, 192)


def test_a_stall_shows_no_end_of_a_piece() -> None:
    """Where one side's piece ends, the other's text is in mid-word: that would tell who is waited for."""
    for size in (7, 23, 50):
        pieces = [(0.1, size), (0.2, size), (20.0, size)]
        at_ten = next(position for now, position, _ in play(pieces, steadily(400, 3 * size)) if now >= 10)
        assert at_ten == 2 * size // WAIT_EVERY * WAIT_EVERY


def test_the_longer_text_goes_on_at_the_pace_of_the_pair_whichever_model_is_slow() -> None:
    """A quick model's last stretch is as long as a slow one's would be."""
    ends = {
        longer: play(steadily(rate, 1200), steadily(other, 400))[-1][0]
        for longer, rate, other in (("quick", 1000, 60), ("slow", 60, 1000))
    }
    assert abs(ends["quick"] - ends["slow"]) < 0.05 * ends["slow"]


def test_the_rate_is_frozen_once_the_shorter_text_is_shown_whole() -> None:
    for fast_is_longer in (True, False):
        longer = steadily(2000 if fast_is_longer else 60, 1200)
        shorter = steadily(60 if fast_is_longer else 2000, 200)
        seen = play(longer, shorter)
        tail = [(now, position) for now, position, _ in seen if 220 < position < 1190]
        rates = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(tail[::10], tail[10::10], strict=False)]
        assert max(rates) <= MARGIN * 60 * 1.3, "the longer side must not show its own speed"


def test_what_the_longer_text_does_after_the_end_of_the_shorter_one_does_not_change_its_pace() -> None:
    ends: list[float] = []
    for later in (70, 1000):
        longer = [*steadily(70, 400), *steadily(later, 800, start=0.1 + 400 / 70)]
        ends.append(play(longer, steadily(1000, 400))[-1][0])
    assert abs(ends[0] - ends[1]) < 0.1


def test_the_size_of_a_models_pieces_does_not_show_in_the_pace_of_the_longer_text() -> None:
    """The piece in which the common part ends counts by its share."""
    ends: list[float] = []
    for left, right in ((600, 200), (200, 600)):
        coarse = [(1.0 + min(start + 70, left) / 60, min(70, left - start)) for start in range(0, left, 70)]
        ends.append(play(coarse, steadily(1000, right))[-1][0])
    assert abs(ends[0] - ends[1]) < 0.05 * ends[0]


def test_a_word_as_an_answer_does_not_uncover_how_fast_the_other_side_is() -> None:
    ends = [play([(0.5, 4)], steadily(rate, 800))[-1][0] for rate in (90, 1500)]
    assert abs(ends[0] - ends[1]) < 0.2


def test_two_texts_that_come_at_once_are_shown_without_delay() -> None:
    assert play([(0.1, 600)], [(0.1, 500)])[-1][0] < 4.0


def test_a_text_is_released_to_its_last_code_point() -> None:
    seen = play(steadily(120, 403, piece=13), steadily(70, 96))
    assert seen[-1][2] == (403 // 13 * 13, 96)


@settings(max_examples=40)
@given(
    fast=st.floats(20, 2000),
    slow=st.floats(20, 2000),
    lengths=st.tuples(st.integers(4, 600), st.integers(4, 600)),
    starts=st.tuples(st.floats(0, 5), st.floats(0, 5)),
)
def test_sides_swapped_give_mirrored_timelines(
    fast: float, slow: float, lengths: tuple[int, int], starts: tuple[float, float]
) -> None:
    one, two = steadily(fast, lengths[0], starts[0]), steadily(slow, lengths[1], starts[1])
    there = [(now, position, (left, right)) for now, position, (left, right) in play(one, two)]
    back = [(now, position, (right, left)) for now, position, (left, right) in play(two, one)]
    assert there == back


@settings(max_examples=30)
@given(rate=st.floats(30, 500), other=st.floats(30, 500), start=st.floats(0, 4))
def test_equal_lengths_give_equal_views_whoever_is_fast(rate: float, other: float, start: float) -> None:
    for _, _, (left, right) in play(steadily(rate, 300), steadily(other, 300, start)):
        assert left == right


def test_the_natural_cursor_shows_everything_at_once() -> None:
    cursor, side, silent = NaturalCursor(), a_reply("a"), a_reply("b")
    side.append("text", "twelve chars", 1.0)
    assert not cursor.advance([side, silent], 1.0)
    assert cursor.position == 13, "a picture after the last character is shown too"
    side.ended_at = silent.ended_at = 2.0
    assert cursor.advance([side, silent], 2.0)


def test_no_cursor_ends_before_anybody_has_spoken() -> None:
    assert not EvenCursor().advance([], 1.0)
    assert not NaturalCursor().advance([], 1.0)
