"""Tests of reading what LiteLLM's proxy knows of its models, with answers recorded from the real one."""

import pytest

from parley.features.catalog.discovery.findings import Offer
from parley.features.catalog.discovery.known import known_provider
from parley.features.catalog.discovery.litellm import INFO_BYTES, read_info
from parley.features.catalog.discovery.offers import list_offered
from parley.features.catalog.discovery.probing import LocalAddress, discover_servers
from parley.kernel.models import Prices
from tests.fakes.model_server import ModelServer, Says
from tests.features.catalog.discovery import recordings

NOW = 1_790_000_000.0


async def offered(base_url: str, provider: str = "litellm", key: str | None = "sk-master-0123456") -> Offer:
    return await list_offered(known_provider(provider), base_url, key, now=NOW, within_s=30)


@pytest.mark.parametrize("provider", ["litellm", "custom"])
async def test_models_come_with_the_prices_and_capabilities_that_the_proxy_reports(provider: str) -> None:
    async with ModelServer(recordings.LITELLM) as server:
        offer = await offered(f"{server.origin}/v1", provider)
    assert offer.ok
    models = {model.model: model for model in offer.models}
    assert list(models) == ["gpt-4o-mini", "claude", "own-model", "unknown-price", "embed"]
    mini, own = models["gpt-4o-mini"], models["own-model"]
    assert (mini.prices, mini.context_window) == (Prices(0.15, 0.6, 0.075), 128_000)
    assert mini.capabilities == ("text", "vision", "files", "json", "tools")
    assert (own.prices, own.context_window) == (Prices(input=0.5, output=1.5), 32_768)
    assert own.capabilities == ("text", "tools")
    assert (models["embed"].purpose, models["embed"].capabilities) == ("embeddings", ("embeddings",))


async def test_a_model_without_a_price_has_none_and_is_not_free() -> None:
    unknown = {model.model: model for model in read_info(recordings.LITELLM_INFO["data"])}["unknown-price"]
    assert unknown.prices is None
    assert (unknown.capabilities, unknown.context_window) == (("text",), None)


async def test_a_model_with_several_deployments_costs_what_the_dearest_costs() -> None:
    claude = {model.model: model for model in read_info(recordings.LITELLM_INFO["data"])}["claude"]
    assert claude.prices == Prices(3.3, 16.5, 0.33, 4.125)  # Anthropic's is 3 and 15, Bedrock's 10 % more


def test_a_model_can_do_what_all_its_deployments_can() -> None:
    def deployment(**info: object) -> dict[str, object]:
        return {"model_name": "m", "litellm_params": {}, "model_info": info}

    seeing = deployment(supports_vision=True, supports_function_calling=True, max_input_tokens=9000)
    (model,) = read_info([seeing, deployment(supports_function_calling=True, max_input_tokens=4000)])
    assert (model.capabilities, model.context_window) == (("text", "tools"), 4000)
    priced = deployment(input_cost_per_token=1e-6, output_cost_per_token=2e-6)
    assert read_info([priced])[0].prices == Prices(input=1.0, output=2.0)
    assert read_info([priced, deployment()])[0].prices is None
    draws = deployment(mode="image_generation", output_cost_per_image=0.04)
    assert read_info([draws])[0].prices == Prices(0.0, 0.0, image=0.04)


async def test_a_proxy_below_a_path_is_asked_below_it() -> None:
    below = {f"/gateway{path}": says for path, says in recordings.LITELLM.items()}
    async with ModelServer(below) as server:
        offer = await offered(f"{server.origin}/gateway/v1")
    assert offer.models[0].prices == Prices(0.15, 0.6, 0.075)


@pytest.mark.parametrize(
    "info",
    [Says({"detail": "no"}, 403), Says("{"), Says({"data": [1, {"model_name": 7}]}), Says({"data": []})],
)
async def test_a_proxy_that_tells_nothing_of_its_models_still_lists_them(info: Says) -> None:
    async with ModelServer({**recordings.LITELLM, "/model/info": info}) as server:
        offer = await offered(f"{server.origin}/v1")
    assert offer.ok
    assert len(offer.models) == 5
    assert offer.models[0].prices is None


async def test_many_models_are_read() -> None:
    (entry, *_) = recordings.LITELLM_INFO["data"]
    padded = {**entry, "model_info": {**entry["model_info"], **{f"{n}": None for n in range(700)}}}
    many = {"data": [{**padded, "model_name": f"m{n}"} for n in range(500)]}
    listed = {"data": [{"id": f"m{n}", "object": "model"} for n in range(500)], "object": "list"}
    info = Says(many)
    assert 2 << 20 < len(info.raw) < INFO_BYTES
    async with ModelServer({"/v1/models": Says(listed), "/model/info": info}) as server:
        offer = await offered(f"{server.origin}/v1")
    assert len(offer.models) == 500
    assert all(model.prices for model in offer.models)


async def test_a_wrong_key_and_a_missing_one_are_different_problems() -> None:
    async with ModelServer(otherwise=recordings.LITELLM_WRONG_KEY) as server:
        offer = await offered(f"{server.origin}/v1")
    assert offer.problem is not None
    assert offer.problem.title == f"LiteLLM proxy at {server.origin} refused the key."
    async with ModelServer(otherwise=recordings.LITELLM_NO_KEY) as server:
        offer = await offered(f"{server.origin}/v1", key=None)
    assert offer.problem is not None
    assert offer.problem.title == f"LiteLLM proxy at {server.origin} requires a key."


async def test_it_is_found_on_this_computer_with_or_without_a_master_key() -> None:
    async def found(server: ModelServer) -> tuple[str, bool, int]:
        (one,) = await discover_servers([LocalAddress(server.origin, ("litellm",))], within_s=20)
        return one.kind, one.needs_key, len(one.models)

    async with ModelServer(recordings.LITELLM) as server:
        assert await found(server) == ("litellm", False, 5)
    alive = {"/health/liveliness": recordings.LITELLM["/health/liveliness"]}
    async with ModelServer(alive, otherwise=recordings.LITELLM_NO_KEY) as server:
        assert await found(server) == ("litellm", True, 0)
