"""Image models of plugins, as connectors that do nothing but draw."""

from collections.abc import AsyncIterator, Sequence

from parley.kernel.connector import ChatRequest, Chunk, Connector
from parley.kernel.errors import Rejected
from parley.kernel.pictures import DrawRequest
from parley.plugins.hookspecs import ConnectorFactory, Draw


class ImageModel(Connector):
    """Draws with a plugin's function."""

    def __init__(self, name: str, draw: Draw) -> None:
        self._name = name
        self._draw = draw

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Raise Rejected: it does not talk."""
        raise Rejected(f"{request.model} draws pictures and can't answer in words.")
        yield  # pragma: no cover - makes it an iterator

    def draw(self, request: DrawRequest) -> AsyncIterator[Chunk]:
        """Yield progress and pictures."""
        return self._draw(request)

    async def list_models(self) -> Sequence[str]:
        """Return its one model."""
        return [self._name]


def image_connector(name: str, draw: Draw) -> ConnectorFactory:
    """Return what makes the connector of an image model. Raises TypeError if it can't be called."""
    if not callable(draw):
        raise TypeError("parley_image_models must return functions by name")
    return lambda _provider, _http: ImageModel(name, draw)
