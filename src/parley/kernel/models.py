"""The catalog's entries: models, their routes, and the providers these lead to."""

from typing import Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec

from parley.kernel.pictures import PictureSettings
from parley.kernel.prices import Prices

Capability: TypeAlias = Literal[
    "text", "vision", "files", "json", "tools", "reasoning", "images", "embeddings"
]
Runs: TypeAlias = Literal["process", "job"]
"""The place of a provider's calls: in Parley's own process, or each as a Kubernetes Job."""
ModelKind: TypeAlias = Literal["single", "ensemble"]
Fact: TypeAlias = Literal[
    "name", "organization", "family", "license", "capabilities", "context_window", "prices"
]
FactSource: TypeAlias = Literal["name", "server", "published"]
"""The origin of a fact that no person set: the model's name, its server, or a published list of prices."""


class Provider(msgspec.Struct, frozen=True):
    """A configured way to reach models.

    `api_key` never leaves the connector: it is in no view, log, error or `repr`. `name` is the one that a person gave.
    `shared_key`: people who sign in may use the installation's key, or reach it without one. `key_of`: the person or
    workspace whose own key this is, empty for the installation's.
    """

    id: str
    connector: str
    base_url: str | None = None
    api_key: str | None = None
    weight: float = 1.0
    region: str | None = None
    priority: int = 0
    local: bool = False
    max_concurrency: int | None = None
    name: str | None = None
    max_per_minute: int | None = None
    shared_key: bool = True
    key_of: str = ""
    run: Runs = "process"

    @property
    def place(self) -> str:
        """The name and address for a person, without a key or a path that the address may contain."""
        parts = urlsplit(self.base_url or "")
        called = self.name or self.id
        if not parts.hostname:
            return called
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        port = f":{parts.port}" if parts.port else ""
        return f"{called} at {parts.scheme}://{host}{port}"

    def __repr__(self) -> str:
        return f"Provider(id={self.id!r}, connector={self.connector!r}, base_url={self.base_url!r})"


class Route(msgspec.Struct, frozen=True):
    """One way to one model: the provider and the name the model has there."""

    provider: str
    model: str


class Model(msgspec.Struct, frozen=True):
    """A catalog entry: something that can answer. `timeout_s` bounds the wait for the first chunk.

    `cache_s` is how long an answer may be given again; `fallback` is the model that answers where this one does not.
    An empty organisation, family or licence is unknown. `known_from` has the facts that no person set. `picture`: how a
    model that draws does so where its seat says nothing.
    """

    id: str
    name: str
    organization: str
    family: str
    license: str
    routes: tuple[Route, ...]
    kind: ModelKind = "single"
    prices: Prices | None = None
    capabilities: tuple[Capability, ...] = ("text",)
    context_window: int | None = None
    tags: tuple[str, ...] = ()
    timeout_s: float = 120.0
    max_concurrency: int | None = None
    weight: float = 1.0
    enabled: bool = True
    description: str | None = None
    local: bool = False
    demo: bool = False
    cache_s: float | None = None
    fallback: str | None = None
    known_from: tuple[tuple[Fact, FactSource], ...] = ()
    picture: PictureSettings | None = None

    @property
    def draws(self) -> bool:
        """True if it answers with pictures alone."""
        return "images" in self.capabilities and "text" not in self.capabilities

    @property
    def answers(self) -> bool:
        """True if it can take a seat: it writes or draws."""
        return "text" in self.capabilities or self.draws
