"""The same table by other libraries, in the Python of their own environment: rating_rival.py NAME PARQUET.

Prints the seconds of two runs, the second without compiling. Reading the file is not part of them.
"""

# pyright: reportMissingImports=false
import sys
import time

import pandas as pd


def main() -> None:
    run = {"arena-rank": arena_rank, "arena-rank-counts": arena_rank_counts, "evalica": evalica_ratings}[
        sys.argv[1]
    ]
    frame = pd.read_parquet(sys.argv[2])
    print(*run(frame.astype(str)))


def timed(work):
    took = []
    for _ in range(2):
        begun = time.perf_counter()
        work()
        took.append(time.perf_counter() - begun)
    return took


def arena_rank(frame):
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    def work():
        dataset = PairDataset.from_pandas(frame)
        BradleyTerry(n_competitors=len(dataset.competitors)).compute_ratings_and_cis(
            dataset, significance_level=0.05
        )

    return timed(work)


def arena_rank_counts(frame):
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    dataset = PairDataset.from_pandas(frame)

    def work():
        BradleyTerry(n_competitors=len(dataset.competitors)).compute_ratings_and_cis(
            dataset, significance_level=0.05
        )

    return timed(work)


def evalica_ratings(frame):
    import evalica

    said = {"model_a": evalica.Winner.X, "model_b": evalica.Winner.Y}
    winners = [said.get(word, evalica.Winner.Draw) for word in frame["winner"]]
    return timed(lambda: evalica.bradley_terry(frame["model_a"], frame["model_b"], winners))


if __name__ == "__main__":
    main()
