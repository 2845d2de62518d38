"""Prices and context windows of hosted models: from genai-prices, as installed and without the network."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from parley.features.catalog.discovery.known import KnownProvider
from parley.kernel.prices import Prices, PriceTier

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice, Tier


class ModelFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about a hosted model; None is unknown. `context_window` is in tokens."""

    prices: Prices | None = None
    context_window: int | None = None


UNKNOWN = ModelFacts()


def facts_of(known: KnownProvider, model: str, now: float) -> ModelFacts:
    """Return what is known of a provider's model at a time, in seconds since the epoch.

    The first call loads the list of prices, which takes about a second: not on the event loop.
    """
    if known.prices is None:
        return UNKNOWN
    from genai_prices.data_snapshot import get_snapshot

    try:
        _, info = get_snapshot().find_provider_model(model, None, known.prices, None)
    except LookupError:
        return UNKNOWN
    return _facts(info, datetime.fromtimestamp(now, UTC))


def _facts(info: "ModelInfo", at: datetime) -> ModelFacts:
    listed = info.get_prices(at) if info.prices else None
    prices = _prices_of(listed) if listed is not None else None
    return ModelFacts(prices=prices, context_window=info.context_window)


def _prices_of(listed: "ModelPrice") -> Prices | None:
    """Return the prices of a list; None if it lacks that of the input or of the output."""
    starts = {tier.start for name in _FIELDS.values() for tier in _tiers_of(listed, name)}
    base = _at(listed, 0)
    tiers = tuple(
        PriceTier(above=start, **fields) for start in sorted(starts) if (fields := _at(listed, start))
    )
    return Prices(**base, tiers=tiers) if base else None


_FIELDS = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cached_input": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
}


def _at(listed: "ModelPrice", tokens: int) -> dict[str, float]:
    """Return the prices of a call with more input than this; nothing if there is none for input or output."""
    prices: dict[str, float] = {}
    for field, name in _FIELDS.items():
        price = getattr(listed, name, None)
        if price is None:
            continue
        reached = [tier for tier in _tiers_of(listed, name) if tokens >= tier.start]
        last = max(reached, key=lambda tier: tier.start).price if reached else None
        prices[field] = float(last if last is not None else getattr(price, "base", price))
    return prices if "input" in prices and "output" in prices else {}


def _tiers_of(listed: "ModelPrice", name: str) -> "list[Tier]":
    return list(getattr(getattr(listed, name, None), "tiers", ()))
