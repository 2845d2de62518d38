"""Tests of testing a provider through its connector."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from parley.features.catalog.discovery.asking import ask_connector
from parley.features.catalog.discovery.checks import check_provider
from parley.features.catalog.discovery.known import known_provider
from parley.features.catalog.discovery.offers import WITHIN_S, list_offered
from parley.kernel.connector import ChatRequest, Chunk, Connector
from parley.kernel.errors import Rejected
from parley.kernel.models import Model, Provider
from tests.fakes.virtual_loop import on_virtual_time
from tests.features.catalog.discovery.test_prices import CLAUDE_PRICES

NOW = 1_790_000_000.0


class Silent(Connector):
    """Lists nothing."""

    def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        raise NotImplementedError


class Listing(Silent):
    """Lists models, or says why not."""

    def __init__(self, *models: str, error: Rejected | None = None) -> None:
        self.models = models
        self.error = error

    async def list_models(self) -> Sequence[str]:
        if self.error:
            raise self.error
        return self.models


class Skipping(Listing):
    """Could not load everything."""

    notices = ("The llm plugin x was skipped.",)


class Loading(Listing):
    """Takes longer to load than a provider may take to answer."""

    async def prepare(self) -> None:
        await asyncio.sleep(WITHIN_S + 1)


class Routes:
    """A catalog without models."""

    def models(self) -> Sequence[Model]:
        return ()


@on_virtual_time
async def test_what_has_to_be_loaded_is_no_fault_of_the_provider() -> None:
    provider = Provider("p", "llm")
    offer = await ask_connector(provider, lambda _: Loading("a"), NOW)
    check = await check_provider(Routes(), provider, lambda _: Loading("a"))  # type: ignore[arg-type]
    assert (offer.ok, check.state) == (True, "ok")
    assert check.latency_ms is not None
    assert check.latency_ms < 1000


async def test_what_a_connector_lists_comes_with_published_prices() -> None:
    connector = Listing("claude-sonnet-4-5", "claude-haiku-4-5")
    offer = await ask_connector(Provider("p", "anyllm-anthropic"), lambda _: connector, NOW)
    assert offer.ok
    assert offer.latency_ms is not None
    sonnet, _ = offer.models
    assert sonnet.prices == CLAUDE_PRICES
    assert sonnet.capabilities == ("text", "vision", "tools", "reasoning")


async def test_what_was_skipped_is_said() -> None:
    offer = await ask_connector(Provider("p", "llm"), lambda _: Skipping("a", "a"), NOW)
    assert offer.ok
    assert [model.model for model in offer.models] == ["a"]
    assert offer.problem is not None
    assert offer.problem.detail == "The llm plugin x was skipped."


async def test_a_connector_that_fails_says_why() -> None:
    refused = Rejected("The provider rejected the key.", code="upstream_key_rejected")
    offer = await ask_connector(Provider("p", "llm"), lambda _: Listing(error=refused), NOW)
    assert (offer.ok, offer.problem) == (False, refused.problem)

    def cannot(_: Provider) -> Connector:
        raise refused

    assert (await ask_connector(Provider("p", "llm"), cannot, NOW)).problem == refused.problem


async def test_a_connector_that_lists_nothing_can_still_be_used() -> None:
    offer = await ask_connector(Provider("p", "anyllm-bedrock", name="Bedrock"), lambda _: Silent(), NOW)
    assert offer.ok
    assert offer.problem is not None
    assert offer.problem.title == "Bedrock lists no models."


async def test_bedrock_offers_what_is_known_without_a_request_and_with_prices() -> None:
    known = known_provider("bedrock")
    assert known is not None
    assert known.base_url is not None
    offer = await list_offered(known, known.base_url, "a-key", now=NOW)
    assert offer.ok
    assert all(model.prices for model in offer.models)
    assert not (await list_offered(known, known.base_url, None, now=NOW)).ok
