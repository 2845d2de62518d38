"""Offers of an address: the test of a connection, and the models to choose from."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from parley.features.catalog.addresses import base_url_of
from parley.features.catalog.discovery import problems
from parley.features.catalog.discovery.answers import MAX_MODELS, ServerAnswer, entries_of, fetch
from parley.features.catalog.discovery.drawing import DRAWING
from parley.features.catalog.discovery.findings import DiscoveredServer, Offer, OfferedModel
from parley.features.catalog.discovery.known import KnownProvider, known_at, known_provider
from parley.features.catalog.discovery.listing import read_models
from parley.features.catalog.discovery.place import ServerAddress
from parley.features.catalog.discovery.prices import facts_of
from parley.features.catalog.discovery.servers import RECOGNISERS
from parley.features.catalog.discovery.suggesting import with_suggestions
from parley.kernel.errors import Garbled, Problem, Rejected, UpstreamError
from parley.kernel.models import Fact, FactSource
from parley.wire.dialing import USUAL, Outgoing
from parley.wire.egress import origin_of
from parley.wire.http import HttpClient, WireOptions

WITHIN_S = 10.0
DETAILS_S = 1.5
"""Seconds that a local server is asked for more than its list."""

LIST_BYTES = 8 << 20
"""The most bytes of a list: OpenRouter's, the longest known, has less than a quarter of it."""

QUESTION_S = 6.0
"""Seconds that a server may take for one token; one that loads its model first is not waited for."""

_PATHS = ("/v1", "/api/v1", "/openai/v1")
_LOAD_MODELS = ("ollama", "lmstudio", "jan", "localai")
"""Servers that load a model to answer; a test without a key does not make them."""
_ANTHROPIC = {"anthropic-version": "2023-06-01"}


async def list_offered(
    known: KnownProvider | None,
    base_url: str,
    key: str | None,
    *,
    now: float,
    within_s: float = WITHIN_S,
    outgoing: Outgoing = USUAL,
) -> Offer:
    """Test an address and a key; return the models that they reach, or what is wrong. Never raises.

    The address is one that the caller may choose freely: it may lead into a private network. The key is sent to its
    origin alone. `now`, in seconds since the epoch, decides which prices are in force.
    """
    try:
        base_url = base_url_of(known.connector if known else "openai", base_url)
        origin = origin_of(base_url)
    except ValueError as error:
        return Offer(ok=False, problem=problems.no_address(str(error)))
    except Rejected as error:
        return Offer(ok=False, problem=error.problem)
    key = key.strip() if key else None
    if key and not (key.isascii() and key.isprintable()):
        return Offer(ok=False, problem=problems.key_unusable())
    if known is None or known.id == "custom":
        known = known_at(base_url) or known
    client = HttpClient(_options(origin, within_s, outgoing))
    test = _Test(client, known, base_url, origin, key)
    try:
        async with asyncio.timeout(within_s):
            offer = await test.run()
    except TimeoutError:
        return Offer(ok=False, problem=problems.not_in_time(known, origin, within_s))
    except Garbled as error:
        too_long = error.title.endswith("a response larger than Parley accepts.")
        wrong = problems.too_many_models(known, origin) if too_long else error.problem
        return Offer(ok=False, problem=wrong)
    except UpstreamError as error:
        return Offer(ok=False, problem=problems.unreachable(known, origin, error))
    finally:
        await client.close()
    offer = msgspec.structs.replace(offer, base_url=base_url)
    if known is None or known.prices is None or not offer.models:
        return offer
    models = await asyncio.to_thread(with_facts, known, offer.models, now)
    return msgspec.structs.replace(offer, models=with_suggestions(models) if test.hosted else models)


def _options(origin: str, within_s: float, outgoing: Outgoing) -> WireOptions:
    return WireOptions(
        connect_s=within_s / 2,
        idle_s=within_s,
        max_body_bytes=LIST_BYTES,
        max_stream_bytes=LIST_BYTES + 1024,
        allow_loopback=True,
        allowed_origins=frozenset({origin}),
        outgoing=outgoing,
    )


