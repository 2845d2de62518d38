"""A place where a server may listen: asked for paths, within bounds, and described if it is one."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from parley.features.catalog.discovery.answers import LOCAL_BYTES, Fields, ServerAnswer, entries_of, fetch
from parley.features.catalog.discovery.findings import DiscoveredServer, OfferedModel
from parley.features.catalog.discovery.known import known_provider
from parley.features.catalog.discovery.listing import ORDER
from parley.kernel.errors import UpstreamError
from parley.kernel.models import Capability
from parley.wire.http import HttpClient

LOCAL: tuple[Capability, ...] = ("text", "json")
"""The abilities of every chat model of these servers: they constrain the output to a schema themselves."""


@dataclass(frozen=True)
class ServerAddress:
    """A server to look at. `ends` is the event loop's time at which looking ends."""

    client: HttpClient
    origin: str
    ends: float
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    _answers: dict[str, ServerAnswer | None] = field(
        default_factory=dict[str, "ServerAnswer | None"], repr=False
    )

    async def get(self, path: str, *, limit: int = LOCAL_BYTES) -> ServerAnswer | None:
        """Return an answer, or None if there is none within the bounds. Asks for each path once."""
        if path not in self._answers:
            try:
                self._answers[path] = await fetch(self.client, self.origin + path, self.headers, limit=limit)
            except UpstreamError:
                self._answers[path] = None
        return self._answers[path]

    def server(
        self,
        kind: str,
        models: tuple[OfferedModel, ...] = (),
        version: str | None = None,
        *,
        needs_key: bool = False,
    ) -> DiscoveredServer:
        """Return a server of this kind at this place."""
        known = known_provider(kind)
        return DiscoveredServer(
            kind=kind,
            name=known.name if known else kind,
            base_url=f"{self.origin}/v1",
            version=version,
            needs_key=needs_key,
            models=models,
        )


def strict_entries(answer: ServerAnswer | None) -> list[Fields] | None:
    """Return the entries of an OpenAI list; None if the answer is not exactly one.

    Many servers answer everything with some JSON. A list of models says that it is one, and each entry too.
    """
    if answer is None or not answer.ok or answer.fields.get("object") != "list":
        return None
    entries = entries_of(answer.body)
    if entries is None or not all(entry.get("object") == "model" and "id" in entry for entry in entries):
        return None
    return entries


def in_order(can: set[Capability]) -> tuple[Capability, ...]:
    """Return capabilities in their usual order."""
    return tuple(capability for capability in ORDER if capability in can)
