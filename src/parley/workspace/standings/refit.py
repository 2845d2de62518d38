"""Refit tables from counts, in a thread. It loads NumPy and SciPy."""

from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec
import numpy as np

from parley.kernel.errors import ParleyError
from parley.ratings import elo
from parley.ratings.bradley_terry import Fit, fit
from parley.ratings.pairs import Pairs
from parley.ratings.predictions import chance_matrix
from parley.ratings.ranks import rank_by_order
from parley.ratings.standings import Columns, Standing, Standings, lines_of, standings_of
from parley.ratings.style import contrasts, fit_styled
from parley.ratings.votes import Votes
from parley.text.style import FEATURES
from parley.workspace.standings.accumulators import Ratings, StyleVotes
from parley.workspace.standings.pair_counts import PairCounts, PairDelta
from parley.workspace.standings.schemas import Method, StyleEffect
from parley.workspace.standings.snapshot import Line, Table


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
) -> dict[tuple[str, Method], FittedTable]:
    """Return the Bradley-Terry and Elo tables of the categories in `last_fits`.

    A fit starts from the last one. `plus` is a change that is not in the counts yet, `elos` are ratings by category.
    """
    tables: dict[tuple[str, Method], FittedTable] = {}
    for category, last in last_fits.items():
        pairs = counts.pairs(category, plus=plus)
        tables[category, "bradley-terry"] = fit_pairs(pairs, last, now)
        tables[category, "elo"] = _elo_table(pairs, elos.get(category, {}), now)
    return tables


def fit_pairs(pairs: Pairs, last: Fit | None, now: datetime) -> FittedTable:
    """Return the Bradley-Terry table of some pairs; the fit starts from `last`."""
    start = None
    if last is not None:
        known: dict[str, float] = dict(zip(last.pairs.models, last.theta.tolist(), strict=True))
        start = np.array([known.get(model, 0.0) for model in pairs.models])
    fitted = fit(pairs, start=start if start is not None and len(start) else None)
    return FittedTable(Table(_lines(standings_of(fitted)), now), fitted)


def style_tables(
    votes: StyleVotes, now: datetime, previous: Iterable[str]
) -> dict[tuple[str, Method], FittedTable]:
    """Return the style-controlled tables of all categories whose votes allow one.

    A category of `previous` whose votes no longer do gets an empty one.
    """
    made = {category: _style_table(votes, category, now) for category in votes.rows}
    empty = {category: FittedTable(Table((), now)) for category in previous}
    found = empty | {category: one for category, one in made.items() if one is not None}
    return {(category, "style-control"): one for category, one in found.items()}


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


def _elo_table(pairs: Pairs, ratings: Mapping[str, float], now: datetime) -> FittedTable:
    """Return the Elo table; equal ratings share a rank, and ratings are not rounded."""
    models = tuple(pairs.models)
    rating = np.array([ratings.get(model, elo.INITIAL) for model in models])
    rank = rank_by_order(rating)
    zeros = np.zeros(len(rating), dtype=np.int32)
    columns = Columns(rating=rating, rank_ub=rank, rank=rank, provisional=zeros.astype(np.bool_), group=zeros)
    exact = dict(zip(models, rating.tolist(), strict=True))
    lines = lines_of(models, pairs.per_model(), columns)
    return FittedTable(Table(tuple(_line(line, exact[line.model]) for line in lines), now))


def _style_table(votes: StyleVotes, category: str, now: datetime) -> FittedTable | None:
    """Return a style-controlled table; None where votes can't separate style from strength."""
    rows = np.array(votes.rows.get(category, ()), dtype=np.int64)
    if not len(rows):
        return None
    models = votes.models
    columns = np.array(votes.votes, dtype=np.int32).reshape(-1, 3)[rows]
    features = np.array(votes.features, dtype=np.float32).reshape(-1, 2, len(FEATURES))[rows]
    met = sorted({int(it) for it in np.unique(columns[:, :2]).tolist()}, key=models.__getitem__)
    place = np.zeros(len(models), dtype=np.int32)
    place[met] = np.arange(len(met), dtype=np.int32)
    styled = Votes(
        models=tuple(models[it] for it in met),
        left=place[columns[:, 0]],
        right=place[columns[:, 1]],
        outcome=columns[:, 2],
        features=contrasts(features[:, 0], features[:, 1]),
        feature_names=FEATURES,
    )
    try:
        fitted, effects = fit_styled(styled)
    except (ParleyError, ArithmeticError, np.linalg.LinAlgError):
        return None
    style = tuple(
        StyleEffect(effect.feature, effect.points, effect.ci_lower, effect.ci_upper) for effect in effects
    )
    return FittedTable(Table(_lines(standings_of(fitted)), now, style), fitted)


def _lines(standings: Standings) -> tuple[Line, ...]:
    return tuple(_line(line, line.rating) for line in standings.standings)


def _line(line: Standing, rating: float) -> Line:
    values = {name: getattr(line, name) for name in Line.__struct_fields__ if name != "rating"}
    return Line(rating=rating, **values)
