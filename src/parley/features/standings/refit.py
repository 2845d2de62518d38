"""Refit tables from counts, in a thread. It loads NumPy and SciPy."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

import msgspec
import numpy as np

from parley.features.standings.accumulators import CrowdVotes, Ratings, StyleVotes
from parley.features.standings.pair_counts import PairCounts, PairDelta
from parley.features.standings.prior_schemas import PriorSource
from parley.features.standings.schemas import Method
from parley.features.standings.snapshot import CROWD_DECIMALS, CrowdEffect, Table
from parley.kernel.errors import ParleyError
from parley.ratings import elo
from parley.ratings.arrays import Codes
from parley.ratings.bradley_terry import Fit, fit
from parley.ratings.clusters import clustered, crowding
from parley.ratings.elo_replay import elo_lines
from parley.ratings.intervals import anytime_half_widths
from parley.ratings.lines import PriorForecast, SideEffect, StyleEffect, WeightedRatings
from parley.ratings.pairs import Pairs
from parley.ratings.position import FEATURE as LEFT
from parley.ratings.position import position_effect
from parley.ratings.predictions import chance_matrix
from parley.ratings.prior_forecast import prior_forecast
from parley.ratings.public_prior import PublicPrior, PublishedPair, public_prior
from parley.ratings.standings import standings_of
from parley.ratings.style import contrasts, fit_styled
from parley.ratings.votes import Votes
from parley.ratings.weighting import weighted_ratings
from parley.text.categories.ids import OVERALL
from parley.text.style import FEATURES

FEW_VOTERS = 5.0
"""With fewer effective voters the scatter between them is not known: the intervals are about their votes alone."""

Crowds: TypeAlias = Callable[[str], Mapping[str, CrowdEffect]]
"""The likeness of the votes on each model, by category."""


_priors: dict[str, PublicPrior] = {}
"""The last prior, by its digest: making one takes longer than a fit."""


class FittedTable(msgspec.Struct, frozen=True, eq=False):
    """A table with the fit behind it; Elo has none."""

    table: Table
    fit: Fit | None = None


def refit_tables(
    counts: PairCounts,
    plus: PairDelta | None,
    elos: Mapping[str, Ratings],
    last_fits: Mapping[str, Fit | None],
    now: datetime,
    crowds: Crowds,
    prior: PriorSource | None,
) -> dict[tuple[str, Method], FittedTable]:
    """Return the Bradley-Terry and Elo tables of the categories in `last_fits`.

    A fit starts from the last one. Of the tables only the main one has the prior. `plus` is a change that is not in the
    counts yet, `elos` are ratings by category.
    """
    tables: dict[tuple[str, Method], FittedTable] = {}
    for category, last in last_fits.items():
        pairs = counts.pairs(category, plus=plus)
        tables[category, "bradley-terry"] = fit_pairs(
            pairs, last, now, crowds(category), prior_of(prior, category)
        )
        tables[category, "elo"] = _elo_table(pairs, elos.get(category, {}), now)
    return tables


def prior_of(prior: PriorSource | None, category: str) -> PublicPrior | None:
    """Return what a fit needs of the prior: only the table of all votes starts from published results."""
    if prior is None or category != OVERALL:
        return None
    if (known := _priors.get(prior.sha256)) is None:
        known = public_prior((PublishedPair(*row) for row in prior.content.rows), prior.weight)
        _priors.clear()
        _priors[prior.sha256] = known
    return known


def fit_pairs(
    pairs: Pairs,
    last: Fit | None,
    now: datetime,
    crowd: Mapping[str, CrowdEffect],
    public: PublicPrior | None = None,
) -> FittedTable:
    """Return the Bradley-Terry table of some pairs; the fit starts from `last`."""
    start = None
    if last is not None:
        known: dict[str, float] = dict(zip(last.pairs.models, last.theta.tolist(), strict=True))
        start = np.array([known.get(model, 0.0) for model in pairs.models])
    fitted = fit(pairs, start=start if start is not None and len(start) else None, public=public)
    return _watched_table(fitted, now, crowd)


def crowd_table(votes: CrowdVotes, category: str, now: datetime) -> FittedTable:
    """Return the Bradley-Terry table of votes with their voters, as wide as these are alike."""
    voted = _with_voters(votes, category)
    return fit_pairs(voted.pairs(), None, now, effects_of(voted))


def style_tables(
    votes: StyleVotes, now: datetime, previous: Iterable[str], crowds: Crowds
) -> dict[tuple[str, Method], FittedTable]:
    """Return the style-controlled tables of all categories whose votes allow one.

    A category of `previous` whose votes no longer do gets an empty one.
    """
    fitted = {category: _style_table(votes, category, now, crowds(category)) for category in votes.rows}
    empty = {category: FittedTable(Table((), now)) for category in previous}
    complete = empty | {category: one for category, one in fitted.items() if one is not None}
    return {(category, "style-control"): one for category, one in complete.items()}


def expected_shares(
    fitted: Fit, among: Iterable[str], *, of: str | None = None
) -> dict[tuple[str, str], float]:
    """Return the expected share of votes of each comparable pair.

    Both (a, b) and (b, a) are in it; with `of` only the pairs of one model.
    """
    models: tuple[str, ...] = tuple(fitted.pairs.models)
    place = {model: index for index, model in enumerate(models)}
    wanted = [place[it] for it in dict.fromkeys(among) if it in place]
    rows = wanted if of is None else [place[of]] if of in place else []
    group: list[int] = fitted.group.tolist()
    matrix: list[list[float]] = chance_matrix(fitted.theta).tolist()
    return {
        (models[i], models[j]): matrix[i][j] for i in rows for j in wanted if i != j and group[i] == group[j]
    }


def crowd_effects(
    votes: CrowdVotes, category: str, prior: PriorSource | None = None
) -> Mapping[str, CrowdEffect]:
    """Return how alike the votes on each model are, from votes with their voters."""
    return effects_of(_with_voters(votes, category), prior_of(prior, category))


def effects_of(voted: Votes, public: PublicPrior | None = None) -> Mapping[str, CrowdEffect]:
    """Return how alike the votes on each model are; nothing where voters are not known."""
    if voted.voter is None or not len(voted):
        return {}
    if not (voted.voter != voted.voter[0]).any():
        return dict.fromkeys(voted.models, CrowdEffect(1.0, 1.0))
    fitted = fit(voted.pairs(), public=public)
    alike, variance = crowding(fitted, voted), np.diagonal(fitted.covariance)
    widened = np.ones(len(variance))
    if float(np.median(alike.effective)) >= FEW_VOTERS:
        by_voter = np.diagonal(clustered(fitted, voted).covariance)
        widened = np.sqrt(np.maximum(by_voter / np.maximum(variance, 1e-300), 1.0))
    factors, shares = (np.round(it, CROWD_DECIMALS).tolist() for it in (widened, alike.top_share))
    effects = zip(voted.models, factors, shares, strict=True)
    return {model: CrowdEffect(factor, share) for model, factor, share in effects}


def draw_effects(votes: CrowdVotes) -> tuple[Mapping[str, SideEffect], Mapping[str, WeightedRatings]]:
    """Return what the left side is worth in each category, and what unequal draws of pairs move."""
    sides: dict[str, SideEffect] = {}
    weighted: dict[str, WeightedRatings] = {}
    chances = np.array(votes.chances, dtype=np.float64)
    for category, rows in votes.rows.items():
        voted = _with_voters(votes, category)
        side = position_effect(fit(voted.pairs()), voted, errors=anytime_half_widths)
        if side is not None:
            sides[category] = side
        by_draw = weighted_ratings(voted, chances[np.array(rows, dtype=np.int64)], errors=anytime_half_widths)
        if by_draw is not None:
            weighted[category] = by_draw
    return sides, weighted


def forecast_with(votes: CrowdVotes, prior: PriorSource) -> PriorForecast | None:
    """Return whether a prior helps to forecast the votes; None with too few."""
    public = prior_of(prior, OVERALL)
    if public is None or not len(votes.times):
        return None
    rows = np.array(votes.rows.get(OVERALL, ()), dtype=np.int64)
    times = np.array(votes.times, dtype=np.int64)[rows]
    return prior_forecast(_with_voters(votes, OVERALL).where(np.argsort(times, kind="stable")), public)


def _with_voters(votes: CrowdVotes, category: str) -> Votes:
    columns = np.array(votes.votes, dtype=np.int32).reshape(-1, 4)
    columns = columns[np.array(votes.rows.get(category, ()), dtype=np.int64)]
    return msgspec.structs.replace(_votes(votes.models, columns), voter=columns[:, 3])


def _watched_table(
    fitted: Fit, now: datetime, crowd: Mapping[str, CrowdEffect], style: tuple[StyleEffect, ...] = ()
) -> FittedTable:
    """Return a table whose intervals are valid at every look, and as wide as people's votes are alike."""
    usual = float(np.median([it.widened for it in crowd.values()])) if crowd else 1.0
    effects = [crowd.get(model, CrowdEffect(usual, None)) for model in fitted.pairs.models]
    wider = np.array([it.widened for it in effects])
    fitted = msgspec.structs.replace(fitted, covariance=fitted.covariance * np.outer(wider, wider))
    by_model = dict(zip(fitted.pairs.models, effects, strict=True))
    lines = tuple(
        msgspec.structs.replace(line, **by_model[line.model]._asdict())
        for line in standings_of(fitted, errors=anytime_half_widths).standings
    )
    return FittedTable(Table(lines, now, style), fitted)


