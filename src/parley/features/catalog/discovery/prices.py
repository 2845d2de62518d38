"""What hosted models cost, and how much they read: from genai-prices, as installed and without the network."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

import msgspec

from parley.features.catalog.discovery.known import KnownProvider
from parley.kernel.models import Prices

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice


class ModelFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a hosted model; None is unknown. `context_window` is in tokens.

    `tiered`: long requests cost more than `prices`, which are those of short ones.
    """

    prices: Prices | None = None
    context_window: int | None = None
    tiered: bool = False


UNKNOWN = ModelFacts()


def facts_of(known: KnownProvider, model: str, now: float) -> ModelFacts:
    """Return what is known of a provider's model at a time, in seconds since the epoch.

    The first call loads the list of prices, which takes about a second: not on the event loop.
    """
    if known.prices is None:
        return UNKNOWN
    from genai_prices.data_snapshot import get_snapshot

    try:
        _, found = get_snapshot().find_provider_model(model, None, known.prices, None)
    except LookupError:
        return UNKNOWN
    return _facts(found, datetime.fromtimestamp(now, UTC))


def _facts(found: "ModelInfo", at: datetime) -> ModelFacts:
    prices = found.get_prices(at) if found.prices else None
    read, written = _price_of(prices, "input_mtok"), _price_of(prices, "output_mtok")
    if read is None or written is None:
        return ModelFacts(context_window=found.context_window)
    return ModelFacts(
        prices=Prices(input=read[0], output=written[0]),
        context_window=found.context_window,
        tiered=read[1] or written[1],
    )


def _price_of(prices: "ModelPrice | None", name: str) -> tuple[float, bool] | None:
    """Return dollars per million tokens, and whether long requests cost more; None if unknown."""
    price = getattr(prices, name, None) if prices is not None else None
    if price is None:
        return None
    if isinstance(price, Decimal):
        return float(price), False
    return float(price.base), True
