"""Tests of what answers cost: each kind of usage figure, with the sum that the provider's own price list gives.

The usages have the shape of each provider's API; the prices are those of its list per million tokens.
"""

from typing import Any

import msgspec
import pytest

from parley.connectors.openai.usage import decode_usage
from parley.kernel.connector import Usage
from parley.kernel.prices import Prices, PriceTier

GPT_5 = Prices(1.25, 10.0, 0.125)
GROK_4 = Prices(3.0, 15.0, 0.75, tiers=(PriceTier(128_000, 6.0, 30.0),))
DEEPSEEK = Prices(0.28, 0.42, 0.028)
GEMINI = Prices(1.25, 10.0, 0.125, tiers=(PriceTier(200_000, 2.5, 15.0, 0.25),))
CLAUDE = Prices(3.0, 15.0, 0.3, 3.75, tiers=(PriceTier(200_000, 6.0, 22.5, 0.6, 7.5),))


def details(cached: int, reasoning: int) -> dict[str, Any]:
    return {
        "prompt_tokens_details": {"cached_tokens": cached},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }


CASES: dict[str, tuple[dict[str, Any], Prices, float]] = {
    "OpenAI: cached within the prompt, reasoning within the completion": (
        {
            "prompt_tokens": 10_000,
            "completion_tokens": 2_000,
            "total_tokens": 12_000,
            **details(8_000, 1_500),
        },
        GPT_5,
        2_000 * 1.25 + 8_000 * 0.125 + 2_000 * 10,
    ),
    "OpenAI's Responses API": (
        {
            "input_tokens": 10_000,
            "input_tokens_details": {"cached_tokens": 8_000},
            "output_tokens": 2_000,
            "output_tokens_details": {"reasoning_tokens": 1_500},
            "total_tokens": 12_000,
        },
        GPT_5,
        2_000 * 1.25 + 8_000 * 0.125 + 2_000 * 10,
    ),
    "xAI: reasoning beside the completion, more of it than of the answer": (
        {"prompt_tokens": 32, "completion_tokens": 9, "total_tokens": 135, **details(6, 94)},
        GROK_4,
        26 * 3 + 6 * 0.75 + 103 * 15,
    ),
    "xAI: reasoning beside the completion, less of it than of the answer": (
        {"prompt_tokens": 32, "completion_tokens": 400, "total_tokens": 526, **details(0, 94)},
        GROK_4,
        32 * 3 + 494 * 15,
    ),
    "xAI: a long prompt": (
        {"prompt_tokens": 130_000, "completion_tokens": 10, "total_tokens": 130_010},
        GROK_4,
        130_000 * 6 + 10 * 30,
    ),
    "DeepSeek: hits and misses of the cache": (
        {
            "prompt_tokens": 1_000,
            "completion_tokens": 300,
            "total_tokens": 1_300,
            "prompt_cache_hit_tokens": 896,
            "prompt_cache_miss_tokens": 104,
            "completion_tokens_details": {"reasoning_tokens": 250},
        },
        DEEPSEEK,
        104 * 0.28 + 896 * 0.028 + 300 * 0.42,
    ),
    "Gemini: thoughts in the total alone": (
        {"prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 1_030},
        GEMINI,
        10 * 1.25 + 1_020 * 10,
    ),
    "Gemini: a prompt of exactly the first tier": (
        {"prompt_tokens": 200_000, "completion_tokens": 1, "total_tokens": 200_001},
        GEMINI,
        200_000 * 1.25 + 10,
    ),
    "Gemini: a prompt beyond the first tier, partly cached": (
        {"prompt_tokens": 200_001, "completion_tokens": 1, "total_tokens": 200_002, **details(200_000, 0)},
        GEMINI,
        2.5 + 200_000 * 0.25 + 15,
    ),
    "Anthropic's own figures: the cache is beside the input": (
        {
            "input_tokens": 50,
            "cache_read_input_tokens": 10_000,
            "cache_creation_input_tokens": 2_000,
            "output_tokens": 500,
        },
        CLAUDE,
        50 * 3 + 10_000 * 0.3 + 2_000 * 3.75 + 500 * 15,
    ),
    "Anthropic through a proxy: the cache is within the prompt": (
        {
            "prompt_tokens": 12_050,
            "completion_tokens": 500,
            "total_tokens": 12_550,
            "prompt_tokens_details": {"cached_tokens": 10_000, "cache_creation_tokens": 2_000},
            "cache_read_input_tokens": 10_000,
            "cache_creation_input_tokens": 2_000,
        },
        CLAUDE,
        50 * 3 + 10_000 * 0.3 + 2_000 * 3.75 + 500 * 15,
    ),
    "Anthropic through a proxy that counts the cache in the total alone": (
        {
            "prompt_tokens": 50,
            "completion_tokens": 500,
            "total_tokens": 12_550,
            "cache_read_input_tokens": 10_000,
            "cache_creation_input_tokens": 2_000,
        },
        CLAUDE,
        50 * 3 + 10_000 * 0.3 + 2_000 * 3.75 + 500 * 15,
    ),
    "Anthropic: cached input counts for the tier of a long prompt": (
        {"input_tokens": 1, "cache_read_input_tokens": 200_000, "output_tokens": 1},
        CLAUDE,
        1 * 6 + 200_000 * 0.6 + 1 * 22.5,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_answer_costs_what_its_provider_s_list_says(name: str) -> None:
    fields, prices, micros = CASES[name]
    usage = decode_usage(msgspec.json.encode(fields))
    assert usage is not None
    cost = prices.cost_micros(
        usage.input_tokens,
        usage.output_tokens,
        cached_tokens=usage.cached_tokens,
        cache_written_tokens=usage.cache_written_tokens,
    )
    assert (cost, usage.estimated) == (int(micros + 0.5), False)


@pytest.mark.parametrize(
    ("total", "written"), [(500, 100), (2_000, 990)], ids=["less than the parts", "more than the parts"]
)
def test_figures_that_contradict_each_other_are_an_estimate_from_above(total: int, written: int) -> None:
    fields = {"prompt_tokens": 1_010, "completion_tokens": 100, "total_tokens": total, **details(0, 50)}
    usage = decode_usage(msgspec.json.encode(fields))
    assert usage == Usage(1_010, written, 50, estimated=True)


def test_a_picture_has_its_own_price() -> None:
    assert Prices(5.0, 0.0, image=0.04).cost_micros(100, 0, images=2) == 500 + 80_000


def test_the_bound_is_never_below_what_a_call_can_cost() -> None:
    for prices in (GPT_5, GROK_4, GEMINI, CLAUDE, Prices(5.0, 1.0, image=0.04)):
        for read in (0, 1, 199_999, 200_001, 1_000_000):
            bound = prices.most_micros(read, 1_000, images=1)
            for cached, stored in ((0, 0), (read, 0), (0, read), (read // 2, read // 2)):
                real = prices.cost_micros(
                    read, 1_000, cached_tokens=cached, cache_written_tokens=stored, images=1
                )
                assert real <= bound
