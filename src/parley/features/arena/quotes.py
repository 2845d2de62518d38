"""Quotes: the estimated calls and cost of a turn, before anything is asked or stored."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from parley.engine.drawing import pictures_of
from parley.features.arena.matchmaker import Matchmaker, read_brief
from parley.features.arena.schemas import AskQuote, settings_of
from parley.kernel.mode import Brief, Mode
from parley.kernel.models import Model
from parley.kernel.options import NO_OPTIONS
from parley.kernel.outline import Calls
from parley.kernel.seats import Seat

REPLY_TOKENS = 500
"""The assumed length of a reply."""
CHARACTERS_PER_TOKEN = 4
MICROS = 1_000_000

ASSUMPTIONS = (
    f"Each reply is assumed to have {REPLY_TOKENS} tokens, or its token limit where that is lower.",
    f"Each token of the question and the settings is assumed to have {CHARACTERS_PER_TOKEN} characters.",
    "Failures and retries are not counted.",
)
WITHOUT_HISTORY = "Earlier turns are not counted."
WITH_HISTORY = "Earlier turns count with the tokens of each model's last question and answer."
DRAWN = "The models are drawn when the match starts, so their prices are not known before."
DRAWN_ENSEMBLE = "An ensemble may be drawn. It makes more calls than the one that is counted for each side."


class QuotedCalls(msgspec.Struct, frozen=True, kw_only=True):
    """The calls of one seat for one purpose. `model` is null if it is not known yet.

    `within`: the seats of the ensembles that make these calls, outermost first.
    """

    seat: str
    purpose: str
    model: str | None
    least: int
    most: int
    within: tuple[str, ...] = ()


class Quote(msgspec.Struct, frozen=True, kw_only=True):
    """The minimum and maximum calls and cost of a turn. The calls of an ensemble are those made inside it.

    Costs are those of all models except the `unpriced` ones, and null if no model has a price. `assumptions` are
    sentences that explain the figures to a person.
    """

    calls_least: int
    calls_most: int
    cost_usd_least: float | None
    cost_usd_most: float | None
    unpriced: tuple[str, ...]
    calls: tuple[QuotedCalls, ...]
    assumptions: tuple[str, ...]


class _Load(NamedTuple):
    """A number of calls, and the characters that they read in total."""

    calls: int
    characters: int

    def within(self, each: int, hears: int, rules: int) -> "_Load":
        """Return the load of calls made `each` times for every call of this load.

        Together they read that many replies; `rules` is the number of characters that all of them read anyway.
        """
        heard = each * rules + hears * REPLY_TOKENS * CHARACTERS_PER_TOKEN
        return _Load(self.calls * each, self.characters * each + self.calls * heard)

    def micros(self, model: Model, reply_tokens: int, pictures: int) -> int:
        """Return the cost of these calls; 0 if the model has no price."""
        heard = -(-self.characters // CHARACTERS_PER_TOKEN)
        calls = self.calls
        return (
            model.prices.cost_micros(heard, calls * reply_tokens, images=calls * pictures)
            if model.prices
            else 0
        )


class _Asked(NamedTuple):
    """The calls of one seat to one model, which is None if it is not known yet."""

    seat: str
    purpose: str
    within: tuple[str, ...]
    model: Model | None
    least: _Load
    most: _Load
    reply_tokens: int
    pictures: int

    def micros(self, model: Model, load: _Load) -> int:
        """Return the cost of a load of these calls."""
        return load.micros(model, self.reply_tokens, self.pictures)

    def quoted(self) -> QuotedCalls:
        return QuotedCalls(
            seat=self.seat,
            purpose=self.purpose,
            model=self.model.id if self.model else None,
            least=self.least.calls,
            most=self.most.calls,
            within=self.within,
        )


def make_quote(matchmaker: Matchmaker, request: AskQuote) -> Quote:
    """Return the estimate for a turn. Raises Invalid, Unavailable, as starting it would."""
    mode = matchmaker.mode(request.mode)
    brief = read_brief(mode, request.brief)
    drawn = bool(mode.seating.drawn)
    seats = matchmaker.seats(mode.seating, request.seats, settings_of(request.seat_settings)).seats
    mode.check(brief, seats)
    once = _Load(1, len(request.prompt) + request.attached_tokens * CHARACTERS_PER_TOKEN)
    history = {seat: tokens * CHARACTERS_PER_TOKEN for seat, tokens in request.history_tokens.items()}
    calls = tuple(_asked(matchmaker, mode, brief, seats, once, history=history))
    known = [(each, each.model) for each in calls if each.model]
    priced = [(each, model) for each, model in known if model.prices]
    return Quote(
        calls_least=sum(each.least.calls for each in calls),
        calls_most=sum(each.most.calls for each in calls),
        cost_usd_least=_dollars(each.micros(model, each.least) for each, model in priced) if priced else None,
        cost_usd_most=_dollars(each.micros(model, each.most) for each, model in priced) if priced else None,
        unpriced=tuple(dict.fromkeys(model.id for _, model in known if model.prices is None)),
        calls=tuple(each.quoted() for each in calls),
        assumptions=(
            *ASSUMPTIONS,
            WITH_HISTORY if history else WITHOUT_HISTORY,
            *(_of_drawing(matchmaker) if drawn else ()),
        ),
    )


def _dollars(micros: Iterable[int]) -> float:
    return sum(micros) / MICROS


def _asked(
    matchmaker: Matchmaker,
    mode: Mode[Any],
    brief: Brief,
    seats: Sequence[Seat],
    least: _Load,
    most: _Load | None = None,
    within: tuple[str, ...] = (),
    *,
    history: Mapping[str, int] | None = None,
) -> Iterator[_Asked]:
    """Yield the calls of seats; for an ensemble, the calls made within it. `history` is in characters, by seat.

    Models that are drawn when the match begins are not known yet.
    """
    outline = mode.outline(brief, seats)
    models = {seat.name: matchmaker.catalog.model(seat.model_id) for seat in seats}
    models |= dict.fromkeys(mode.seating.drawn)
    limits = {seat.name: seat.settings.max_output_tokens for seat in seats}
    options = {seat.name: seat.settings.options for seat in seats}
    for calls in outline.calls:
        model = models[calls.seat]
        rules = outline.characters + calls.characters + (history or {}).get(calls.seat, 0)
        low, high = _loads(calls, least, most or least, rules)
        if model is None or model.kind == "single":
            reply_tokens = min(REPLY_TOKENS, limits.get(calls.seat) or REPLY_TOKENS)
            drawn = pictures_of(model, options.get(calls.seat, NO_OPTIONS).picture)
            reply_tokens = 0 if drawn else reply_tokens
            yield _Asked(calls.seat, calls.purpose, within, model, low, high, reply_tokens, drawn)
        else:
            inner = matchmaker.ensemble(model.id)
            played = matchmaker.mode(inner.mode)
            settings = read_brief(played, inner.brief)
            yield from _asked(matchmaker, played, settings, inner.seats, low, high, (*within, calls.seat))


def _loads(calls: Calls, least: _Load, most: _Load, rules: int) -> tuple[_Load, _Load]:
    return (
        least.within(calls.least, calls.hears_least, rules),
        most.within(calls.most, calls.hears_most, rules),
    )


def _of_drawing(matchmaker: Matchmaker) -> Iterator[str]:
    yield DRAWN
    if any(model.kind == "ensemble" for model in matchmaker.catalog.battle_pool()):
        yield DRAWN_ENSEMBLE
