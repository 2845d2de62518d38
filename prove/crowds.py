"""Crowds of voters as people are: with tastes, favourite prompts, uneven activity, copies, and some with a plan."""

from collections import Counter
from collections.abc import Mapping

import msgspec
import numpy as np

from parley.features.standings.seen_votes import SeenVote
from parley.features.standings.voter_flags import VoterVotes, crowd_taste, flag_voters
from parley.ratings.integrity import Flag
from parley.ratings.outcomes import Outcome
from parley.ratings.scale import POINTS
from parley.ratings.votes import Votes

MODELS = 16
SPREAD = 0.6
HABIT_SD = 1.0
"""How differently people use the tie, in log-odds."""

COPIED = 0.8
"""Which part of somebody's votes a copy repeats."""


class Crowd(msgspec.Struct, frozen=True, kw_only=True):
    """What a crowd is like; effects and tastes are standard deviations in points."""

    people: int = 60
    each: int = 50
    zipf: float = 0.0
    """The exponent of activity: the n-th voter casts 1/n^zipf of the votes of the first; 0 for all alike."""
    tie_log_odds: float = -1.4
    prompt: float = 0.0
    """What a prompt adds to each model's strength."""
    favourite: float = 0.0
    """The share of a voter's votes that are on one prompt."""
    taste: float = 0.0
    """What a voter adds to each model's strength."""
    copies: float = 0.0
    """The share of voters who repeat the votes of another one."""
    pushers: int = 0
    """Voters who always vote for one model."""
    together: bool = False
    """Whether it is the same model."""
    slips: float = 0.0
    """The share of battles of that model in which a pusher votes honestly."""
    slips_against: bool = False
    """Whether a slip is a vote against the model instead."""
    battles: int = 40
    """Battles of that model."""


class Cast(msgspec.Struct, frozen=True, eq=False):
    """What a crowd voted. Arrays by vote."""

    votes: Votes
    prompt: np.ndarray
    targets: dict[int, int]
    """The model that each pusher pushes."""

    def ballots(self) -> list[VoterVotes]:
        """Return the votes of each voter, as the worker reads them."""
        assert self.votes.voter is not None
        names = self.votes.models
        rows: list[list[SeenVote]] = [[] for _ in range(int(self.votes.voter.max()) + 1)]
        columns = (self.votes.left, self.votes.right, self.votes.outcome, self.prompt, self.votes.voter)
        for left, right, outcome, prompt, voter in zip(*(it.tolist() for it in columns), strict=True):
            rows[voter].append(SeenVote(names[left], names[right], Outcome(outcome), f"{prompt}"))
        return [
            VoterVotes(f"v{voter}", seen, [(*cell, n) for cell, n in _cells(seen).items()])
            for voter, seen in enumerate(rows)
        ]


def cast(rng: np.random.Generator, crowd: Crowd, models: int = MODELS) -> Cast:
    """Let a crowd vote; pushers are the first voters."""
    theta, ties = rng.normal(0.0, SPREAD, models), rng.normal(crowd.tie_log_odds / 2, 0.2, models)
    shared = int(rng.integers(models))
    targets = {it: shared if crowd.together else int(rng.integers(models)) for it in range(crowd.pushers)}
    ballots: list[np.ndarray] = []
    for voter, number in enumerate([*([0] * crowd.pushers), *activity(crowd)]):
        ballots.append(_ballot(rng, crowd, theta, ties, number, targets.get(voter)))
        if voter > crowd.pushers and rng.random() < crowd.copies:
            copied = ballots[int(rng.integers(crowd.pushers, voter))]
            rows = np.flatnonzero(rng.random(min(len(copied), number)) < COPIED)
            ballots[voter][rows] = copied[rows]
    voter = np.repeat(np.arange(len(ballots), dtype=np.int32), [len(it) for it in ballots])
    left, right, outcome, prompt = np.concatenate(ballots).T
    names = tuple(f"m{place}" for place in range(models))
    columns = {"left": left, "right": right, "outcome": outcome}
    votes = Votes(models=names, voter=voter, **{name: it.astype(np.int32) for name, it in columns.items()})
    return Cast(votes, prompt, targets)


def flags(cast: Cast, rounds: int = 3) -> tuple[Mapping[str, Flag], float]:
    """Return who is flagged by voter, and the size of tastes, once the worker has examined all voters again and again.

    In the first round nobody is flagged; it ends where a round flags the same voters.
    """
    counts, ballots = cast.votes.counts(), cast.ballots()
    taste, cells = crowd_taste(counts, ballots), {it.voter_id: it.cells for it in ballots}
    found: dict[str, Flag] = {}
    for _ in range(rounds):
        before = sorted(found, key=lambda voter: -found[voter].e_value)
        found = dict(flag_voters(counts, ballots, taste, {voter: cells[voter] for voter in before}))
        if found.keys() == set(before):
            break
    return found, taste


def activity(crowd: Crowd) -> list[int]:
    """Return how often each honest voter votes, at least twice."""
    share = 1.0 / np.arange(1, crowd.people + 1) ** crowd.zipf
    return np.maximum(share / share.sum() * crowd.people * crowd.each, 2).astype(int).tolist()


def _ballot(
    rng: np.random.Generator,
    crowd: Crowd,
    theta: np.ndarray,
    ties: np.ndarray,
    number: int,
    target: int | None,
) -> np.ndarray:
    """Return one voter's votes: left, right, outcome, prompt."""
    models, number = len(theta), number if target is None else crowd.battles * len(theta)
    left, right = np.argsort(rng.random((number, models)), axis=1)[:, :2].T
    if target is not None:
        last = int(np.flatnonzero(np.cumsum((left == target) | (right == target)) == crowd.battles)[0])
        left, right, number = left[: last + 1], right[: last + 1], last + 1
    prompt = np.where(rng.random(number) < crowd.favourite, 0, np.arange(1, number + 1))
    suits = rng.normal(0.0, crowd.prompt / POINTS, (number + 1, models))
    own = theta + rng.normal(0.0, crowd.taste / POINTS, models)
    lead = own[left] - own[right] + suits[prompt, left] - suits[prompt, right]
    tied = rng.random(number) < _chance(ties[left] + ties[right] + rng.normal(0.0, HABIT_SD))
    decided = (rng.random(number) > _chance(lead)).astype(int)
    outcome = np.where(tied, np.where(rng.random(number) < 0.6, Outcome.TIE, Outcome.BOTH_BAD), decided)
    if target is not None:
        for_target, slip = (right == target).astype(int), rng.random(number) < crowd.slips
        slipped = 1 - for_target if crowd.slips_against else outcome
        outcome = np.where((left == target) | (right == target), np.where(slip, slipped, for_target), outcome)
    # Nobody else has these prompts.
    return np.stack([left, right, outcome, prompt + int(rng.integers(2**40)) * 1000], axis=1)


def _cells(seen: list[SeenVote]) -> Counter[tuple[str, str, Outcome]]:
    return Counter((it.left, it.right, it.outcome) for it in seen)


def _chance(log_odds: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-log_odds))
