"""Whether a public prior helps: what the card says must be so at every look, whatever was published."""

import math

import msgspec
import numpy as np

from parley.ratings import prior_forecast
from parley.ratings.arrays import Floats
from parley.ratings.intervals import HalfWidths, half_widths
from parley.ratings.public_prior import PublicPrior, PublishedPair, public_prior
from parley.ratings.votes import Votes
from prove import voters
from prove.campaign import Batch, Tally

LEVEL = 0.95
MODELS, PEOPLE, EACH = 8, 60, 25
LOOKS = (120, 170, 240, 340, 480, 680, 960, 1_500)
"""How many votes there are when somebody looks at the card."""

ALIKE = {"of the same crowd": 1.0, "of another crowd": 0.0, "of the opposite": -1.0}
WEIGHT = 400.0


class PriorVerdict:
    """Priors that help, priors that harm, and the card that says which, while votes come."""

    name = "ratings-prior-verdict"
    guarantee = (
        "“The prior helps” and “makes the forecast worse” are true, and the interval holds what the forecasts really "
        "gain, at every look in 95 of 100 arenas."
    )
    trials = 600
    batch = 60
    sample = 30

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, prior_forecast.at_every_look)

    def control(self, batch: Batch) -> Tally:
        """Intervals half as wide as those of a single look."""
        return self._tally(msgspec.structs.replace(batch, count=60), lambda it: half_widths(it) / 2.0)

    def _tally(self, batch: Batch, errors: HalfWidths) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            rng = voters.generator(batch.chance(trial))
            kind = tuple(ALIKE)[trial % len(ALIKE)]
            true = voters.arena(rng, MODELS, spread=0.5, halves=0.3)._replace(weights=np.ones(MODELS))
            votes = voters.voted_by_taste(rng, true, PEOPLE, EACH, taste=0.3)
            if trial % 2:
                votes = votes.where(rng.permutation(len(votes)))
            prior = _published(rng, true, ALIKE[kind])
            held, wrong, said = _looks(votes, prior, true.theta, errors)
            tally.note("held", float(held))
            tally.note("wrong", float(wrong))
            tally.note(kind, float(said))
            tally.trials += 1
            batch.step()
        held, wrong = (float(np.mean(tally.figures[name])) for name in ("held", "wrong"))
        error = math.sqrt(LEVEL * (1 - LEVEL) / tally.trials)
        if held < LEVEL - 3 * error:
            tally.failures.append(
                f"{held:.3f} of the arenas hold what is gained at every look (± {error:.3f})"
            )
        if wrong > 1 - LEVEL + 3 * error:
            tally.failures.append(
                f"{wrong:.3f} of the arenas were told the opposite at a look (± {error:.3f})"
            )
        return tally

    def summary(self, tally: Tally) -> str:
        said = "; ".join(f"prior {kind} {np.mean(tally.figures[kind]):+.2f}" for kind in ALIKE)
        held, wrong = (float(np.mean(tally.figures[name])) for name in ("held", "wrong"))
        return f"held at every look {held:.3f}; told wrongly {wrong:.3f}; the last verdict (helps +1, harms −1): {said}"


def _looks(votes: Votes, prior: PublicPrior, theta: Floats, errors: HalfWidths) -> tuple[bool, bool, int]:
    """Return whether each look's interval held, whether a verdict was wrong, and the last one as −1, 0 or 1."""
    found = prior_forecast.held_out(votes, prior)
    chance = 1.0 / (1.0 + np.exp(theta[votes.right] - theta[votes.left]))[found.places]
    gain = chance * np.log(found.with_prior / found.without)
    gain += (1.0 - chance) * (np.log1p(-found.with_prior) - np.log1p(-found.without))
    held, wrong, said = True, False, 0
    for look in LOOKS:
        card = prior_forecast.prior_forecast(votes.where(np.arange(len(votes)) < look), prior, errors=errors)
        if card is None:
            continue
        truth = float(gain[found.places < look].mean())
        held &= card.ci_lower <= truth <= card.ci_upper
        said = {"helps": 1, "unclear": 0, "harms": -1}[card.verdict]
        wrong |= said * truth < 0
    return held, wrong, said


def _published(rng: np.random.Generator, true: voters.Arena, alike: float) -> PublicPrior:
    other = voters.arena(rng, MODELS, spread=0.5, halves=0.0).theta
    said = alike * true.theta + (1.0 - abs(alike)) * other
    wins = 1e6 / (1.0 + np.exp(-np.subtract.outer(said, said)))
    return public_prior(
        (
            PublishedPair(f"m{i}", f"m{j}", float(wins[i, j]), float(wins[j, i]), 0.0)
            for i in range(MODELS)
            for j in range(i)
        ),
        WEIGHT,
    )


CAMPAIGNS = [PriorVerdict()]
