"""A running Parley on loopback: its own data folder, a scripted model server behind it, a client in front.

    async with a_running_parley(tmp_path) as parley:
        parley.upstream.reply("Hello", model="ada")
        battle = await parley.battle("Say hello")
        answer = await parley.vote(battle["match_id"], "left")

The server runs in the test's own event loop, so a test can look into `parley.application` while requests
go over a real socket. `parley.client` is an httpx2 client; other clients come from `parley.visitor()`.
"""

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Self

import httpx2  # noqa: TID251 - the client of these tests; they speak to loopback only
import msgspec
from starlette.routing import compile_path

from parley.api import errors
from parley.api.contract import Contract
from parley.api.server import serve_beside
from parley.application import Application, built_in_routes, open_application
from parley.settings import Settings
from parley.storage.database import Database, Transaction
from parley.storage.tables.rows import select_rows
from tests.fakes.databases import an_empty_database, copy_empty
from tests.fakes.upstream import ScriptedUpstream

Client = httpx2.AsyncClient
Response = httpx2.Response
ClientError = httpx2.TransportError

MODELS = ("ada", "bob", "cleo")
ENDS = frozenset({"turn.completed", "turn.failed", "turn.stopped"})


@dataclass(frozen=True)
class ModelSpec:
    """A model of the list; everything that is not given is made from the id."""

    id: str
    name: str | None = None
    organization: str | None = None
    license: str = "MIT"
    provider: str = "near"
    tags: tuple[str, ...] = ()
    enabled: bool = True
    capabilities: tuple[str, ...] = ("text",)
    context_window: int | None = None
    max_concurrency: int | None = None

    def entry(self) -> dict[str, Any]:
        """Return the entry as the model list has it."""
        return {
            "id": self.id,
            "name": self.name or self.id.capitalize(),
            "organization": self.organization or f"{self.id.capitalize()} Labs",
            "license": self.license,
            "routes": [{"provider": self.provider, "model": self.id}],
            "prices": {"input": 1.0, "output": 2.0},
            "tags": list(self.tags),
            "enabled": self.enabled,
            "capabilities": list(self.capabilities),
            "context_window": self.context_window,
            "max_concurrency": self.max_concurrency,
            "timeout_s": 20,
        }


def write_models(path: Path, url: str, models: Sequence[str | ModelSpec]) -> Path:
    """Write a model list that leads to one server; JSON is YAML too."""
    specs = [ModelSpec(model) if isinstance(model, str) else model for model in models]
    providers = [
        {"id": name, "connector": "openai", "base_url": url, "api_key": "s3cret-key-of-the-provider"}
        for name in sorted({spec.provider for spec in specs})
    ]
    listed = {"providers": providers, "models": [spec.entry() for spec in specs]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(listed))
    return path


class EventStream:
    """Server-sent events of one response, as they come; `: …` comments are left out."""

    def __init__(self, response: Response) -> None:
        self.response = response
        self.events: list[dict[str, Any]] = []
        self._lines = _lines_of(response)

    def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        return self

    async def __anext__(self) -> dict[str, Any]:
        async for line in self._lines:
            if line.startswith(b"data: "):
                event = msgspec.json.decode(line.removeprefix(b"data: "))
                self.events.append(event)
                return event
        raise StopAsyncIteration

    async def until(self, kind: str, within: float = 40.0) -> dict[str, Any]:
        """Read up to the first event of a kind."""
        async with asyncio.timeout(within):
            async for event in self:
                if event["kind"] == kind:
                    return event
        raise AssertionError(f"{kind} did not come; these did: {kinds(self.events)}")

    async def until_said(self, within: float = 40.0) -> None:
        """Read until some seat has text, which may be in the snapshot already."""
        async with asyncio.timeout(within):
            while not any(read_all(self.events).texts().values()):
                await anext(self)

    async def rest(self, within: float = 40.0) -> list[dict[str, Any]]:
        """Read to the end and return every event of the stream."""
        async with asyncio.timeout(within):
            async for _ in self:
                pass
        return self.events


