"""A Parley under attack: its models' server fails on command, and invariants are checked at the end.

    async with attacked(parley, fault) as attack:
        attack.upstream.script(…, model=FAULTY)
        events = await attack.follow(chat_with(FAULTY))
    # on leaving, the clients go, and every invariant is checked

The application is a running one; only its gateway is exchanged, for one with short limits whose providers
lead to this attack's server.
"""

import asyncio
import contextlib
import socket
import sqlite3
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from parley.connectors.openai import OpenAIConnector
from parley.engine.gateway import Gateway, GatewayOptions
from parley.engine.runner import Runner
from parley.features.catalog.service import CatalogService
from parley.kernel.connector import Connector
from parley.kernel.models import Model, Provider, Route
from parley.kernel.ports import Catalog
from parley.settings import DATABASE_FILE, Settings
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.faults import Fault, Where
from tests.fakes.invariants import SECRET, Watch
from tests.fakes.movable_clock import MovableClock
from tests.fakes.running import Client, EventStream, ModelSpec, Response, RunningParley
from tests.fakes.upstream import ScriptedUpstream

FAULTY, SOUND, SPARE = "canary-one", "canary-two", "canary-spare"
CANARIES = (
    ModelSpec(FAULTY, "Canarius Primus", "Serinus Society", "Canary Licence", provider="cage-one"),
    ModelSpec(SOUND, "Canaria Secunda", "Serinus Society", "Canary Licence", provider="cage-two"),
)
"""Two models with names that are easy to find in any output."""

TRACES = (
    b"canar",
    b"serinus",
    b"cage",
    b"s3cret",
    b"upstream_",
    b"server says",
    b"reply_empty",
    b"reply_filtered",
    b"reply_incomplete",
)
"""What would reveal the models, or their failures, to a blind viewer; in lower case."""

SHORT_S, PATIENT_S = 0.4, 20.0
"""How long a model may be silent: where that is what is tried, and where it only guards against hanging."""

CONNECT_S = 0.3
TRIED_S = 3 * CONNECT_S
"""How long until a server that accepts no connections has been tried for the last time."""

LONG_S = 3600.0


class ShortCatalog:
    """The application's catalog with short limits; the faulty model may have a second provider."""

    def __init__(self, catalog: Catalog, providers: Mapping[str, Provider], first_s: float) -> None:
        self._catalog = catalog
        self._providers = providers
        self._first_s = first_s

    def model(self, model_id: str) -> Model:
        model = self._catalog.model(model_id)
        routes = model.routes
        if model_id == FAULTY and SPARE in self._providers:
            routes = (*routes, Route(SPARE, SPARE))
        return msgspec.structs.replace(model, timeout_s=self._first_s, routes=routes)

    def provider(self, provider_id: str) -> Provider:
        return self._providers[provider_id]

    def models(self) -> Any:
        return self._catalog.models()


