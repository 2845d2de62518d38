"""Comparable models: groups that votes connect, and those whose strength has a maximum of its own."""

from collections.abc import Sequence

import msgspec
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from parley.ratings.arrays import Codes, Flags, Floats, Integers, sums
from parley.ratings.pairs import Pairs
from parley.ratings.public_prior import PriorVotes

QUICK_STEPS = 3


class Comparability(msgspec.Struct, frozen=True, eq=False):
    """Each model's place in the graph of comparisons."""

    group: Codes
    """The number of its group; models of different groups never met, not even through others. 0 has most votes."""

    settled: Flags
    """True if the likelihood alone has a maximum for it: it is in the core.

    The core is the strongly connected part with the most votes: there a chain of wins or ties leads from every
    model to every other one (Ford 1957; Hunter 2004, assumption 1). A part of one model is none, and of two that
    are equally heavy neither is: nothing says which one to compare the others with.
    """


def comparability(pairs: Pairs, added: PriorVotes | None = None) -> Comparability:
    """Return the groups and the core. An edge i → j means that i got at least half a vote against j.

    The votes of a public prior connect models as own votes do: its pairs hold their strengths.
    """
    size = len(pairs.models)
    halves = pairs.halves
    wins, losses, votes = pairs.wins, pairs.losses, pairs.votes
    if added is not None:
        wins, losses, votes = wins + added.won, losses + added.lost, votes + added.votes
    mutual = np.minimum(wins, losses) + halves > 0
    both = (pairs.first, pairs.second) if mutual.all() else (pairs.first[mutual], pairs.second[mutual])
    if _connected(*both, size):
        return Comparability(np.zeros(size, dtype=np.int32), np.full(size, size > 1))
    got, lost = wins + halves > 0, losses + halves > 0
    winners = np.concatenate([pairs.first[got], pairs.second[lost]])
    losers = np.concatenate([pairs.second[got], pairs.first[lost]])
    graph = coo_matrix((np.ones(len(winners)), (winners, losers)), shape=(size, size)).tocsr()
    _, part = connected_components(graph, directed=True, connection="strong")
    _, group = connected_components(graph, directed=False)
    weight = sums(pairs.first, votes, size) + sums(pairs.second, votes, size)
    return Comparability(_by_weight(group, weight, pairs.models), _core(part, weight))


def _connected(one: Integers, other: Integers, size: int) -> bool:
    """Return whether a few steps along mutual results reach all models: the usual case, found quickly."""
    reached = np.zeros(size, dtype=np.bool_)
    reached[:1] = True
    for _ in range(QUICK_STEPS):
        reached[other[reached.take(one)]] = True
        reached[one[reached.take(other)]] = True
        if reached.all():
            return True
    return False


def _by_weight(label: Codes, weight: Floats, models: Sequence[str]) -> Codes:
    """Renumber labels, the one with the most votes first; equal ones by their first model's name."""
    names: dict[int, str] = {}
    for it, model in sorted(zip(label.tolist(), models, strict=True), key=lambda pair: pair[1]):
        names.setdefault(it, model)
    heavy = sums(label, weight, len(names))
    order = sorted(names, key=lambda it: (-heavy[it], names[it]))
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return number[label]


def _core(part: Codes, weight: Floats) -> Flags:
    """Return which models are in the heaviest part that has more than one model."""
    heavy = sums(part, weight, int(part.max(initial=-1)) + 1) * (np.bincount(part) > 1)
    most = heavy.max()
    alone = most > 0 and np.count_nonzero(heavy == most) == 1
    return (part == np.argmax(heavy)) & alone
