"""Tests of published prices: read at a time, offline, and loaded when first needed."""

import subprocess
import sys

import pytest

from parley.features.catalog.discovery.known import known_provider, known_providers
from parley.features.catalog.discovery.prices import UNKNOWN, ModelFacts, facts_of
from parley.kernel.models import Prices

NOW = 1_790_000_000.0
"""September 2026."""


def facts(provider_id: str, model: str, now: float = NOW) -> ModelFacts:
    known = known_provider(provider_id)
    assert known is not None
    return facts_of(known, model, now)


def test_prices_and_context_windows_of_hosted_models_are_known() -> None:
    assert facts("openai", "gpt-4o") == ModelFacts(
        prices=Prices(input=2.5, output=10.0), context_window=128_000
    )
    assert facts("openai", "GPT-4o-2024-08-06").prices == Prices(input=2.5, output=10.0)
    assert facts("cohere", "command-a-03-2025").prices == Prices(input=2.5, output=10.0)


def test_the_price_of_short_requests_counts_and_says_that_long_ones_cost_more() -> None:
    found = facts("gemini", "gemini-2.5-pro")
    assert found.prices == Prices(input=1.25, output=10.0)
    assert found.tiered


def test_the_price_of_the_day_counts() -> None:
    before, after = facts("openai", "o3", 1_748_000_000.0), facts("openai", "o3", NOW)
    assert before.prices == Prices(input=10.0, output=40.0)
    assert after.prices == Prices(input=2.0, output=8.0)


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
