"""Tests of checking configured providers, which the page and `parley doctor` share."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from parley.features.catalog.discovery import checks
from parley.features.catalog.discovery.checks import ProviderCheck
from parley.features.catalog.service import CatalogService
from parley.kernel.connector import ChatRequest, Chunk, Connector
from parley.kernel.errors import Rejected, Unreachable
from parley.kernel.models import Model, Provider, Route


class Silent(Connector):
    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        return
        yield


class Listing(Silent):
    def __init__(self, *models: str, failure: Exception | None = None, delay_s: float = 0) -> None:
        self._models = models
        self._failure = failure
        self._delay_s = delay_s

    async def list_models(self) -> Sequence[str]:
        await asyncio.sleep(self._delay_s)
        if self._failure:
            raise self._failure
        return self._models


class Meeting(Silent):
    """Answers once all that meet at the barrier were asked."""

    def __init__(self, all_asked: asyncio.Barrier) -> None:
        self._all_asked = all_asked

    async def list_models(self) -> Sequence[str]:
        await self._all_asked.wait()
        return ()


def catalog(*names: str, demo: bool = False) -> CatalogService:
    models = [
        Model(
            id=name,
            name=name,
            organization="x",
            family="x",
            license="MIT",
            routes=(Route("p", f"org/{name}"),),
            demo=demo,
        )
        for name in names
    ]
    return CatalogService((Provider("p", "openai"),), models)


async def checked(models: CatalogService, connector: Connector) -> ProviderCheck:
    return await checks.check_provider(models, models.provider("p"), lambda _: connector)


async def test_a_provider_that_serves_its_models_is_well() -> None:
    check = await checked(catalog("a"), Listing("org/a", "org/b"))
    assert check.state == "ok"
    assert check.latency_ms is not None
    assert check.text == f"reachable in {check.latency_ms:.0f} ms, 2 models"


async def test_a_model_that_its_provider_does_not_list_is_noticed() -> None:
    check = await checked(catalog("a1"), Listing("org/a2"))
    assert check.state == "notice"
    assert check.advice == "It does not list org/a1 (did you mean “org/a2”?)."


async def test_a_provider_that_fails_is_broken_and_says_why() -> None:
    failing = Listing(failure=Unreachable("Nobody listens at 127.0.0.1:1.", "Is the server running?"))
    check = await checked(catalog("a"), failing)
    assert (check.state, check.text, check.advice) == (
        "broken",
        "Nobody listens at 127.0.0.1:1.",
        "Is the server running?",
    )


async def test_a_provider_that_is_silent_is_broken_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "WITHIN_S", 0.01)
    check = await checked(catalog("a"), Listing(delay_s=60))
    assert check.state == "broken"
    assert "no answer within" in check.text


async def test_a_connector_that_cannot_list_is_not_asked() -> None:
    assert (await checked(catalog("a"), Silent())).state == "ok"


async def test_all_providers_are_asked_at_once() -> None:
    all_asked = asyncio.Barrier(3)
    connectors = {name: Meeting(all_asked) for name in ("p", "q", "r")}
    providers = [Provider(name, "openai") for name in connectors]
    checking = checks.check_providers(catalog(), providers, lambda it: connectors[it.id])
    found = await asyncio.wait_for(checking, 40)
    assert [check.provider for check in found] == ["p", "q", "r"]


async def test_a_provider_whose_connector_is_missing_is_broken_alone() -> None:
    def connect(provider: Provider) -> Connector:
        if provider.id == "q":
            raise Rejected("The connector “x” is not installed.", code="no_connector")
        return Silent()

    providers = [Provider(name, "openai") for name in ("p", "q")]
    found = await checks.check_providers(catalog(), providers, connect)
    assert [(check.state, check.text) for check in found] == [
        ("ok", "not checked: its connector can't list models"),
        ("broken", "The connector “x” is not installed."),
    ]
