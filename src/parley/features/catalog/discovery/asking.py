"""Testing a provider through its connector, for providers that are not a server with a list of models."""

import asyncio
from collections.abc import Callable

from parley.features.catalog.discovery import problems
from parley.features.catalog.discovery.findings import Offer
from parley.features.catalog.discovery.known import known_provider
from parley.features.catalog.discovery.listing import read_models
from parley.features.catalog.discovery.offers import WITHIN_S, with_facts
from parley.kernel.connector import Connector, HasNotices, ListsModels, Prepares
from parley.kernel.errors import ParleyError, Problem
from parley.kernel.models import Provider


async def ask_connector(provider: Provider, connect: Callable[[Provider], Connector], now: float) -> Offer:
    """Return the models that a provider's connector lists, or what is wrong. Never raises.

    `now`, in seconds since the epoch, decides which prices are in force.
    """
    try:
        connector = connect(provider)
        if isinstance(connector, Prepares):
            await connector.prepare()
        if not isinstance(connector, ListsModels):
            return Offer(ok=True, problem=_unlisted(provider))
        began = asyncio.get_running_loop().time()
        async with asyncio.timeout(WITHIN_S):
            names = await connector.list_models()
    except TimeoutError:
        return Offer(ok=False, problem=problems.not_in_time(None, provider.place, WITHIN_S))
    except ParleyError as error:
        return Offer(ok=False, problem=error.problem)
    latency_ms = round((asyncio.get_running_loop().time() - began) * 1000, 1)
    known = known_provider(provider.connector.removeprefix("anyllm-"))
    models = read_models(({"id": name} for name in names), known)
    if known is not None and known.prices is not None:
        models = await asyncio.to_thread(with_facts, known, models, now)
    notices = " ".join(connector.notices) if isinstance(connector, HasNotices) else ""
    problem = (
        Problem(code="plugins_skipped", title="Not everything could be loaded.", detail=notices)
        if notices
        else None
    )
    return Offer(ok=True, latency_ms=latency_ms, problem=problem, models=models)


def _unlisted(provider: Provider) -> Problem:
    return Problem(
        code="no_models",
        title=f"{provider.name or provider.id} lists no models.",
        detail="Add a model by its name there. The key is checked on its first call.",
    )
