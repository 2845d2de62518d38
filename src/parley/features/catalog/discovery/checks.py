"""Checks of configured providers: whether they answer, how soon, and whether they have their models."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import msgspec

from parley.kernel.connector import Connector, HasNotices, ListsModels, Prepares
from parley.kernel.errors import ParleyError, Unreachable
from parley.kernel.models import Provider
from parley.kernel.ports import Catalog
from parley.text.plain_words import did_you_mean

WITHIN_S = 3.0

State: TypeAlias = Literal["ok", "notice", "broken"]


class ProviderCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The result of checking a provider. `latency_ms` is the time until it listed its models, null if it did not.

    `advice` says what to do if the provider is not ok.
    """

    provider: str
    state: State
    text: str
    advice: str | None = None
    latency_ms: float | None = None


Connect: TypeAlias = Callable[[Provider], Connector]
"""Returns the connector to a provider. Raises ParleyError."""


async def check_providers(
    catalog: Catalog, providers: Sequence[Provider], connect: Connect
) -> Sequence[ProviderCheck]:
    """Check providers, all at once."""
    return await asyncio.gather(*(check_provider(catalog, provider, connect) for provider in providers))


async def check_provider(catalog: Catalog, provider: Provider, connect: Connect) -> ProviderCheck:
    """Check that a provider answers in time and lists the models that are routed to it."""

    def found(state: State, text: str, advice: str | None = None) -> ProviderCheck:
        return ProviderCheck(
            provider=provider.id, state=state, text=text, advice=advice, latency_ms=latency_ms
        )

    latency_ms: float | None = None
    try:
        connector = connect(provider)
        if isinstance(connector, Prepares):
            await connector.prepare()
    except ParleyError as error:
        return found("broken", error.title, error.detail)
    if not isinstance(connector, ListsModels):
        return found("ok", "not checked: its connector can't list models")
    clock = asyncio.get_running_loop().time
    began = clock()
    try:
        async with asyncio.timeout(WITHIN_S):
            served = set(await connector.list_models())
    except TimeoutError:
        return found(
            "broken", f"no answer within {WITHIN_S:.0f} seconds", "Start it, or correct its address."
        )
    except ParleyError as error:
        if isinstance(error, Unreachable):
            error.name(provider.place)
        return found("broken", error.title, error.detail)
    latency_ms = round((clock() - began) * 1000, 1)
    number = "1 model" if len(served) == 1 else f"{len(served)} models"
    text = f"reachable in {latency_ms:.0f} ms, {number}"
    wanted = {
        route.model for model in catalog.models() for route in model.routes if route.provider == provider.id
    }
    missing = sorted(wanted - served)
    notices = [*connector.notices] if isinstance(connector, HasNotices) else []
    if missing and served:
        words = ", ".join(model + did_you_mean(model, served) for model in missing)
        notices.insert(0, f"It does not list {words}.")
    return found("notice", text, " ".join(notices)) if notices else found("ok", text)
