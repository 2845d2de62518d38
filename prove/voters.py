"""Simulated arenas: models whose strengths are known, people who vote, and pairs that are drawn by weight."""

import random
from typing import NamedTuple

import numpy as np

from parley.ratings.counts import Counts
from parley.ratings.votes import Votes


class Arena(NamedTuple):
    """What is true."""

    theta: np.ndarray
    weights: np.ndarray
    """How often each model is drawn."""
    halves: float
    """The greatest part of votes that are no decision."""


def generator(chance: random.Random) -> np.random.Generator:
    """Return NumPy's generator for a trial."""
    return np.random.default_rng(chance.getrandbits(64))


def arena(rng: np.random.Generator, models: int, *, spread: float, halves: float) -> Arena:
    """Draw strengths, and weights that make the last models rare."""
    theta = rng.normal(0.0, spread, models)
    return Arena(theta - theta.mean(), 1.0 / np.arange(1, models + 1), halves)


def outcome_chances(d: np.ndarray, halves: float) -> np.ndarray:
    """Return [.., outcome] chances whose mean, a half counting half, is exactly sigmoid(d)."""
    p = 1.0 / (1.0 + np.exp(-d))
    h = halves * 2.0 * np.minimum(p, 1.0 - p)
    return np.stack([p - h / 2, 1.0 - p - h / 2, 0.6 * h, 0.4 * h], axis=-1)


def counted(rng: np.random.Generator, true: Arena, votes: int) -> Counts:
    """Draw all votes at once."""
    size = len(true.theta)
    left, right = np.nonzero(~np.eye(size, dtype=bool))
    wanted = true.weights[left] * true.weights[right]
    number = rng.multinomial(votes, wanted / wanted.sum())
    chances = outcome_chances(true.theta[left] - true.theta[right], true.halves)
    counts = Counts(f"m{place}" for place in range(size))
    counts.table[left, right] = rng.multinomial(number, chances)
    return counts


def drawn_pairs(rng: np.random.Generator, true: Arena, votes: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw who meets whom."""
    left, right = np.nonzero(~np.eye(len(true.theta), dtype=bool))
    wanted = true.weights[left] * true.weights[right]
    place = rng.choice(len(left), votes, p=wanted / wanted.sum())
    return left[place].astype(np.int32), right[place].astype(np.int32)


def voted(rng: np.random.Generator, true: Arena, votes: int) -> Votes:
    """Draw votes one after the other, by nobody in particular."""
    left, right = drawn_pairs(rng, true, votes)
    chances = outcome_chances(true.theta[left] - true.theta[right], true.halves)
    outcome = (rng.random(votes)[:, None] > np.cumsum(chances, axis=1)[:, :3]).sum(axis=1)
    names = tuple(f"m{place}" for place in range(len(true.theta)))
    return Votes(models=names, left=left, right=right, outcome=outcome.astype(np.int32))


def voted_by_taste(
    rng: np.random.Generator, true: Arena, voters: int, each: int, taste: float, zipf: float = 0.0
) -> Votes:
    """Draw votes of people who like certain models: `taste` is the part of a vote's variance that is the person's.

    A normal copula: whatever a person likes, over all people a model's chance is exactly sigmoid(d). The n-th voter
    casts 1/n^zipf of the votes of the first.
    """
    from scipy.special import ndtri

    share = 1.0 / np.arange(1, voters + 1) ** zipf
    number = np.maximum((share / share.sum() * voters * each).astype(int), 1)
    voter = np.repeat(np.arange(voters, dtype=np.int32), number)
    left, right = drawn_pairs(rng, true, len(voter))
    likes = rng.normal(size=(voters, len(true.theta)))
    pull = (likes[voter, left] - likes[voter, right]) / np.sqrt(2.0)
    latent = np.sqrt(taste) * pull + np.sqrt(1.0 - taste) * rng.normal(size=len(voter))
    edges = ndtri(
        np.cumsum(outcome_chances(true.theta[left] - true.theta[right], true.halves)[:, [0, 2, 3]], axis=1)
    )
    outcome = np.array([0, 2, 3, 1], dtype=np.int32)[(-latent[:, None] > edges).sum(axis=1)]
    names = tuple(f"m{place}" for place in range(len(true.theta)))
    return Votes(models=names, left=left, right=right, outcome=outcome, voter=voter)
