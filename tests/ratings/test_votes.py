"""Tests of votes from columns: every form of input, and rows that are none."""

import numpy as np
import pyarrow as pa
import pytest

from parley.kernel.errors import Invalid
from parley.ratings import Counts, Outcome, RatingOptions, rate, rate_votes, votes_of
from parley.ratings.counts import MODELS_MAX

LEFT = ["a", "b", "a", "c"]
RIGHT = ["b", "a", "c", "b"]
WINNER = ["model_a", "model_b", "tie", "tie (bothbad)"]


@pytest.mark.parametrize(
    "form",
    [
        list,
        tuple,
        np.array,
        lambda it: np.array(it, dtype=object),
        pa.array,
        lambda it: pa.array(it).dictionary_encode(),
        lambda it: pa.chunked_array([it[:1], it[1:]]),
        lambda it: pa.chunked_array(
            [pa.array(it[:3]).dictionary_encode(), pa.array(it[3:]).dictionary_encode()]
        ),
    ],
    ids=["list", "tuple", "array", "objects", "arrow", "dictionary", "chunks", "chunks of dictionaries"],
)
def test_every_form_of_column_is_read_alike(form) -> None:
    votes, faults = votes_of(form(LEFT), form(RIGHT), form(WINNER))
    assert votes.models == ("a", "b", "c")
    assert votes.left.tolist() == [0, 1, 0, 2]
    assert votes.right.tolist() == [1, 0, 2, 1]
    assert votes.outcome.tolist() == [0, 1, 2, 3]
    assert faults.number == 0


def test_integers_with_names_are_read_as_they_are() -> None:
    votes, _ = votes_of(np.array([0, 1]), np.array([1, 0]), np.array([0, 3]), models=("x", "y"))
    assert (votes.models, votes.outcome.tolist()) == (("x", "y"), [0, 3])


def test_rows_that_are_no_votes_are_reported_with_their_reason() -> None:
    nan = float("nan")
    votes, faults = votes_of(
        ["a", None, "a", "a", nan, "a", ""],
        ["b", "b", "a", "b", "b", "idle", "b"],
        ["tie", "tie", "tie", "dance", "tie", None, "tie"],
    )
    assert len(votes) == 1
    assert votes.models == ("a", "b"), "a model that only bad rows name has no place"
    assert {reason: rows.tolist() for reason, rows in faults.rows.items()} == {
        "model_a is missing": [1, 4, 6],
        "winner is not model_a, model_b, tie or tie (bothbad)": [3, 5],
        "a model against itself": [2],
    }
    assert "3 × model_a is missing (first: row 1)" in str(faults)


def test_rating_refuses_rows_that_are_no_votes() -> None:
    with pytest.raises(Invalid, match="1 rows are not valid votes"):
        rate_votes(["a"], ["a"], ["tie"])


@pytest.mark.parametrize("bad", [[5], [-1]])
def test_numbers_out_of_range_are_no_votes(bad: list[int]) -> None:
    for columns in ((bad, [0], [0]), ([0], bad, [0]), ([0], [1], bad)):
        _, faults = votes_of(*(np.array(column) for column in columns), models=("x", "y"))
        assert faults.number == 1


def test_columns_must_have_one_length() -> None:
    with pytest.raises(Invalid, match="differ in length: 1, 2 and 1"):
        votes_of(["a"], ["b", "c"], ["tie"])
    with pytest.raises(Invalid, match="judge has 2 entries"):
        votes_of(["a"], ["b"], ["tie"], judge=["x", "y"])
    with pytest.raises(Invalid, match="shape"):
        votes_of(["a"], ["b"], ["tie"], features=np.zeros((2, 1)))
    with pytest.raises(Invalid, match="finite"):
        votes_of(["a"], ["b"], ["tie"], features=np.full((1, 1), np.nan))


def test_no_rows_are_no_votes() -> None:
    votes, faults = votes_of([], [], [])
    assert (len(votes), faults.number, rate(votes).standings) == (0, 0, ())


def test_words_are_read_without_regard_to_case_and_space() -> None:
    votes, _ = votes_of(["a"] * 4, ["b"] * 4, [" Model_A", "MODEL_B ", "Tie", "tie (bothbad)"])
    assert votes.outcome.tolist() == [0, 1, 2, 3]


def test_counts_refuse_a_model_against_itself_and_too_many_models() -> None:
    with pytest.raises(Invalid, match="cannot meet itself"):
        Counts().add("a", "a", Outcome.TIE)
    with pytest.raises(Invalid, match="at most"):
        Counts(str(n) for n in range(MODELS_MAX + 1))


def test_counts_keep_the_sides_apart() -> None:
    counts = Counts()
    counts.add("a", "b", Outcome.WIN)
    counts.add("b", "a", Outcome.WIN, 2)
    assert counts.table[0, 1].tolist() == [1, 0, 0, 0]
    assert counts.table[1, 0].tolist() == [2, 0, 0, 0]
    pairs = counts.pairs()
    assert (pairs.wins.tolist(), pairs.losses.tolist()) == ([1], [2])


def test_votes_of_more_models_than_counts_hold_are_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    left = rng.integers(0, 30, 500)
    right = (left + rng.integers(1, 30, 500)) % 30
    votes, _ = votes_of(left, right, rng.integers(0, 4, 500), models=tuple(f"m{n:02}" for n in range(30)))
    dense = votes.pairs()
    monkeypatch.setattr("parley.ratings.votes.MODELS_MAX", 10)
    sparse = votes.pairs()
    for name in ("first", "second", "wins", "losses", "ties", "both_bad"):
        assert getattr(sparse, name).tolist() == getattr(dense, name).tolist()


def test_what_counts_cannot_tell_is_refused() -> None:
    from parley.ratings import rate_counts

    with pytest.raises(Invalid, match="need the votes themselves"):
        rate_counts(Counts(), RatingOptions(method="elo"))
    votes, _ = votes_of(["a"], ["b"], ["tie"])
    with pytest.raises(Invalid, match="judge"):
        rate(votes, RatingOptions(interval="clustered"))
    with pytest.raises(Invalid, match="conversation_a"):
        rate(votes, RatingOptions(style_control=True))


def test_the_package_is_light_until_it_rates() -> None:
    import subprocess
    import sys

    code = "import sys, parley.ratings.elo, parley.ratings.outcomes; assert not {'numpy', 'scipy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
