"""Learning: what a person's own choices say of models, as points for a question. Pure.

Ridge regression on pairs: for a question with features x, the model that the person used instead should be stronger
than the one that Auto chose, w_used·x - w_chosen·x = 1. It is solved in its dual form, since there are fewer choices
than features, and tried on each choice without having seen it (leave-one-out, in closed form).
"""

import re
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast, get_args

import msgspec

from parley.features.auto.kinds import Kind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.floating[Any]]

WORDS = 256
"""Words are hashed into so many features."""
RIDGE = 1.0
FEWEST = 3
MOST = 300
"""Choices that are learned from, the newest ones."""
CONFIRMED = 0.25
"""The lead of a chosen model over the next one, if the person kept it: a weaker word than another choice."""
POINTS_PER_LEAD = 200.0
MOST_POINTS = 100.0

_WORD = re.compile(r"[^\W_]{2,}")
_KINDS: tuple[Kind, ...] = get_args(Kind)


class Choice(NamedTuple):
    """A question, its kind, the model that the person used, and the one that lost to it.

    `confirmed`: Auto chose the first one, and the person let it be.
    """

    text: str
    kind: Kind
    used: str
    over: str
    confirmed: bool = False


class Learning(msgspec.Struct, frozen=True, kw_only=True):
    """A measure of what was learned from a person's choices, each tried without having seen it.

    `choices` are those of another model, `foretold` how many of them; `confirmed` are choices of Auto that were left,
    and `confirmed_foretold` how many of these. `used`: enough is foretold, so that what was learned counts.
    """

    choices: int
    foretold: int
    confirmed: int
    confirmed_foretold: int
    used: bool


class Lessons:
    """The strengths of models for a person, learned from choices."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self._choices = choices[-MOST:]
        self._alpha: Matrix | None = None
        self._questions: Matrix | None = None
        self.learning = self._learn()

    def points(self, text: str, kind: Kind) -> Mapping[str, float]:
        """Return the points that choices add to the ratings of models for a question; none if they don't count."""
        if not self.learning.used or self._alpha is None or self._questions is None:
            return {}
        weights = self._alpha * (self._questions @ features(text, kind))
        strengths: dict[str, float] = {}
        for choice, weight in zip(self._choices, cast("list[float]", weights.tolist()), strict=True):
            strengths[choice.used] = strengths.get(choice.used, 0.0) + weight
            strengths[choice.over] = strengths.get(choice.over, 0.0) - weight
        return {
            model: max(-MOST_POINTS, min(MOST_POINTS, strength * POINTS_PER_LEAD))
            for model, strength in strengths.items()
        }

    def _learn(self) -> Learning:
        others = [not choice.confirmed for choice in self._choices]
        if sum(others) < FEWEST:
            return Learning(
                choices=sum(others),
                foretold=0,
                confirmed=len(others) - sum(others),
                confirmed_foretold=0,
                used=False,
            )
        import numpy as np

        questions = np.stack([features(choice.text, choice.kind) for choice in self._choices])
        leads: Matrix = np.array([CONFIRMED if choice.confirmed else 1.0 for choice in self._choices])
        inverse: Matrix = np.linalg.inv(
            (questions @ questions.T) * self._overlap() + RIDGE * np.eye(len(leads))
        )
        alpha: Matrix = inverse @ leads
        self._questions, self._alpha = questions, alpha
        # The prediction for each choice by the fit on all others (Allen's PRESS).
        unseen: Matrix = leads - alpha / np.diag(inverse)
        right = [lead > 0 for lead in cast("list[float]", unseen.tolist())]
        foretold = sum(ok for ok, other in zip(right, others, strict=True) if other)
        known = sum(right)
        return Learning(
            choices=sum(others),
            foretold=foretold,
            confirmed=len(others) - sum(others),
            confirmed_foretold=known - foretold,
            used=foretold * 2 > sum(others),
        )

    def _overlap(self) -> "Matrix":
        """Return for each two choices how far they are about the same models: their difference vectors' product."""
        import numpy as np

        models = sorted({model for choice in self._choices for model in (choice.used, choice.over)})
        place = {model: at for at, model in enumerate(models)}
        signs = np.zeros((len(self._choices), len(models)))
        for row, choice in enumerate(self._choices):
            signs[row, place[choice.used]] += 1.0
            signs[row, place[choice.over]] -= 1.0
        return signs @ signs.T


def features(text: str, kind: Kind) -> "Matrix":
    """Return a question as a vector of length 1: hashed words, its kind, how long it is, and a constant."""
    import numpy as np

    vector = np.zeros(WORDS + len(_KINDS) + 2)
    for word in set(_WORD.findall(text.lower())):
        code = zlib.crc32(word.encode("utf-8", "replace"))
        vector[code % WORDS] += 1.0 if code & 0x10000 else -1.0
    if (length := float(np.linalg.norm(vector))) > 0:
        vector /= length
    vector[WORDS + _KINDS.index(kind)] = 1.0
    vector[-2] = min(len(text) / 2_000, 1.0)
    vector[-1] = 0.5
    return vector / np.linalg.norm(vector)
