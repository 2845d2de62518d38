"""The benefit of a public prior for forecasts of one's own votes: log loss on votes that the fit has not seen."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from parley.ratings.arrays import Flags, Floats, Integers
from parley.ratings.bradley_terry import FEW_VOTES, chances, fit
from parley.ratings.influence import Clusters
from parley.ratings.intervals import HalfWidths, anytime_half_widths
from parley.ratings.lines import PriorForecast
from parley.ratings.outcomes import SCORES
from parley.ratings.pairs import Pairs
from parley.ratings.public_prior import PublicPrior
from parley.ratings.scale import Z95
from parley.ratings.votes import NOBODY, Votes

FIRST = 20
"""Votes before the first forecast."""

GROWN = 1.25
"""Each next block of votes is forecast by a fit to so many times as many votes."""

FEWEST = 50
"""With fewer held-out votes nothing is said."""

TUNED = ((0.006, 0.02), (0.03, 0.03))
"""Bands by the half width, in nats per vote, at which each is tightest, and its share of 5%."""


def at_every_look(variance: Floats) -> Floats:
    """Return the half widths of a confidence sequence for differences of log losses."""
    return anytime_half_widths(variance, tuned=TUNED, unit=1.0)


def prior_forecast(
    votes: Votes, public: PublicPrior, *, errors: HalfWidths = at_every_look
) -> PriorForecast | None:
    """Return how well votes are forecast from those before them, with the prior and without it; None for few votes.

    `votes` are in the order of time. Blocks of them are forecast by fits to all votes before the block (prequential:
    Dawid 1984), each of an average score, a tie being half. Only votes between models with FEW_VOTES before are: the
    table did not show the others, and rates them badly without a prior. The interval is of the mean difference of log
    losses, of the votes of one person as one observation where there are several, and valid at every look (Choe &
    Ramdas 2023).
    """
    losses = held_out(votes, public)
    number = len(losses.places)
    if number < FEWEST:
        return None
    score = np.array(SCORES)[votes.outcome[losses.places]]
    without, with_prior = _loss(score, losses.without), _loss(score, losses.with_prior)
    gain: Floats = without - with_prior
    voter = np.full(number, NOBODY, dtype=np.int32) if votes.voter is None else votes.voter[losses.places]
    # Nobody shares a prompt here: what prompts have in common is not known of every vote.
    clusters = Clusters(np.arange(number, dtype=np.int32), voter)
    mean = float(gain.mean())
    variance = clusters.variance((gain - mean) / number)
    half = float(errors(np.array([variance]))[0])
    half *= max(clusters.student / Z95, 1.0)
    return PriorForecast(
        votes=number,
        loss_without=round(float(without.mean()), 6),
        loss_with=round(float(with_prior.mean()), 6),
        gain=round(mean, 6),
        ci_lower=round(mean - half, 6),
        ci_upper=round(mean + half, 6),
        verdict="helps" if mean > half else "harms" if mean < -half else "unclear",
    )


class HeldOut(NamedTuple):
    """Forecasts of votes from those before them: the chance that the left one wins, a tie being half."""

    places: Integers
    """[forecast]: which vote it is of."""
    without: Floats
    with_prior: Floats


def held_out(votes: Votes, public: PublicPrior) -> HeldOut:
    """Forecast all votes but the first ones. More votes at the end change no forecast."""
    blocks = list(_blocks(votes, public))
    if not blocks:
        return HeldOut(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0))
    places, without, with_prior = (np.concatenate(it) for it in zip(*blocks, strict=True))
    return HeldOut(places, without, with_prior)


def _loss(score: Floats, chance: Floats) -> Floats:
    """Return log losses, in nats."""
    return -(score * np.log(chance) + (1.0 - score) * np.log1p(-chance))


def _blocks(votes: Votes, public: PublicPrior) -> Iterator[tuple[Integers, Floats, Floats]]:
    """Yield the places of each block's votes, and their chances without the prior and with it."""
    begin, total = FIRST, len(votes)
    while begin < total:
        end = min(max(math.ceil(GROWN * begin), begin + 1), total)
        before = np.arange(total) < begin
        met = np.concatenate([votes.left[before], votes.right[before]])
        had = np.bincount(met, minlength=len(votes.models))
        shown = had >= FEW_VOTES
        block = np.arange(begin, end)
        block = block[shown[votes.left[block]] & shown[votes.right[block]]]
        yield (block, *_chances(votes, before, had > 0, block, public))
        begin = end


def _chances(
    votes: Votes, before: Flags, seen: Flags, block: Integers, public: PublicPrior
) -> tuple[Floats, Floats]:
    place = np.cumsum(seen) - 1
    names = tuple(name for name, it in zip(votes.models, seen.tolist(), strict=True) if it)
    past = votes.where(before)
    pairs = Votes(
        models=names,
        left=place[past.left].astype(np.int32),
        right=place[past.right].astype(np.int32),
        outcome=past.outcome,
    ).pairs()
    none = np.zeros(len(block), dtype=np.int64)
    queried = Pairs(names, place[votes.left[block]], place[votes.right[block]], none, none, none, none)
    without, with_prior = (chances(queried, fit(pairs, public=known).theta) for known in (None, public))
    return without, with_prior