@dataclass
class Attack:
    """A client, a scripted server, and the results so far."""

    parley: RunningParley
    watch: Watch
    http: HttpClient
    providers: dict[str, Provider]
    where: Where
    silent_s: float
    """How long a model may be silent."""
    first_s: float
    """How long its first word may take."""
    heard_in_the_clear: list[bytes] = field(default_factory=list)
    stalls: MovableClock | None = None
    """Put forward once a model has fallen silent."""
    says_before: str = ""
    """What that model says before."""

    @property
    def upstream(self) -> ScriptedUpstream:
        return self.parley.upstream

    def renew_gateway(self) -> None:
        """Exchange the application's gateway: no breaker remembers anything."""
        catalog = ShortCatalog(self.parley.application[CatalogService], self.providers, self.first_s)
        opened: dict[str, Connector] = {
            name: OpenAIConnector(provider, self.http) for name, provider in self.providers.items()
        }
        runner = self.parley.application[Runner]
        limits = GatewayOptions(idle_s=self.silent_s, backoff_s=0.01)
        runner._gateway = Gateway(catalog, lambda asked: opened[asked.id], limits, runner._recorder)

    async def follow(self, body: Mapping[str, Any], path: str = "/api/sessions") -> list[dict[str, Any]]:
        """Start a turn and read its stream to the end."""
        async with self.parley.stream("POST", path, dict(body)) as stream:
            self.watch.shown.append(_headers(stream.response))
            if self.stalls:
                await self._until_all_but_one_are_done(stream)
                self.stalls.let_pass(PATIENT_S + 1)
            events = await stream.rest(30.0)
        self.watch.streams.append(events)
        return events

    async def _until_all_but_one_are_done(self, stream: EventStream) -> None:
        """Wait until only the model that hangs is still asked, and what it said is shown in a chat."""
        snapshot = await stream.until("turn.snapshot")
        seats = len(snapshot["match"]["seats"])
        await self.upstream.wait_for_requests(seats)
        while self.upstream.streaming > 1:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        if self.says_before and seats == 1:
            await stream.until_said()

    async def get(self, path: str) -> Any:
        """GET, and record the response."""
        return self._keep(await self.parley.client.get(path), 200)

    async def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        """POST, and record the response."""
        return self._keep(
            await self.parley.client.post(path, **({} if body is None else {"json": body})), status
        )

    async def vote(self, match_id: str, vote: str) -> Any:
        """Vote, and record that it was acknowledged."""
        answer = await self.post(f"/api/battles/{match_id}/vote", {"vote": vote})
        self.watch.acknowledged.append({**answer, "match_id": match_id})
        return answer

    @property
    def database(self) -> Path:
        """The file of the application's database."""
        return self.parley.application[Settings].data_dir / DATABASE_FILE

    def seats(self, match_id: str) -> dict[str, str]:
        """Return each seat's model, which a test may know."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as file:
            return dict(file.execute("select name, model_id from seats where match_id = ?", (match_id,)))

    def _keep(self, response: Response, status: int) -> Any:
        assert response.status_code == status, f"{response.status_code}: {response.text}"
        self.watch.shown.append(response.content + _headers(response))
        return msgspec.json.decode(response.content)


def in_file(folder: Path) -> str:
    """The address of a SQLite database where `a_running_parley` keeps one; on it alone the invariants can be seen."""
    return f"sqlite:///{(folder / 'data' / DATABASE_FILE).as_posix()}"


def chat_with(model: str, prompt: str = "Hi") -> dict[str, Any]:
    """The request for a chat."""
    return {"prompt": prompt, "mode": "chat", "seats": {"assistant": model}}


@asynccontextmanager
async def attacked(
    parley: RunningParley,
    fault: Fault | None = None,
    *,
    spare: bool = False,
    logs: Any = None,
    silent_s: float | None = None,
    clock: MovableClock | None = None,
) -> AsyncGenerator[Attack]:
    """Put a running Parley under attack; check every invariant on leaving. `logs` is pytest's caplog.

    `silent_s`: how long a model may be silent. Usually that is short only where it decides what becomes of the
    fault: a busy machine is slow, too. With a `clock` it never is: that is put forward once the model has fallen
    silent.
    """
    where: Where = fault.where if fault else "here"
    if silent_s is None:
        silent_s = SHORT_S if fault and fault.impatient and clock is None else PATIENT_S
    first_s = silent_s + (TRIED_S if where == "silent" else 0.0)
    async with AsyncExitStack() as open_things:
        upstream = await open_things.enter_async_context(ScriptedUpstream())
        heard: list[bytes] = []
        address = await open_things.enter_async_context(address_of(where, upstream, heard))
        database = parley.application[Settings].data_dir / DATABASE_FILE
        watch = Watch.begin(upstream, database=database)
        http = HttpClient(
            WireOptions(
                connect_s=CONNECT_S if where == "silent" else PATIENT_S, idle_s=LONG_S, allow_loopback=True
            ),
            lookup=lookup_for(where),
        )
        providers = {
            "cage-one": Provider("cage-one", "openai", address, SECRET),
            "cage-two": Provider("cage-two", "openai", upstream.url, SECRET),
        }
        if spare:
            providers[SPARE] = Provider(SPARE, "openai", upstream.url, SECRET, priority=1)
        try:
            async with Client(base_url=parley.base_url, timeout=40, trust_env=False, verify=False) as client:
                here = RunningParley(parley.application, upstream, parley.base_url, client)
                attack = Attack(here, watch, http, providers, where, silent_s, first_s, heard)
                if fault and fault.code == "upstream_stalled":
                    attack.stalls, attack.says_before = clock, fault.text
                attack.renew_gateway()
                yield attack
                await watch.check_asked()
        finally:
            await http.close()
        await watch.check(database, logs=logs.text if logs is not None else "")


def _headers(response: Response) -> bytes:
    return str(response.headers.multi_items()).encode()


def lookup_for(where: Where) -> Any:
    """Return what looks up names: nobody has an address where there is no server; None is the usual one."""

    async def nobody(host: str, port: int) -> list[tuple[int, str]]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    return nobody if where == "nowhere" else None


@asynccontextmanager
async def address_of(where: Where, upstream: ScriptedUpstream, heard: list[bytes]) -> AsyncGenerator[str]:
    """Yield the address of a server that exists or not."""
    match where:
        case "here":
            yield upstream.url
        case "refused":
            with socket.socket() as unused:
                unused.bind(("127.0.0.1", 0))
                yield f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        case "silent":
            with _full_queue() as port:
                yield f"http://127.0.0.1:{port}/v1"
        case "nowhere":
            yield "https://nobody.example/v1"
        case "in the clear":
            async with _clear_server(heard) as port:
                yield f"https://127.0.0.1:{port}/v1"


@contextlib.contextmanager
def _full_queue():
    """Yield a port where nobody takes calls: its queue is full, so a connection is neither made nor refused."""
    with contextlib.ExitStack() as sockets:
        listener = sockets.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(3):
            waiting = sockets.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


@asynccontextmanager
async def _clear_server(heard: list[bytes]) -> AsyncGenerator[int]:
    """Serve plain text where TLS is expected."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(4096))
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()
