"""Tests of a seat's metrics over a match, and of the titles of sessions."""

import pytest

from parley.features.voting.metrics import total_metrics
from parley.kernel.views import Metrics
from parley.text.titles import TITLE_CHARS, title_of

ONE = Metrics(
    ttft_ms=100,
    duration_ms=1100,
    input_tokens=10,
    output_tokens=50,
    reasoning_tokens=5,
    tokens_per_second=50.0,
    cost_micros=7,
    estimated=False,
)
OTHER = Metrics(
    ttft_ms=301,
    duration_ms=3301,
    input_tokens=30,
    output_tokens=150,
    reasoning_tokens=0,
    tokens_per_second=50.0,
    cost_micros=None,
    estimated=True,
)


def test_the_metrics_of_one_turn_are_its_own() -> None:
    assert total_metrics([ONE]) is ONE
    assert total_metrics([]) is None


def test_the_metrics_of_a_match_are_sums_with_a_mean_wait() -> None:
    total = total_metrics([ONE, OTHER])
    assert total == Metrics(
        ttft_ms=200,
        duration_ms=4401,
        input_tokens=40,
        output_tokens=200,
        reasoning_tokens=5,
        tokens_per_second=50.0,
        cost_micros=7,
        estimated=True,
    )


@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        ("Hello", "Hello"),
        ("\n\n  Two   spaces \nand a line", "Two spaces"),
        ("x" * 80, "x" * 80),
        ("x" * 81, "x" * 80 + "…"),
        ("word, " * 20, "word, " * 12 + "word…"),
    ],
)
def test_a_title_is_the_first_line_cut_at_a_word(prompt: str, title: str) -> None:
    assert title_of(prompt) == title
    assert len(title_of(prompt)) <= TITLE_CHARS + 1
