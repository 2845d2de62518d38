"""Routes of providers and models that the database keeps, and of what can be added to them."""

from fastapi import APIRouter, Response

from parley.api.answers import as_json, documented
from parley.api.deps import App, CallerDep
from parley.api.shapes import ModelList, OfferedBy, ProviderCheckList, ProviderList
from parley.workspace.catalog.requests import (
    ChangeModel,
    ChangeProvider,
    NewModels,
    NewProvider,
    TestProvider,
)
from parley.workspace.discovery.known import known_providers

router = APIRouter(prefix="/api", tags=["providers"])


@router.get("/providers", responses=documented("ProviderList"))
async def list_providers(app: App) -> Response:
    """List the configured providers, and the known providers that can be added."""
    file = app.sources.file
    return as_json(
        ProviderList(
            providers=list(await app.providers.list()),
            known=list(known_providers()),
            file=str(file.path),
            file_error=file.error,
        )
    )


@router.post("/providers", responses=documented("ProviderView"))
async def add_provider(asked: NewProvider, app: App, caller: CallerDep) -> Response:
    """Add a provider, and the given models of it. They can be used at once."""
    return as_json(await app.providers.add(caller, asked))


@router.post("/providers/test", responses=documented("OfferedBy"))
async def test_provider(asked: TestProvider, app: App) -> Response:
    """Test a connection and list the models that it offers."""
    if asked.provider_id is not None:
        offer = await app.offer_of(app.catalog.provider(asked.provider_id))
    else:
        typed = asked.api_key.get_secret_value() if asked.api_key else None
        key = typed or app.discovery.variable(asked.key_variable)
        offer = await app.discovery.test(asked.known, asked.base_url, key)
    return as_json(OfferedBy.of(offer, app.catalog.models(), asked.provider_id))


@router.post("/providers/checks", responses=documented("ProviderCheckList"))
async def check_providers(app: App) -> Response:
    """Check that each provider responds and offers its configured models, like `parley doctor`."""
    return as_json(ProviderCheckList(await app.check_providers()))


@router.patch("/providers/{provider_id}", responses=documented("ProviderView"))
async def change_provider(provider_id: str, asked: ChangeProvider, app: App, caller: CallerDep) -> Response:
    """Change the given fields of a provider. If its address moves to another origin, its saved key is deleted."""
    return as_json(await app.providers.change(caller, provider_id, asked))


@router.delete("/providers/{provider_id}", responses=documented("Retired"))
async def remove_provider(provider_id: str, app: App, caller: CallerDep, *, force: bool = False) -> Response:
    """Remove a provider, and the models that no other provider offers. Votes and sessions are kept.

    If presets need one of these models, `model_in_use` lists them as `result`, unless `force` is true.
    """
    return as_json(await app.providers.retire(caller, provider_id, force=force))


@router.post("/keys/rotate", responses=documented("Rotated"))
async def rotate_keys(app: App, caller: CallerDep) -> Response:
    """Encrypt all saved keys with a new secret."""
    return as_json(await app.providers.rotate(caller))


@router.get("/discoveries", responses=documented("Discoveries"))
async def discoveries(app: App) -> Response:
    """Look for model servers on this computer, and for keys in the server's environment."""
    return as_json(await app.discovery.look(app.catalog.providers()))


@router.post("/models", responses=documented("ModelList"))
async def add_models(asked: NewModels, app: App, caller: CallerDep) -> Response:
    """Add models of configured providers. They can be used at once."""
    return as_json(ModelList(list(await app.kept_models.add(caller, asked)), app.provider_health()))


@router.patch("/models/{model_id}", responses=documented("ModelCard"))
async def change_model(model_id: str, asked: ChangeModel, app: App, caller: CallerDep) -> Response:
    """Change the given fields of a model."""
    return as_json(await app.kept_models.change(caller, model_id, asked))


@router.delete("/models/{model_id}", status_code=204)
async def remove_model(model_id: str, app: App, caller: CallerDep, *, force: bool = False) -> Response:
    """Remove a model. Its votes and sessions are kept.

    If presets need it, `model_in_use` lists them as `result`, unless `force` is true.
    """
    await app.kept_models.retire(caller, model_id, force=force)
    return Response(status_code=204)
