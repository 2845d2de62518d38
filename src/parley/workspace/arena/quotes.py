"""Quotes: what a turn would take, told before anything is asked or stored."""

import msgspec

from parley.kernel.models import Model
from parley.kernel.outline import Calls, Outline
from parley.kernel.seats import Draw, Seat
from parley.workspace.arena.openings import Venue, validated
from parley.workspace.arena.schemas import AskQuote

REPLY_TOKENS = 500
"""How long a reply is taken to be."""
CHARACTERS_PER_TOKEN = 4
MICROS = 1_000_000

ASSUMPTIONS = (
    f"Every reply is taken to be {REPLY_TOKENS} tokens long.",
    f"{CHARACTERS_PER_TOKEN} characters of the question and of the settings are taken to be a token.",
    "Earlier turns, failures and retries are not counted.",
)
DRAWN = "The models are drawn when the match begins, so what they cost is not known before."


class QuotedCalls(msgspec.Struct, frozen=True, kw_only=True):
    """The calls of one seat for one purpose; `model` is null where it is not known yet."""

    seat: str
    purpose: str
    model: str | None
    least: int
    most: int


class Quote(msgspec.Struct, frozen=True, kw_only=True):
    """What a turn would take, at least and at most.

    Costs are those of all models but the `unpriced` ones, and null where no model has a price. `assumptions` are
    sentences for the person who reads the figures.
    """

    calls_least: int
    calls_most: int
    cost_usd_least: float | None
    cost_usd_most: float | None
    unpriced: tuple[str, ...]
    calls: tuple[QuotedCalls, ...]
    assumptions: tuple[str, ...]


def make_quote(venue: Venue, asked: AskQuote) -> Quote:
    """Return what a turn would take. Raises Invalid, Unavailable: just as starting it would."""
    mode = venue.mode(asked.mode)
    brief = validated(mode, asked.brief)
    drawn = mode.seating.draw is not Draw.CHOSEN
    seats = venue.seats(mode.seating, asked.seats).seats
    mode.check(brief, seats)
    outline: Outline = mode.outline(brief, seats)
    models = {} if drawn else {seat.name: venue.catalog.model(seat.model_id) for seat in seats}
    priced = [calls for calls in outline.calls if (model := models.get(calls.seat)) and model.prices]
    heard = -(-(len(asked.prompt) + outline.characters) // CHARACTERS_PER_TOKEN)
    least = sum(_micros(models[calls.seat], calls.least, calls.hears_least, heard) for calls in priced)
    most = sum(_micros(models[calls.seat], calls.most, calls.hears_most, heard) for calls in priced)
    return Quote(
        calls_least=sum(calls.least for calls in outline.calls),
        calls_most=sum(calls.most for calls in outline.calls),
        cost_usd_least=least / MICROS if priced else None,
        cost_usd_most=most / MICROS if priced else None,
        unpriced=tuple(dict.fromkeys(model.id for model in models.values() if model.prices is None)),
        calls=tuple(_quoted(calls, seats, drawn=drawn) for calls in outline.calls),
        assumptions=(*ASSUMPTIONS, DRAWN) if drawn else ASSUMPTIONS,
    )


def _micros(model: Model, calls: int, hears: int, heard: int) -> int:
    if model.prices is None:
        return 0
    return model.prices.cost_micros(calls * heard + hears * REPLY_TOKENS, calls * REPLY_TOKENS)


def _quoted(calls: Calls, seats: tuple[Seat, ...], *, drawn: bool) -> QuotedCalls:
    model = None if drawn else next((seat.model_id for seat in seats if seat.name == calls.seat), None)
    return QuotedCalls(
        seat=calls.seat, purpose=calls.purpose, model=model, least=calls.least, most=calls.most
    )