async def _lines_of(response: Response) -> AsyncIterator[bytes]:
    """Yield lines as defined for server-sent events: U+2028 and the like do not end one."""
    rest = b""
    async for packet in response.aiter_bytes():
        *lines, rest = (rest + packet).split(b"\n")
        for line in lines:
            yield line


class Reader:
    """Applies events as the page does: snapshots replace, deltas append, nothing is counted here."""

    def __init__(self) -> None:
        self.replies: dict[str, dict[str, Any]] = {}
        self.end: str | None = None

    def take(self, event: dict[str, Any]) -> Self:
        """Apply one event."""
        match event["kind"]:
            case "turn.snapshot":
                self.replies = {reply["id"]: dict(reply) for reply in event["turn"]["replies"]}
            case "reply.started":
                known = self.replies.get(event["reply_id"])
                if known is None or known["attempt"] < event["attempt"]:
                    fresh = {"text": "", "reasoning": "", "text_end": 0, "reasoning_end": 0}
                    self.replies[event["reply_id"]] = {**event, **fresh}
            case "reply.delta":
                self._append(event)
            case kind if kind in ENDS:
                self.end = kind
        return self

    def texts(self, channel: str = "text") -> dict[str, str]:
        """Return the text of every seat."""
        return {reply["seat"]: reply[channel] for reply in self.replies.values()}

    def _append(self, event: dict[str, Any]) -> None:
        reply, channel = self.replies[event["reply_id"]], event["channel"]
        assert event["attempt"] == reply["attempt"], "a delta of an attempt that never began"
        if event["end"] <= reply[f"{channel}_end"]:
            return
        assert event["offset"] == reply[f"{channel}_end"], "a gap in the stream"
        assert event["end"] - event["offset"] == len(event["text"])
        reply[channel] += event["text"]
        reply[f"{channel}_end"] = event["end"]


def read_all(events: Sequence[dict[str, Any]]) -> Reader:
    """Return a reader that has applied all events."""
    reader = Reader()
    for event in events:
        reader.take(event)
    return reader


def kinds(events: Sequence[dict[str, Any]]) -> list[str]:
    """Return the kinds of events, in order."""
    return [event["kind"] for event in events]


@dataclass
class RunningParley:
    """A running server with shortcuts to use it. Paths are those of the API."""

    application: Application
    upstream: ScriptedUpstream
    base_url: str
    client: Client
    visitors: list[Client] = field(default_factory=list)

    def visitor(self, **options: Any) -> Client:
        """Return another client, as from a second tab."""
        client = _client(self.base_url, **options)
        self.visitors.append(client)
        return client

    async def get(self, path: str, status: int = 200, **options: Any) -> Any:
        """GET and return the JSON."""
        return _body(await self.client.get(path, **options), status)

    async def post(self, path: str, body: Any = None, status: int = 200, **options: Any) -> Any:
        """POST and return the JSON."""
        given = {} if body is None else {"json": body}
        return _body(await self.client.post(path, **given, **options), status)

    async def battle(self, prompt: str = "Why is the sky blue?") -> Any:
        """Start a session with a battle and wait for its end."""
        return await self.post("/api/sessions", {"prompt": prompt})

    async def chat(self, prompt: str = "Why is the sky blue?", model: str = "ada", **more: Any) -> Any:
        """Start a session with a chat and wait for its end."""
        body = {"prompt": prompt, "mode": "chat", "seats": {"assistant": model}, **more}
        return await self.post("/api/sessions", body)

    async def vote(self, match_id: str, vote: str = "left", status: int = 200, **more: Any) -> Any:
        """Vote on a battle."""
        return await self.post(f"/api/battles/{match_id}/vote", {"vote": vote, **more}, status)

    @asynccontextmanager
    async def stream(
        self, method: str, path: str, body: Any = None, client: Client | None = None, **options: Any
    ) -> AsyncGenerator[EventStream]:
        """Open a stream of events."""
        headers = {"Accept": "text/event-stream", **options.pop("headers", {})}
        if body is not None:
            options["json"] = body
        asked = (client or self.client).stream(method, path, headers=headers, **options)
        async with asked as response:
            if response.status_code != 200:
                raise AssertionError(f"{response.status_code}: {(await response.aread()).decode()}")
            yield EventStream(response)

    async def events(self, method: str, path: str, body: Any = None, **options: Any) -> list[dict[str, Any]]:
        """Return every event of a stream that ends."""
        async with self.stream(method, path, body, **options) as stream:
            return await stream.rest()

    async def seats(self, session_id: str, match: int = -1) -> dict[str, str]:
        """Return each seat's model from the database: a test may know, a blind viewer may not."""

        def look(transaction: Transaction):
            from sqlalchemy import select

            from parley.storage.tables.conversations import MatchRow, SeatRow

            query = (
                select(MatchRow.c.id).where(MatchRow.c.session_id == session_id).order_by(MatchRow.c.index)
            )
            match_id = transaction.scalars(query)[match]
            rows = transaction.select(SeatRow, select_rows(SeatRow).where(SeatRow.c.match_id == match_id))
            return {row.name: row.model_id for row in rows}

        return await self.application[Database].read(look)