def _votes(models: Sequence[str], columns: Codes) -> Votes:
    """Return votes whose columns are left, right and outcome; models without votes are left out."""
    met = sorted({int(it) for it in np.unique(columns[:, :2]).tolist()}, key=models.__getitem__)
    place = np.zeros(len(models), dtype=np.int32)
    place[met] = np.arange(len(met), dtype=np.int32)
    left, right, outcome = place[columns[:, 0]], place[columns[:, 1]], columns[:, 2]
    return Votes(models=tuple(models[it] for it in met), left=left, right=right, outcome=outcome)


def _elo_table(pairs: Pairs, ratings: Mapping[str, float], now: datetime) -> FittedTable:
    """Return the Elo table, with ratings that are not rounded."""
    exact = {model: ratings.get(model, elo.INITIAL) for model in pairs.models}
    lines = elo_lines(pairs.models, pairs.per_model(), np.array(list(exact.values())))
    return FittedTable(Table(tuple(msgspec.structs.replace(it, rating=exact[it.model]) for it in lines), now))


def _style_table(
    votes: StyleVotes, category: str, now: datetime, crowd: Mapping[str, CrowdEffect]
) -> FittedTable | None:
    """Return a style-controlled table; None where votes can't separate style from strength."""
    rows = np.array(votes.rows.get(category, ()), dtype=np.int64)
    if not len(rows):
        return None
    models = votes.models
    columns = np.array(votes.votes, dtype=np.int32).reshape(-1, 3)[rows]
    features = np.array(votes.features, dtype=np.float32).reshape(-1, 2, len(FEATURES))[rows]
    styled = msgspec.structs.replace(
        _votes(models, columns),
        # The left side is one more feature: whoever sits there.
        features=np.pad(contrasts(features[:, 0], features[:, 1]), ((0, 0), (0, 1)), constant_values=1.0),
        feature_names=(*FEATURES, LEFT),
    )
    try:
        fitted, effects = fit_styled(styled)
    except (ParleyError, ArithmeticError, np.linalg.LinAlgError):
        return None
    return _watched_table(fitted, now, crowd, effects)
