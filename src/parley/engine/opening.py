"""Opening a call: the stream of a connector that answers it, as chunks, as pictures, or passed on as it is."""

from collections.abc import AsyncGenerator, Callable
from typing import cast

from parley.engine.drawing import draw_request
from parley.kernel.calls import Call
from parley.kernel.connector import ChatRequest, Chunk, Connector, DrawsImages, PassesOn
from parley.kernel.errors import NotFound, Rejected
from parley.kernel.models import Model, Provider
from parley.kernel.passed import Endpoint
from parley.kernel.ports import Catalog


def open_call(connector: Connector, model: Model, request: ChatRequest, call: Call) -> AsyncGenerator[Chunk]:
    """Return the stream of a call: passed on, drawn for a model that draws, else written. Raises Rejected.

    One that is passed on consists of pieces: the gateway hands them to nobody but the caller of its `pass_on`.
    """
    if request.passed is not None:
        if not isinstance(connector, PassesOn):
            raise Rejected("This provider does not take requests as they are.", "Choose another model.")
        return cast("AsyncGenerator[Chunk]", connector.pass_on(request))
    if not model.draws:
        return cast("AsyncGenerator[Chunk]", connector.stream(request))
    if not isinstance(connector, DrawsImages):
        raise Rejected(
            f"{model.name} is listed as a model that draws, but its provider can't be asked for pictures.",
            "Choose another model, or correct its capabilities in Models.",
            code="provider_without_pictures",
        )
    return cast("AsyncGenerator[Chunk]", connector.draw(draw_request(model, request, call)))


def passes_on(
    catalog: Catalog, connect: Callable[[Provider], Connector], model: Model, endpoint: Endpoint
) -> bool:
    """Return whether every route of a model leads to a provider that takes requests as they are."""
    try:
        connectors = [(connect(catalog.provider(route.provider)), route) for route in model.routes]
    except NotFound:
        return False
    return bool(connectors) and all(
        isinstance(connector, PassesOn) and connector.passes_on(route.model, endpoint)
        for connector, route in connectors
    )