@dataclass(frozen=True)
class _Test:
    """One test of a connection."""

    client: HttpClient
    known: KnownProvider | None
    base_url: str
    origin: str
    key: str | None = field(repr=False)

    @property
    def hosted(self) -> KnownProvider | None:
        """The provider if this is its own address: what is known of its lists holds only there."""
        return (
            self.known if self.known and self.known.origin == self.origin and not self.known.local else None
        )

    @property
    def headers(self) -> Mapping[str, str]:
        """The key as this provider takes it."""
        if not self.key:
            return {}
        if self.hosted and self.hosted.key_header != "Authorization":
            return {self.hosted.key_header: self.key, **_ANTHROPIC}
        return {"Authorization": f"Bearer {self.key}"}

    async def run(self) -> Offer:
        """Ask for the list of models. Raises UpstreamError."""
        hosted = self.hosted
        if hosted and hosted.needs_key and not self.key:
            return self._failed(problems.key_missing(hosted, self.origin))
        if hosted and hosted.models and hosted.connector != "openai":
            # Only its own library could ask it anything.
            return Offer(ok=True, models=read_models(({"id": model} for model in hosted.models), hosted))
        if self.known is not None and self.known.id in DRAWING:
            return await self._painters()
        started = asyncio.get_running_loop().time()
        path = hosted.models_path if hosted else None
        answer = await self._get(self.origin + path if path else f"{self.base_url}/models")
        latency_ms = round((asyncio.get_running_loop().time() - started) * 1000, 1)
        offer = await self._judge(answer)
        return msgspec.structs.replace(offer, latency_ms=latency_ms)

    async def _painters(self) -> Offer:
        """Ask a server that draws for its models; it has no list in the OpenAI dialect."""
        server = await self._server()
        if server is None:
            answer = await self._get(self.origin)
            return self._failed(problems.no_api(self.base_url, answer, None))
        return Offer(
            ok=True,
            problem=None if server.models else problems.no_models(self.known, self.origin),
            models=server.models,
        )

    async def _judge(self, answer: ServerAnswer) -> Offer:
        if problems.is_about_the_key(answer):
            wrong = problems.key_refused if self.key else problems.key_missing
            return self._failed(wrong(self.known, self.origin))
        entries = entries_of(answer.body) if answer.ok else None
        if entries and not (models := read_models(entries, self.known)):
            entries = None
        if entries is None and self.hosted and self.hosted.models and answer.status in (404, 405):
            models = read_models(({"id": model} for model in self.hosted.models), self.hosted)
            return Offer(ok=True, models=models)
        if entries is None and (answer.ok or answer.status in (404, 405)):
            suggestion = await self._suggestion()
            return self._failed(problems.no_api(self.base_url, answer, suggestion), suggestion)
        if entries is None:
            return self._failed(problems.refused(self.known, self.origin, answer))
        models = read_models(entries, self.known)
        server = await self._server()
        if wrong := await self._key_problem(models, server):
            return self._failed(wrong)
        detailed = {model.model: model for model in server.models} if server else {}
        known = self.known if server is None else known_provider(server.kind)
        return Offer(
            ok=True,
            problem=None if models else problems.no_models(known, self.origin),
            models=tuple(detailed.get(model.model, model) for model in models),
            truncated=len(entries) >= MAX_MODELS,
        )

    async def _key_problem(
        self, models: tuple[OfferedModel, ...], server: DiscoveredServer | None
    ) -> Problem | None:
        """Return what is wrong with the key, or its absence: a list that everybody may read does not tell."""
        wrong = problems.key_refused if self.key else problems.key_missing
        if self.hosted and self.hosted.key_check:
            answer = await self._get(self.base_url + self.hosted.key_check)
            return wrong(self.known, self.origin) if answer.status in (401, 403) else None
        model = next((each for each in models if each.purpose == "chat"), None)
        loads = not self.key and server is not None and server.kind in _LOAD_MODELS
        if model is None or self.hosted or loads:
            return None
        return wrong(self.known, self.origin) if await self._refuses(model.model) else None

    async def _refuses(self, model: str) -> bool:
        """Return whether a question of one token is refused for its key; any other failure says nothing of it."""
        question = {"model": model, "messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1}
        try:
            async with asyncio.timeout(QUESTION_S):
                answer = await fetch(
                    self.client, f"{self.base_url}/chat/completions", self.headers, post=question
                )
        except (TimeoutError, UpstreamError):
            return False
        # A key may be good, but not for this model.
        return problems.is_about_the_key(answer) and not (answer.status == 403 and b"model" in answer.body)

    async def _suggestion(self) -> str | None:
        """Return an address at the same server that lists models, or asks for a key before it does."""
        tried = {self.base_url}
        starts = () if self.base_url.endswith("/v1") else (f"{self.base_url}/v1",)
        for address in (*starts, *(self.origin + path for path in _PATHS)):
            if address in tried:
                continue
            tried.add(address)
            try:
                answer = await self._get(f"{address}/models")
            except UpstreamError:
                continue
            asks = answer.status in (401, 403) and answer.document is not None
            if asks or (answer.ok and read_models(entries_of(answer.body) or ())):
                return address
        return None

    async def _server(self) -> DiscoveredServer | None:
        """Return the server with what only its own API tells, unless it is a hosted provider."""
        named = self.known.id if self.known else "custom"
        gateway = named == "litellm"  # may be anywhere, also below a path
        if self.hosted or not (gateway or self.origin.startswith("http://")):
            return None
        ends = asyncio.get_running_loop().time() + DETAILS_S
        root = self.base_url.removesuffix("/v1") if gateway else self.origin
        place = ServerAddress(self.client, root, ends, self.headers)
        kinds = [named] if named in RECOGNISERS and named != "custom" else [*RECOGNISERS]
        try:
            async with asyncio.timeout(DETAILS_S):
                for kind in kinds:
                    if server := await RECOGNISERS[kind](place):
                        return server
        except TimeoutError:
            pass
        return None

    async def _get(self, url: str) -> ServerAnswer:
        return await fetch(self.client, url, self.headers, limit=LIST_BYTES)

    def _failed(self, problem: Problem, suggestion: str | None = None) -> Offer:
        return Offer(ok=False, problem=problem, suggested_base_url=suggestion)


def with_facts(
    known: KnownProvider, models: tuple[OfferedModel, ...], now: float
) -> tuple[OfferedModel, ...]:
    """Complete models with published prices and context windows; what the provider itself reports comes first."""
    completed: list[OfferedModel] = []
    for model in models:
        if model.purpose != "chat" or (model.prices and model.context_window):
            completed.append(model)
            continue
        facts = facts_of(known, model.model, now)
        added: dict[Fact, object] = {"prices": facts.prices, "context_window": facts.context_window}
        added = {fact: value for fact, value in added.items() if value and not getattr(model, fact)}
        known_from: dict[Fact, FactSource] = {**model.known_from, **dict.fromkeys(added, "published")}
        completed.append(msgspec.structs.replace(model, known_from=known_from, **added))
    return tuple(completed)
