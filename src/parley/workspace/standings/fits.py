"""From counts to tables: the fits behind the standings. It loads NumPy and SciPy, and is called in a thread."""

from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec
import numpy as np

from parley.kernel.errors import ParleyError
from parley.ratings import elo
from parley.ratings.bradley_terry import Fit, fit
from parley.ratings.decision import Decision, decide, fewest_votes_to_flip, fewest_votes_to_turn
from parley.ratings.pairs import Pairs
from parley.ratings.predictions import chance_matrix
from parley.ratings.ranks import rank_by_order
from parley.ratings.standings import Columns, Standing, Standings, lines_of, standings_of
from parley.ratings.style import contrasts, fit_styled
from parley.ratings.votes import Votes
from parley.text.style import FEATURES
from parley.workspace.standings.memory import Line, Table
from parley.workspace.standings.pair_book import Change, PairBook
from parley.workspace.standings.schemas import Method, StyleEffect
from parley.workspace.standings.sequence import Looks, Ratings


class Made(msgspec.Struct, frozen=True, eq=False):
    """A table, and the fit it is from; Elo has none."""

    table: Table
    fit: Fit | None = None


def make_tables(
    book: PairBook,
    change: Change | None,
    elos: Mapping[str, Ratings],
    lasts: Mapping[str, Fit | None],
    now: datetime,
) -> dict[tuple[str, Method], Made]:
    """Make the tables of categories from their counts with a change: by Bradley and Terry, and by Elo.

    `elos` are ratings by category, `lasts` the last fits to begin with; its keys are the categories.
    """
    made: dict[tuple[str, Method], Made] = {}
    for category, last in lasts.items():
        pairs = book.pairs(category, plus=change)
        made[category, "bradley-terry"] = rate_pairs(pairs, last, now)
        made[category, "elo"] = elo_table(pairs, elos.get(category, {}), now)
    return made


def rate_pairs(pairs: Pairs, last: Fit | None, now: datetime) -> Made:
    """Make the table by Bradley and Terry; `last` are strengths to begin with."""
    start = None
    if last is not None:
        known: dict[str, float] = dict(zip(last.pairs.models, last.theta.tolist(), strict=True))
        start = np.array([known.get(model, 0.0) for model in pairs.models])
    fitted = fit(pairs, start=start if start is not None and len(start) else None)
    return Made(Table(_lines(standings_of(fitted)), now), fitted)


def elo_table(pairs: Pairs, ratings: Mapping[str, float], now: datetime) -> Made:
    """Make the table by Elo; equal ratings share a rank. Ratings stay whole."""
    models = tuple(pairs.models)
    rating = np.array([ratings.get(model, elo.INITIAL) for model in models])
    rank = rank_by_order(rating)
    nobody = np.zeros(len(rating), dtype=np.int32)
    columns = Columns(
        rating=rating, rank_ub=rank, rank=rank, provisional=nobody.astype(np.bool_), group=nobody
    )
    whole = dict(zip(models, rating.tolist(), strict=True))
    lines = lines_of(models, pairs.per_model(), columns)
    return Made(Table(tuple(_line(line, whole[line.model]) for line in lines), now))


def make_styled(looks: Looks, now: datetime, had: Iterable[str]) -> dict[tuple[str, Method], Made]:
    """Make the tables with style held constant of all categories whose votes allow it.

    Of categories that `had` one, and whose votes do not allow it any more, it is empty.
    """
    made = {category: rate_styled(looks, category, now) for category in looks.rows}
    empty = {category: Made(Table((), now)) for category in had}
    found = empty | {category: one for category, one in made.items() if one is not None}
    return {(category, "style-control"): one for category, one in found.items()}


def rate_styled(looks: Looks, category: str, now: datetime) -> Made | None:
    """Make the table with style held constant; None where the votes do not tell style from strength."""
    rows = np.array(looks.rows.get(category, ()), dtype=np.int64)
    if not len(rows):
        return None
    models = looks.models
    votes = np.array(looks.votes, dtype=np.int32).reshape(-1, 3)[rows]
    features = np.array(looks.features, dtype=np.float32).reshape(-1, 2, len(FEATURES))[rows]
    met = sorted({int(it) for it in np.unique(votes[:, :2]).tolist()}, key=models.__getitem__)
    place = np.zeros(len(models), dtype=np.int32)
    place[met] = np.arange(len(met), dtype=np.int32)
    styled = Votes(
        models=tuple(models[it] for it in met),
        left=place[votes[:, 0]],
        right=place[votes[:, 1]],
        outcome=votes[:, 2],
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
    return Made(Table(_lines(standings_of(fitted)), now, style), fitted)


def settle(fitted: Fit, model: str, other: str) -> Decision | None:
    """Say how two models stand; None where one of them has no votes."""
    known = fitted.pairs.models
    return decide(fitted, model, other) if model in known and other in known and model != other else None


def votes_to_flip(fitted: Fit, top: str) -> int | None:
    """Return the fewest votes whose removal puts another model above the top; None where that is not this one."""
    flip = fewest_votes_to_flip(fitted)
    return flip.votes if flip is not None and flip.top == top else None


def votes_to_turn(fitted: Fit, decision: Decision) -> int | None:
    """Return the fewest votes whose removal puts the other model of a pair ahead; None where nothing does."""
    return fewest_votes_to_turn(fitted, decision.model, decision.other)


def chances_of(fitted: Fit, among: Iterable[str], *, of: str | None = None) -> dict[tuple[str, str], float]:
    """Return the expected share of the votes for each ordered pair that can be compared, or only for those of one."""
    models: tuple[str, ...] = tuple(fitted.pairs.models)
    place = {model: index for index, model in enumerate(models)}
    wanted = [place[it] for it in dict.fromkeys(among) if it in place]
    rows = wanted if of is None else [place[of]] if of in place else []
    group: list[int] = fitted.group.tolist()
    matrix: list[list[float]] = chance_matrix(fitted.theta).tolist()
    return {
        (models[i], models[j]): matrix[i][j] for i in rows for j in wanted if i != j and group[i] == group[j]
    }


def _lines(standings: Standings) -> tuple[Line, ...]:
    return tuple(_line(line, line.rating) for line in standings.standings)


def _line(line: Standing, rating: float) -> Line:
    values = {name: getattr(line, name) for name in Line.__struct_fields__ if name != "rating"}
    return Line(rating=rating, **values)
