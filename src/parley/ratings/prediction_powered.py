"""Win rates from few votes and many verdicts: prediction-powered inference, valid however bad the judge is."""

import msgspec
import numpy as np

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Codes, Flags, Floats
from parley.ratings.influence import Clusters, Estimate

PSEUDO = 2.0
"""Votes, half of them won, by which the scatter of few votes is widened."""


class Corrected(msgspec.Struct, frozen=True, kw_only=True):
    """A win rate from 0 to 1: by people's votes alone, and with the judge's verdicts.

    `power` is λ, how far the judge is relied on. `width` is the second interval's share of the first one's. `judge` is
    the rate by all verdicts alone. `shift` is how many standard errors the judge's verdicts on what nobody voted on are
    above those on the rest: beyond 3 or so they are other comparisons, and the correction is not valid.
    """

    people: Estimate
    both: Estimate
    judge: float
    power: float
    width: float
    votes: int
    unvoted: int
    shift: float


def corrected(
    votes: Floats, verdicts: Floats, unvoted: Floats, clusters: Clusters, strata: Codes | None = None
) -> Corrected | None:
    """Return a mean of votes, corrected by verdicts on the same and on unvoted comparisons; scores are from 0 to 1.

    θ = mean(votes) − λ (mean(verdicts) − mean(unvoted)), the mean of PPI++ (Angelopoulos, Duchi & Zrnic 2023,
    arXiv 2311.01453, section 6) with the λ from 0 to 1 of the smallest variance. `clusters` and `strata` (such as the
    opponent) are those of the voted comparisons, then of the unvoted ones. Unvoted ones get weights, so that each
    stratum counts as often as among the votes; strata that lack them are left as they are. Returns None if all do.
    Raises Invalid without votes.
    """
    count = len(votes)
    if not count:
        raise Invalid("votes", "There is no vote to compare a verdict with.", code="no_votes")
    strata = np.zeros(count + len(unvoted), dtype=np.int32) if strata is None else strata
    common, weights = _weights(strata[:count], strata[count:])
    if not common.any():
        return None
    mean, covered = float(votes.mean()), float(common.mean())
    seen, beyond = float(verdicts[common].mean()), float(weights @ unvoted)
    moved_votes: Floats = np.concatenate([(votes - mean) / count, np.zeros(len(unvoted))])
    moved_judge: Floats = np.concatenate(
        [np.where(common, verdicts - seen, 0.0) / count, -covered * weights * (unvoted - beyond)]
    )
    scatter = clusters.product(moved_judge, moved_judge)
    power = min(max(clusters.product(moved_votes, moved_judge) / scatter, 0.0), 1.0) if scatter else 0.0
    difference = covered * (seen - beyond)
    theta = min(max(mean - power * difference, 0.0), 1.0)
    more = PSEUDO * 0.25 / (count + PSEUDO) ** 2
    people = clusters.estimate(mean, moved_votes, (0.0, 1.0), more=more)
    both = clusters.estimate(theta, moved_votes - power * moved_judge, (0.0, 1.0), more=more)
    spread = clusters.variance(moved_judge) ** 0.5
    return Corrected(
        people=people,
        both=both,
        judge=(float(verdicts.sum()) + float(unvoted.sum())) / (count + len(unvoted)),
        power=power,
        width=(both.ci_upper - both.ci_lower) / (people.ci_upper - people.ci_lower),
        votes=count,
        unvoted=int(np.count_nonzero(weights)),
        shift=-difference / spread if spread else 0.0,
    )


def _weights(voted: Codes, unvoted: Codes) -> tuple[Flags, Floats]:
    """Return which votes are of a stratum with unvoted comparisons, and the weights of these; they add up to one."""
    size = int(max(voted.max(initial=-1), unvoted.max(initial=-1))) + 1
    wanted, there = np.bincount(voted, minlength=size), np.bincount(unvoted, minlength=size)
    common: Flags = there[voted] > 0
    shares = np.where(there > 0, wanted / np.maximum(there, 1), 0.0) / max(int(common.sum()), 1)
    return common, shares[unvoted].astype(np.float64)
