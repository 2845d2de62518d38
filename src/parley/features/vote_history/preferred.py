"""The model that a person preferred in each category, counted in their own votes."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from parley.features.vote_history.schemas import PreferredModel

OVERALL = "overall"
LEAST = 5
"""In how many votes a model must have taken part."""

ONE_SIDED_90 = 1.2815515655446004
"""The standard normal quantile at 0.9."""


@dataclass(frozen=True)
class OwnVote:
    """The models of the seats that a person chose between, and the one they preferred; None for none of them."""

    models: tuple[str, ...]
    preferred: str | None
    categories: tuple[str, ...]


@dataclass
class _Count:
    """A model in one category: its votes, those that preferred it, and the number expected by chance."""

    of: int = 0
    preferred: int = 0
    by_chance: float = 0.0

    @property
    def surplus(self) -> float:
        """By how much its share certainly exceeds chance: the lower 90% Wilson bound, minus the share by chance."""
        return wilson_lower(self.preferred, self.of) - self.by_chance / self.of


def preferred_models(votes: Iterable[OwnVote]) -> list[PreferredModel]:
    """Return, for each category, the model that was preferred significantly more often than by chance.

    `overall` comes first, then the categories by how clear they are. A model with fewer than `LEAST` votes in a
    category, or only against itself, is left out.
    """
    counts: dict[str, dict[str, _Count]] = defaultdict(lambda: defaultdict(_Count))
    for vote in votes:
        models = Counter(vote.models)
        if len(models) < 2:
            continue
        for category in {OVERALL, *vote.categories}:
            for model, seats in models.items():
                count = counts[category][model]
                count.of += 1
                count.preferred += model == vote.preferred
                count.by_chance += seats / models.total()
    weighted: list[tuple[float, PreferredModel]] = []
    for category, by_model in counts.items():
        enough = [(count.surplus, model) for model, count in by_model.items() if count.of >= LEAST]
        if enough and (best := max(enough))[0] > 0:
            count = by_model[best[1]]
            weighted.append((best[0], PreferredModel(category, best[1], count.preferred, count.of)))
    weighted.sort(key=lambda each: (each[1].category != OVERALL, -each[0], each[1].category))
    return [preferred for _, preferred in weighted]


def wilson_lower(successes: int, trials: int, z: float = ONE_SIDED_90) -> float:
    """Return the lower bound of Wilson's score interval for a share, 0 without trials.

    Wilson, “Probable inference, the law of succession, and statistical inference”, JASA 22 (1927).
    """
    if trials == 0:
        return 0.0
    share, weight = successes / trials, z * z / trials
    spread = z * math.sqrt((share * (1 - share) + weight / 4) / trials)
    return (share + weight / 2 - spread) / (1 + weight)
