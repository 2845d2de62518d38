"""Tests of published prices: read at a time, offline, and loaded when first needed."""

import subprocess
import sys

import pytest

from parley.features.catalog.discovery.known import known_provider, known_providers
from parley.features.catalog.discovery.prices import UNKNOWN, ModelFacts, facts_of
from parley.kernel.prices import Prices, PriceTier

NOW = 1_790_000_000.0
"""September 2026."""

CLAUDE_PRICES = Prices(3.0, 15.0, 0.3, 3.75, tiers=(PriceTier(200_000, 6.0, 22.5, 0.6, 7.5),))


def facts(provider_id: str, model: str, now: float = NOW) -> ModelFacts:
    known = known_provider(provider_id)
    assert known is not None
    return facts_of(known, model, now)


def test_prices_and_context_windows_of_hosted_models_are_known() -> None:
    assert facts("openai", "gpt-4o") == ModelFacts(
        prices=Prices(input=2.5, output=10.0, cached_input=1.25), context_window=128_000
    )
    assert facts("openai", "GPT-4o-2024-08-06").prices == Prices(2.5, 10.0, 1.25)
    assert facts("cohere", "command-a-03-2025").prices == Prices(input=2.5, output=10.0)


def test_long_prompts_have_prices_of_their_own() -> None:
    long = PriceTier(200_000, 2.5, 15.0, 0.25)
    assert facts("gemini", "gemini-2.5-pro").prices == Prices(1.25, 10.0, 0.125, tiers=(long,))
    assert facts("anthropic", "claude-sonnet-4-5").prices == CLAUDE_PRICES


def test_the_price_of_the_day_counts() -> None:
    before, after = facts("openai", "o3", 1_748_000_000.0), facts("openai", "o3", NOW)
    assert before.prices == Prices(10.0, 40.0, 0.5)
    assert after.prices == Prices(2.0, 8.0, 0.5)


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("openai", "no-such-model"),
        ("ollama", "llama3.2:3b"),
        ("custom", "gpt-4o"),
        ("openai", ""),
        ("groq", "x" * 9999),
    ],
)
def test_what_is_not_known_is_unknown(provider: str, model: str) -> None:
    assert facts(provider, model) == UNKNOWN


def test_a_model_without_a_price_for_what_it_writes_has_no_prices() -> None:
    assert facts("openai", "text-embedding-3-small").prices is None


def test_every_provider_with_prices_is_in_the_list() -> None:
    from genai_prices.data_snapshot import get_snapshot

    listed = {provider.id for provider in get_snapshot().providers}
    assert {known.prices for known in known_providers() if known.prices} <= listed


def test_prices_are_loaded_when_first_needed() -> None:
    script = "import sys, parley.features.catalog.discovery.offers; print('genai_prices' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", script], text=True).strip() == "False"
