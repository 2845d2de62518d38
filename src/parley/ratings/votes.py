"""Votes as columns of numbers, and the faults of rows that are none."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec
import numpy as np
from numpy.typing import NDArray

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Codes, Flags, Integers
from parley.ratings.columns import Coded, Column, coded, translated
from parley.ratings.counts import MODELS_MAX, Counts
from parley.ratings.outcomes import Outcome, outcome_of
from parley.ratings.pairs import Pairs, pairs_of_cells

NOBODY = -1
"""The number of an unknown voter."""


class Votes(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Votes in their order. `left` and `right` are places in `models`; `outcome` is an Outcome."""

    models: tuple[str, ...]
    left: Codes
    right: Codes
    outcome: Codes
    voter: Codes | None = None
    """A number per person; -1 where the person is not known."""
    features: NDArray[np.floating] | None = None
    """[vote, feature]: what style control holds constant, left side against right side (see `style.contrasts`)."""
    feature_names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.left)

    def where(self, chosen: Flags | Integers) -> "Votes":
        """Return some of the votes, by flags or by places; the models stay."""
        return msgspec.structs.replace(
            self,
            left=self.left[chosen],
            right=self.right[chosen],
            outcome=self.outcome[chosen],
            voter=None if self.voter is None else self.voter[chosen],
            features=None if self.features is None else self.features[chosen],
        )

    def counts(self) -> Counts:
        """Count the votes. Raises Invalid for more models than dense counts hold."""
        counts = Counts(self.models)
        counts.add_votes(self.left, self.right, self.outcome)
        return counts

    def pairs(self) -> Pairs:
        """Return how each pair did; of any number of models."""
        if len(self.models) <= MODELS_MAX:
            return self.counts().pairs()
        left, right = self.left.astype(np.int64), self.right.astype(np.int64)
        size = len(self.models)
        keys, place = np.unique(left * size + right, return_inverse=True)
        cells = np.bincount(place * len(Outcome) + self.outcome, minlength=len(keys) * len(Outcome))
        return pairs_of_cells(self.models, keys // size, keys % size, cells.reshape(-1, len(Outcome)))


class Faults(msgspec.Struct, frozen=True, eq=False):
    """Rows that are no votes, by what is wrong with them; rows count from 0."""

    rows: Mapping[str, Integers] = MappingProxyType({})

    @property
    def number(self) -> int:
        """The number of rows that were left out."""
        return sum(len(rows) for rows in self.rows.values())

    def __str__(self) -> str:
        parts = [f"{len(rows)} × {reason} (first: row {rows[0]})" for reason, rows in self.rows.items()]
        return "; ".join(parts)


def votes_of(
    model_a: Column,
    model_b: Column,
    winner: Column,
    *,
    models: Sequence[str] | None = None,
    judge: Column | None = None,
    features: NDArray[np.floating] | None = None,
    feature_names: Sequence[str] = (),
) -> tuple[Votes, Faults]:
    """Turn columns into votes; return them with the rows that are none.

    With `models`, the first three columns are arrays of integers: places in it, and outcomes (0 left, 1 right, 2 tie,
    3 both bad). Without, they hold names and LMArena's words (model_a, model_b, tie, tie (bothbad)). Raises Invalid
    where the columns differ in length.
    """
    if models is None:
        names, left, right, outcome = _from_words(model_a, model_b, winner)
    else:
        names = tuple(models)
        left, right, outcome = (np.asarray(column, dtype=np.int32) for column in (model_a, model_b, winner))
    if not len(left) == len(right) == len(outcome):
        lengths = f"{len(left)}, {len(right)} and {len(outcome)}"
        raise Invalid("winner", f"model_a, model_b and winner differ in length: {lengths}.")
    voter = None if judge is None else _voters(judge, len(left))
    votes = Votes(
        models=names,
        left=left,
        right=right,
        outcome=outcome,
        voter=voter,
        features=None if features is None else _features(features, len(left)),
        feature_names=tuple(feature_names)
        or tuple(f"feature {place + 1}" for place in range(_width(features))),
    )
    faults = _faults(votes)
    if not faults.number:
        return votes, faults
    sound = votes.where(_sound(len(votes), faults))
    return (sound if models is not None else _without_idle_models(sound)), faults


def _from_words(
    model_a: Column, model_b: Column, winner: Column
) -> tuple[tuple[str, ...], Codes, Codes, Codes]:
    one, other, words = coded(model_a), coded(model_b), coded(winner)
    written = {
        name: name.strip() for name in one.names + other.names if isinstance(name, str) and name.strip()
    }
    names = sorted(set(written.values()))
    place_of = {name: place for place, name in enumerate(names)}
    places: dict[object, int] = {name: place_of[stripped] for name, stripped in written.items()}
    outcomes = {word: int(it) for word in words.names if (it := outcome_of(word)) is not None}
    return tuple(names), translated(one, places), translated(other, places), translated(words, outcomes)


def _voters(judge: Column, length: int) -> Codes:
    column: Coded = coded(judge)
    if len(column.codes) != length:
        raise Invalid("judge", f"judge has {len(column.codes)} entries, and there are {length} votes.")
    return column.codes


def _without_idle_models(votes: Votes) -> Votes:
    """Leave out models that only bad rows named."""
    size = len(votes.models)
    played = np.bincount(votes.left, minlength=size) + np.bincount(votes.right, minlength=size) > 0
    place = (np.cumsum(played) - 1).astype(np.int32)
    names = tuple(name for name, plays in zip(votes.models, played.tolist(), strict=True) if plays)
    return msgspec.structs.replace(votes, models=names, left=place[votes.left], right=place[votes.right])


def _width(features: NDArray[np.floating] | None) -> int:
    return 0 if features is None or features.ndim != 2 else features.shape[1]


def _features(features: NDArray[np.floating], length: int) -> NDArray[np.floating]:
    if features.ndim != 2 or len(features) != length:
        raise Invalid("features", f"Features have the shape {features.shape}, and there are {length} votes.")
    if not np.isfinite(features).all():
        raise Invalid("features", "Features must be finite numbers.")
    return features


def _faults(votes: Votes) -> Faults:
    """Return the first thing that is wrong with each row."""
    size = len(votes.models)

    def outside(codes: Codes, limit: int) -> bool:
        return bool(len(codes)) and (int(codes.min()) < 0 or int(codes.max()) >= limit)

    def wrong(codes: Codes, limit: int) -> Flags:
        return (codes < 0) | (codes >= limit)

    left, right, outcome = votes.left, votes.right, votes.outcome
    itself = left == right
    if not (outside(left, size) or outside(right, size) or outside(outcome, len(Outcome)) or itself.any()):
        return Faults()
    faults: dict[str, Integers] = {}
    seen = np.zeros(len(votes), dtype=np.bool_)
    for reason, flags in (
        ("model_a is missing", wrong(left, size)),
        ("model_b is missing", wrong(right, size)),
        ("winner is not model_a, model_b, tie or tie (bothbad)", wrong(outcome, len(Outcome))),
        ("a model against itself", itself),
    ):
        if (new := flags & ~seen).any():
            faults[reason] = np.flatnonzero(new)
            seen |= new
    return Faults(faults)


def _sound(length: int, faults: Faults) -> Flags:
    sound = np.ones(length, dtype=np.bool_)
    for rows in faults.rows.values():
        sound[rows] = False
    return sound