def _client(base_url: str, **options: Any) -> Client:
    # Loading certificates for a context that nobody uses takes longer than most tests.
    hooks: dict[str, list[Any]] = {"response": [_check_stated]}
    options = {"timeout": 50, "trust_env": False, "verify": False, "event_hooks": hooks, **options}
    return Client(base_url=base_url, **options)


async def _check_stated(response: Response) -> None:
    """Check that a route answers only with the problems that it states, or that any route has."""
    if response.headers.get("content-type") != errors.MEDIA_TYPE:
        return
    await response.aread()
    code, method, path = response.json()["code"], response.request.method, response.request.url.path
    stated = [it for it, pattern in _routes() if it.method == method and pattern.match(path)]
    if code not in errors.COMMON and stated:
        assert any(code in contract.errors for contract in stated), f"{method} {path} does not state {code}"


@cache
def _routes() -> list[tuple[Contract, re.Pattern[str]]]:
    contracts = (contract for routes in built_in_routes() for contract in routes.contracts)
    return [(contract, compile_path(contract.path)[0]) for contract in contracts]


def _body(response: Response, status: int) -> Any:
    assert response.status_code == status, f"{response.status_code}: {response.text}"
    return msgspec.json.decode(response.content) if response.content else None


@asynccontextmanager
async def a_running_parley(
    folder: Path,
    *,
    models: Sequence[str | ModelSpec] = MODELS,
    upstream: ScriptedUpstream | None = None,
    pacing: str = "natural",
    models_file: Path | None = None,
    **settings: Any,
) -> AsyncGenerator[RunningParley]:
    """Serve a Parley whose models all lead to one scripted server, `upstream` or a fresh one.

    Its database is an empty one of the kind that is being tested; a `database_url` names another one.
    """
    async with contextlib.AsyncExitStack() as open_things:
        if "database_url" not in settings:
            url = await open_things.enter_async_context(an_empty_database())
            if url is None:
                await copy_empty(folder / "data" / "parley.db")
            else:
                settings |= {"database_url": url}
        speaking = upstream or await open_things.enter_async_context(ScriptedUpstream())
        listed = models_file or write_models(folder / "models.yaml", speaking.url, models)
        given = {"data_dir": folder / "data", "models": listed, "demo_models": "off", "port": 0}
        given |= {"discover_at": "none", "battle_pacing": pacing}
        application = await open_things.enter_async_context(
            open_application(Settings.model_validate({**given, **settings}))
        )
        address = await open_things.enter_async_context(serve_beside(application))
        client = await open_things.enter_async_context(_client(address))
        parley = RunningParley(application, speaking, address, client)
        yield parley
        for visitor in parley.visitors:
            await visitor.aclose()
