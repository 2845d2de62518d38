"""One measurement of the ratings, in a separate process: python -m bench.rating_job NAME VOTES FOLDER.

Prints a JSON object of figures. Times are seconds; CPU is this thread's.
"""

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np

from parley.ratings import Counts, Outcome, RatingOptions, rate_counts, rate_votes
from parley.ratings.bradley_terry import fit
from parley.ratings.elo import update

MODELS, CATEGORIES, SEED = 300, 26, 20261121
NAMES = tuple(f"model-{place:03d}" for place in range(MODELS))
CHUNK = 1 << 20


def main() -> None:
    name, votes, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    print(msgspec.json.encode(JOBS[name](votes, folder)).decode())


def draw_votes(votes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return left, right and outcome of votes between models of which some are drawn ten times as often as others."""
    rng = np.random.default_rng(SEED)
    theta = rng.normal(0, 0.8, MODELS)
    often = np.cumsum(np.linspace(1, 10, MODELS))
    left, right, outcome = (np.empty(votes, dtype=np.int32) for _ in range(3))
    for begin in range(0, votes, CHUNK):
        part = slice(begin, min(begin + CHUNK, votes))
        size = part.stop - begin
        one, other = (np.searchsorted(often, rng.random(size) * often[-1]).astype(np.int32) for _ in range(2))
        other[one == other] = (one[one == other] + 1) % MODELS
        won = rng.random(size) < 1 / (1 + np.exp(theta[other] - theta[one]))
        drawn = rng.random(size)
        left[part], right[part] = one, other
        outcome[part] = np.where(drawn < 0.15, 2, np.where(drawn < 0.25, 3, np.where(won, 0, 1)))
    return left, right, outcome


def counted(votes: int) -> Counts:
    """Return the votes counted."""
    counts = Counts(NAMES)
    counts.add_votes(*draw_votes(votes))
    return counts


def cpu(work: Callable[[], object], times: int) -> list[float]:
    """Return how much CPU each run took, after one that does not count."""
    work()
    took: list[float] = []
    for _ in range(times):
        begun = time.thread_time()
        work()
        took.append(time.thread_time() - begun)
    return took


def wall(work: Callable[[], object], times: int) -> list[float]:
    """Return how long each run took."""
    took: list[float] = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        took.append(time.perf_counter() - begun)
    return took


def table(votes: int, _: Path) -> dict[str, object]:
    """From counts to the table with intervals and ranks: cold, and from the strengths of a thousand votes ago."""
    columns = draw_votes(votes)
    counts = Counts(NAMES)
    counts.add_votes(*(column[:-1000] for column in columns))
    near = fit(counts.pairs()).theta
    counts.add_votes(*(column[-1000:] for column in columns))
    return {
        "cold": cpu(lambda: rate_counts(counts), 30),
        "warm": cpu(lambda: rate_counts(counts, start=near), 30),
    }


def integers(votes: int, _: Path) -> dict[str, object]:
    """From columns of integers to the table."""
    left, right, outcome = draw_votes(votes)
    return {"took": wall(lambda: rate_votes(left, right, outcome, models=NAMES), 5)}


def write(votes: int, folder: Path) -> dict[str, object]:
    """Write the votes as Parquet, in LMArena's words, for us and for the others."""
    import pyarrow as pa
    from pyarrow import parquet

    words = ("model_a", "model_b", "tie", "both_bad")
    codes = dict(zip(("model_a", "model_b", "winner"), draw_votes(votes), strict=True))
    columns = {
        name: pa.DictionaryArray.from_arrays(pa.array(column), words if name == "winner" else NAMES)
        for name, column in codes.items()
    }
    parquet.write_table(pa.table(columns), folder / f"votes-{votes}.parquet")
    return {}


def arrow(votes: int, folder: Path) -> dict[str, object]:
    """From Arrow's dictionary strings to the table."""
    from pyarrow import parquet

    read = parquet.read_table(folder / f"votes-{votes}.parquet")
    columns = [read.column(name) for name in ("model_a", "model_b", "winner")]
    return {"took": wall(lambda: rate_votes(*columns), 3)}


def categories(votes: int, _: Path) -> dict[str, object]:
    """Tables of 26 categories, each from its counts and from the strengths of all votes."""
    tables = [counted(max(votes // CATEGORIES // 10, 200_000)) for _ in range(CATEGORIES)]
    theta = fit(counted(200_000).pairs()).theta
    return {"took": wall(lambda: [rate_counts(table, start=theta) for table in tables], 3)}


def online(votes: int, _: Path) -> dict[str, object]:
    """One vote after the other into Elo and counts; and from a vote to the full table."""
    counts = counted(votes)
    left, right, outcome = draw_votes(20_000)
    elo = dict.fromkeys(NAMES, 1500.0)
    scores = (1.0, 0.0, 0.5, 0.5)
    steps: list[float] = []
    for i, j, o in zip(left.tolist(), right.tolist(), outcome.tolist(), strict=True):
        one, other, said = NAMES[i], NAMES[j], Outcome(o)
        begun = time.perf_counter()
        elo[one], elo[other] = update(elo[one], elo[other], scores[said])
        counts.add(one, other, said)
        steps.append(time.perf_counter() - begun)
    theta = fit(counts.pairs()).theta

    def vote_to_table() -> None:
        counts.add(NAMES[3], NAMES[5], Outcome.WIN)
        rate_counts(counts, start=theta)

    return {"step": steps, "table": cpu(vote_to_table, 100)}


def memory(_: int, __: Path) -> dict[str, object]:
    """What the counts of all votes and of every category hold, and a table's work on top."""
    rate_counts(counted(1000))
    before = _resident_mb()
    votes_of = draw_votes(100_000)
    tables = []
    for _ in range(CATEGORIES + 1):
        table = Counts(NAMES)
        table.add_votes(*votes_of)
        tables.append(table)
    del votes_of
    rate_counts(tables[0])
    return {"mb": _resident_mb() - before}


def exact(votes: int, _: Path) -> dict[str, object]:
    """How far the fit is from the maximum: a Newton step from it, in extended precision where there is some."""
    counts = counted(votes)
    pairs = counts.pairs()
    fitted = fit(pairs)
    theta = fitted.theta.astype(np.longdouble)
    p = 1 / (1 + np.exp(theta[pairs.second] - theta[pairs.first]))
    pull = pairs.wins + np.longdouble(0.5) * pairs.halves - pairs.votes * p
    gradient = np.zeros(MODELS, dtype=np.longdouble)
    np.add.at(gradient, pairs.first, pull)
    np.subtract.at(gradient, pairs.second, pull)
    step = fitted.information @ gradient.astype(np.float64)
    return {"points": float(np.abs(step).max() * 400 / np.log(10))}


def style(votes: int, _: Path) -> dict[str, object]:
    """Style control with four features."""
    left, right, outcome = draw_votes(votes)
    rng = np.random.default_rng(SEED)
    features = np.empty((votes, 4), dtype=np.float32)
    for begin in range(0, votes, CHUNK):
        part = features[begin : begin + CHUNK]
        part[:] = np.clip(rng.normal(0, 0.4, part.shape), -1, 1)
    options = RatingOptions(style_control=True)
    begun = time.perf_counter()
    rate_votes(left, right, outcome, models=NAMES, features=features, options=options)
    took = time.perf_counter() - begun
    return {"took": took, "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


JOBS: dict[str, Callable[[int, Path], dict[str, object]]] = {
    job.__name__: job for job in (table, integers, write, arrow, categories, online, memory, exact, style)
}

if __name__ == "__main__":
    main()
