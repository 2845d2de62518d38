"""Routes of providers and models that the database keeps, and of what can be added to them."""

from typing import Annotated

from fastapi import Query

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.catalog.discovery.known import known_providers
from parley.features.catalog.discovery.problems import said_twice
from parley.features.catalog.discovery.service import Discoveries, DiscoveryService
from parley.features.catalog.pool import BattlePool, ChangePool, Pool
from parley.features.catalog.provider_states import ProviderStates
from parley.features.catalog.providers import ProvidersService
from parley.features.catalog.requests import (
    ChangeModel,
    ChangeProvider,
    Dependent,
    NewModels,
    NewProvider,
    ProviderFields,
    ProviderView,
    Retired,
    Rotated,
    TestProvider,
)
from parley.features.catalog.service import CatalogService
from parley.features.catalog.sources import CatalogSources
from parley.features.catalog.stored_models import StoredModels
from parley.features.catalog.views import ModelList, OfferedBy, ProviderCheckList, ProviderList
from parley.kernel.caller import Scope
from parley.kernel.errors import Invalid
from parley.kernel.views import ModelCard
from parley.settings import Settings

routes = Routes("/api", tag="providers", needs=Scope.MANAGE)


@routes.get("/providers")
async def list_providers(app: App) -> ProviderList:
    """List the configured providers, and the known providers that can be added."""
    file = app[CatalogSources].file
    return ProviderList(
        providers=list(await app[ProvidersService].list()),
        known=list(known_providers()),
        file=str(file.path),
        file_error=file.error,
        jobs=app[Settings].kubernetes is not None,
    )


@routes.post(
    "/providers",
    errors=("provider_exists", "model_exists", "key_lost", "secret_given"),
    example={"name": "My server", "base_url": "http://127.0.0.1:8080/v1"},
)
async def add_provider(body: NewProvider, app: App, caller: CallerDep) -> ProviderView:
    """Add a provider, and the given models of it. They can be used at once."""
    _check_run(body, app)
    return await app[ProvidersService].add(caller, body)


@routes.post(
    "/providers/test",
    errors=("provider_not_found", "key_lost"),
    example={"base_url": "http://127.0.0.1:8080/v1"},
)
async def test_provider(body: TestProvider, app: App) -> OfferedBy:
    """Test a connection and list the models that it offers."""
    if body.provider_id is not None:
        offer = await app[ProviderStates].offer_of(app[CatalogService].provider(body.provider_id))
    else:
        typed = body.api_key.get_secret_value() if body.api_key else None
        key = typed or app[DiscoveryService].variable(body.key_variable)
        offer = await app[DiscoveryService].test(body.known, body.base_url, key)
        offer = said_twice(offer, app[ProvidersService].at_address(offer.base_url))
    return OfferedBy.of(offer, app[CatalogService].models(), body.provider_id)


@routes.post("/providers/checks")
async def check_providers(app: App) -> ProviderCheckList:
    """Check that each provider responds and offers its configured models, like `parley doctor`."""
    return ProviderCheckList(await app[ProviderStates].check())


@routes.patch(
    "/providers/{provider_id}",
    errors=("provider_not_found", "in_file", "key_lost"),
    example={"name": "My server"},
)
async def change_provider(
    provider_id: str, body: ChangeProvider, app: App, caller: CallerDep
) -> ProviderView:
    """Change the given fields of a provider. If its address moves to another origin, its saved key is deleted."""
    _check_run(body, app)
    return await app[ProvidersService].change(caller, provider_id, body)


@routes.delete(
    "/providers/{provider_id}", errors=("provider_not_found", "in_file", "model_in_use"), result=Dependent
)
async def remove_provider(
    provider_id: str,
    app: App,
    caller: CallerDep,
    *,
    force: Annotated[bool, Query(description="Remove it even if presets need it.")] = False,
) -> Retired:
    """Remove a provider, and the models that no other provider offers. Votes and sessions are kept.

    If presets need one of these models, `model_in_use` lists them as `result`, unless `force` is true.
    """
    return await app[ProvidersService].retire(caller, provider_id, force=force)


@routes.post("/keys/rotate", errors=("secret_given", "key_lost"))
async def rotate_keys(app: App, caller: CallerDep) -> Rotated:
    """Encrypt all saved keys with a new secret."""
    return await app[ProvidersService].rotate(caller)


@routes.get("/discoveries")
async def discoveries(app: App) -> Discoveries:
    """Look for model servers on this computer, at most once a minute, and for keys in the server's environment."""
    return await app[DiscoveryService].look(app[CatalogService].providers())


@routes.post("/discoveries")
async def discover_again(app: App) -> Discoveries:
    """Look for model servers again, even within the minute."""
    return await app[DiscoveryService].look(app[CatalogService].providers(), anew=True)


@routes.post(
    "/models",
    errors=("model_exists", "provider_not_found", "in_file"),
    example={"models": [{"provider": "my-server", "model": "my-model"}]},
)
async def add_models(body: NewModels, app: App, caller: CallerDep) -> ModelList:
    """Add models of configured providers. They can be used at once."""
    return ModelList(list(await app[StoredModels].add(caller, body)), list(app[ProviderStates].health()))


@routes.patch(
    "/models/{model_id}",
    errors=("model_not_found", "provider_not_found", "in_file"),
    example={"name": "My model"},
)
async def change_model(model_id: str, body: ChangeModel, app: App, caller: CallerDep) -> ModelCard:
    """Change the given fields of a model."""
    return await app[StoredModels].change(caller, model_id, body)


@routes.patch("/pool", errors=("model_not_found",), example={"models": {"my-model": {"chosen": False}}})
async def change_pool(body: ChangePool, app: App, caller: CallerDep) -> Pool:
    """Put models into the battle pool or take them out, wherever they are configured. The others stay as they are."""
    return await app[BattlePool].change(caller, body)


@routes.delete("/models/{model_id}", errors=("model_not_found", "in_file", "model_in_use"), result=Dependent)
async def remove_model(
    model_id: str,
    app: App,
    caller: CallerDep,
    *,
    force: Annotated[bool, Query(description="Remove it even if presets need it.")] = False,
) -> None:
    """Remove a model. Its votes and sessions are kept.

    If presets need it, `model_in_use` lists them as `result`, unless `force` is true.
    """
    await app[StoredModels].retire(caller, model_id, force=force)


models_routes = Routes("/api/models", tag="about", needs=Scope.READ)


@models_routes.get()
async def list_models(app: App) -> ModelList:
    """List the models of the catalog and the state of their providers."""
    return ModelList(list(app[CatalogService].cards()), list(app[ProviderStates].health()))


pool_routes = Routes("/api/pool", tag="about", needs=Scope.READ)


@pool_routes.get()
async def read_pool(app: App) -> Pool:
    """List the models that battles can draw, and those that are left out, with the reason."""
    return app[BattlePool].read()


def _check_run(body: ProviderFields, app: App) -> None:
    """Check that calls can run where a provider wants them to. Raises Invalid."""
    if body.run == "job" and app[Settings].kubernetes is None:
        raise Invalid(
            "run",
            "run: calls can't run as Kubernetes Jobs, because the setting `kubernetes` is missing.",
            "Set it in parley.yaml or PARLEY_KUBERNETES, then restart Parley.",
        )
