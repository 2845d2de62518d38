"""What an address offers: the test of a connection, and the models to choose from."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from parley.features.catalog.discovery import problems
from parley.features.catalog.discovery.answers import MAX_MODELS, Answer, entries_of, fetch
from parley.features.catalog.discovery.findings import Offer, OfferedModel
from parley.features.catalog.discovery.known import KnownProvider, known_at
from parley.features.catalog.discovery.listing import read_models
from parley.features.catalog.discovery.place import Place
from parley.features.catalog.discovery.prices import facts_of
from parley.features.catalog.discovery.servers import RECOGNISERS
from parley.features.catalog.discovery.suggesting import with_suggestions
from parley.kernel.errors import Garbled, Problem, Rejected, UpstreamError
from parley.wire.dialing import USUAL, Outgoing
from parley.wire.egress import origin_of
from parley.wire.http import HttpClient, WireOptions

WITHIN_S = 10.0
DETAILS_S = 1.5
"""How long a local server is asked for more than its list."""

LIST_BYTES = 8 << 20
"""How long a list may be: OpenRouter's, the longest known, has less than a quarter of it."""

_ENDINGS = ("/chat/completions", "/completions", "/models")
_PATHS = ("/v1", "/api/v1", "/openai/v1", "")
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
    base_url = _base_of(base_url)
    try:
        origin = origin_of(base_url)
    except Rejected as error:
        return Offer(ok=False, problem=error.problem)
    key = key.strip() if key else None
    if key and not (key.isascii() and key.isprintable()):
        return Offer(ok=False, problem=problems.key_unusable())
    if known is None or known.id == "custom":
        known = known_at(base_url) or known
    options = WireOptions(
        connect_s=within_s / 2,
        idle_s=within_s,
        max_body_bytes=LIST_BYTES,
        max_stream_bytes=LIST_BYTES + 1024,
        allow_loopback=True,
        allowed_origins=frozenset({origin}),
        outgoing=outgoing,
    )
    client = HttpClient(options)
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
    if known is None or known.prices is None or not offer.models:
        return offer
    models = await asyncio.to_thread(with_facts, known, offer.models, now)
    return msgspec.structs.replace(offer, models=with_suggestions(models) if test.hosted else models)


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
        started = asyncio.get_running_loop().time()
        path = hosted.models_path if hosted else None
        answer = await self._get(self.origin + path if path else f"{self.base_url}/models")
        latency_ms = round((asyncio.get_running_loop().time() - started) * 1000, 1)
        offer = await self._judge(answer)
        return msgspec.structs.replace(offer, latency_ms=latency_ms)

    async def _judge(self, answer: Answer) -> Offer:
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
        if self.hosted and self.hosted.key_check and (wrong := await self._refusal(self.hosted.key_check)):
            return self._failed(wrong)
        models = await self._with_details(read_models(entries, self.known))
        return Offer(
            ok=True,
            problem=None if models else problems.no_models(self.known, self.origin),
            models=models,
            truncated=len(entries) >= MAX_MODELS,
        )

    async def _refusal(self, path: str) -> Problem | None:
        """Return what is wrong with the key if the list of models is public."""
        answer = await self._get(self.base_url + path)
        if answer.status in (401, 403):
            return problems.key_refused(self.known, self.origin)
        return None

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

    async def _with_details(self, models: tuple[OfferedModel, ...]) -> tuple[OfferedModel, ...]:
        """Complete the models of a local server with what only its own API tells."""
        named = self.known.id if self.known else "custom"
        gateway = named == "litellm"  # may be anywhere, also below a path
        if self.hosted or not (gateway or self.origin.startswith("http://")):
            return models
        ends = asyncio.get_running_loop().time() + DETAILS_S
        root = self.base_url.removesuffix("/v1") if gateway else self.origin
        place = Place(self.client, root, ends, self.headers)
        kinds = [named] if named in RECOGNISERS and named != "custom" else [*RECOGNISERS]
        detailed: dict[str, OfferedModel] = {}
        try:
            async with asyncio.timeout(DETAILS_S):
                for kind in kinds:
                    if server := await RECOGNISERS[kind](place):
                        detailed = {model.model: model for model in server.models}
                        break
        except TimeoutError:
            return models
        return tuple(detailed.get(model.model, model) for model in models)

    async def _get(self, url: str) -> Answer:
        return await fetch(self.client, url, self.headers, limit=LIST_BYTES)

    def _failed(self, problem: Problem, suggestion: str | None = None) -> Offer:
        return Offer(ok=False, problem=problem, suggested_base_url=suggestion)


def _base_of(address: str) -> str:
    """Return a base URL from what people paste: without a slash at the end, and without an endpoint's path."""
    address = address.strip().rstrip("/")
    for ending in _ENDINGS:
        address = address.removesuffix(ending)
    return address.rstrip("/")


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
        completed.append(
            msgspec.structs.replace(
                model,
                prices=model.prices or facts.prices,
                context_window=model.context_window or facts.context_window,
            )
        )
    return tuple(completed)
