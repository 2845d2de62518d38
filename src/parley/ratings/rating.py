"""Rate models from votes or counts."""

import math
from typing import Literal, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Floats
from parley.ratings.bradley_terry import Fit, fit
from parley.ratings.clusters import clustered
from parley.ratings.columns import Column
from parley.ratings.counts import Counts
from parley.ratings.elo import INITIAL, K
from parley.ratings.elo_replay import elo_standings
from parley.ratings.intervals import anytime_half_widths, half_widths
from parley.ratings.standings import Anchor, Standings, standings_of
from parley.ratings.style import fit_styled
from parley.ratings.votes import Votes, votes_of

Method: TypeAlias = Literal["bradley-terry", "elo"]
Interval: TypeAlias = Literal["plain", "clustered", "anytime"]


class RatingOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a rating."""

    method: Method = "bradley-terry"
    interval: Interval = "plain"
    """`plain` takes votes as independent, `clustered` people, `anytime` is for tables that are watched."""
    anchor: Anchor | None = None
    k: float = K
    """Of Elo: how far one vote can move a rating."""
    initial: float = INITIAL
    """Of Elo: where a model begins."""
    style_control: bool = False
    """Hold the votes' features constant."""


PLAIN = RatingOptions()


def rate_votes(
    model_a: Column,
    model_b: Column,
    winner: Column,
    *,
    models: tuple[str, ...] | None = None,
    judge: Column | None = None,
    features: NDArray[np.floating] | None = None,
    options: RatingOptions = PLAIN,
) -> Standings:
    """Rate models from columns of votes: names and LMArena's words, or integers with `models` (see `votes_of`).

    Raises Invalid where a row is no vote; `votes_of` and `rate` let the caller leave such rows out.
    """
    votes, faults = votes_of(model_a, model_b, winner, models=models, judge=judge, features=features)
    if faults.number:
        raise Invalid("winner", f"{faults.number} rows are not valid votes.", str(faults), code="bad_votes")
    return rate(votes, options)


def rate(votes: Votes, options: RatingOptions = PLAIN) -> Standings:
    """Rate models from votes. Raises Invalid where the votes lack what the options need."""
    if options.method == "elo":
        _check_elo(options)
        return elo_standings(votes, k=options.k, initial=options.initial, anchor=options.anchor)
    if options.style_control:
        fitted, effects = fit_styled(votes, by_voter=options.interval == "clustered")
        return msgspec.structs.replace(_table(fitted, options), style=effects)
    fitted = fit(votes.pairs())
    if options.interval == "clustered":
        fitted = clustered(fitted, votes)
    return _table(fitted, options)


def rate_counts(counts: Counts, options: RatingOptions = PLAIN, *, start: Floats | None = None) -> Standings:
    """Rate models from counts; takes no longer for more votes. `start` are the last strengths, by place.

    Raises Invalid for Elo, clusters and style, which need the votes themselves.
    """
    if options.method == "elo" or options.interval == "clustered" or options.style_control:
        raise Invalid("options", "Elo, clustered intervals and style control need the votes themselves.")
    return _table(fit(counts.pairs(), start=start), options)


def _check_elo(options: RatingOptions) -> None:
    if not (math.isfinite(options.k) and options.k > 0):
        raise Invalid("k", f"Elo's K must be a number above 0, not {options.k:g}.")
    if not math.isfinite(options.initial):
        raise Invalid("initial", f"Elo must begin at a number, not at {options.initial:g}.")


def _table(fitted: Fit, options: RatingOptions) -> Standings:
    errors = anytime_half_widths if options.interval == "anytime" else half_widths
    return standings_of(fitted, anchor=options.anchor, errors=errors)
