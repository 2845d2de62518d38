"""Every kind of request that the OpenAPI document describes, and many that it forbids, against a whole server."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import jsonschema_rs
import msgspec

from parley.api.app import create_app
from prove.campaign import Batch, Campaign, Tally, share
from prove.schema_cases import FORMS, JSON, STREAM, Asked, Known, draw, forms
from tests.fakes.running import MODELS, RunningParley, a_running_parley

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "reference" / "openapi.json"
PROBLEM = "application/problem+json"
OURS = (b'"internal_error"', b'"connector_broken"')
"""Codes that tell of a fault of ours, also where it ended no request but a reply or a turn."""

PATIENCE_S = 20.0
OVER_SOCKET = 20
"""One request in so many goes over a socket; the others are handed to the app directly."""

App = Callable[..., Awaitable[None]]


class Answer(NamedTuple):
    """A response; of an endless stream, its beginning."""

    status: int
    headers: dict[str, str]
    body: bytes


class SchemaRequests:
    name = "schema-requests"
    guarantee = (
        "No request drawn from the OpenAPI document, valid or not, is answered by 5xx (but a documented 503) or not at "
        "all, and every answer is what the document says."
    )
    trials = 100_000
    batch = 10_000
    sample = 480

    def run(self, batch: Batch) -> Tally:
        return _attack(batch, lambda app: app)

    def control(self, batch: Batch) -> Tally:
        return _attack(batch, _stumbles)

    def summary(self, tally: Tally) -> str:
        figures = tally.figures
        kinds = {kind: len(figures.get(kind, [])) for kind in ("2xx", "4xx", "503")}
        return (
            f"{int(sum(figures.get('drawn', []))):,} cases drawn by Schemathesis, each sent in up to {FORMS} forms: "
            f"{kinds['2xx']:,} answers of success, {kinds['4xx']:,} refusals, {kinds['503']:,} times 503; "
            f"{len(set(figures.get('carried_out', [])))} of {int(max(figures.get('operations', [0])))} operations were "
            f"carried out at least once; "
            f"the slowest answer after {share(figures.get('answer_s', []), 1.0):.1f} s"
        )


def _stumbles(app: App) -> App:
    """Plant a fault: some input that a route does not take."""

    async def call(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        if b"limit=" not in scope["query_string"]:
            await app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 500, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    return call


def _attack(batch: Batch, plant: Callable[[App], App]) -> Tally:
    document = msgspec.json.decode(DOCUMENT.read_bytes())
    cases = draw(document, -(-batch.count // FORMS), batch.first // FORMS, batch.seed)
    tally = Tally()
    tally.note("drawn", len(cases))
    judge = Judge(document)
    tally.note("operations", len(judge.operations))

    async def whole() -> None:
        async with a_running_parley(batch.folder, models=MODELS) as parley:
            parley.upstream.reply("Well, ", "that depends.")
            attack = _Attack(parley, plant(create_app(parley.application)), judge, tally)
            await attack.seed()
            trial = batch.first
            while tally.trials < batch.count:
                for case in cases:
                    for asked in forms(case, attack.known, batch.chance(trial)):
                        if tally.trials >= batch.count:
                            return
                        await attack.send(asked, over_socket=trial % OVER_SOCKET == 0)
                        trial += 1
                        tally.trials += 1
                        batch.step()

    asyncio.run(whole())
    return tally


class _Attack:
    def __init__(self, parley: RunningParley, app: App, judge: "Judge", tally: Tally) -> None:
        self.parley = parley
        self.app = app
        self.judge = judge
        self.tally = tally
        own = ("preset_id", "template_id", "provider_id", "sha256")
        names = ("session_id", "match_id", "turn_id", "vote_id", "voter_id", *own)
        self.known = Known({name: deque(maxlen=40) for name in names}, MODELS)

    async def seed(self) -> None:
        """Create one of everything that has an id."""
        for number in range(12):
            outcome = await self.parley.battle(f"Which is better, {number}?")
            self.known.learn(outcome)
            if number % 2:
                self.known.learn(await self.parley.vote(outcome["match_id"]))
            self.known.learn(await self.parley.chat(f"Hello {number}"))
            preset = {"name": f"Preset {number}", "mode": "chat", "seats": {"assistant": "ada"}}
            made = await self.parley.client.post("/api/presets", json=preset)
            self.known.ids["preset_id"].append(made.json().get("id", "none"))
            made = await self.parley.client.post("/api/templates", json={"name": f"T {number}", "text": "Hi"})
            self.known.ids["template_id"].append(made.json().get("id", "none"))
            server = {"name": f"Server {number}", "base_url": self.parley.upstream.url}
            made = await self.parley.client.post("/api/providers", json=server)
            self.known.ids["provider_id"].append(made.json().get("id", "none"))
            octets = {"Content-Type": "application/octet-stream"}
            made = await self.parley.client.post(
                "/api/attachments", content=f"Text {number}".encode(), headers=octets
            )
            self.known.ids["sha256"].append(made.json().get("sha256", "none"))

    async def send(self, asked: Asked, *, over_socket: bool) -> None:
        """Send a request and check the response."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        try:
            async with asyncio.timeout(PATIENCE_S):
                answer = await (self._over_socket(asked) if over_socket else self._in_process(asked))
        except TimeoutError:
            self.tally.failures.append(f"no answer within {PATIENCE_S:.0f} s: {asked}")
            return
        except Exception as error:
            self.tally.failures.append(f"{type(error).__name__}: {error}: {asked}")
            return
        self.tally.note("answer_s", round(clock() - begun, 4))
        self.tally.note("503" if answer.status == 503 else f"{answer.status // 100}xx", 1)
        if fault := self.judge.fault(asked, answer):
            self.tally.failures.append(f"{fault}: {asked} → {answer.status} {answer.body[:300]!r}")
        elif answer.status < 300:
            self.tally.note("carried_out", self.judge.number(asked))
            if answer.headers.get("content-type") == JSON:
                self.known.learn(msgspec.json.decode(answer.body))

    async def _in_process(self, asked: Asked) -> Answer:
        parts: list[bytes] = []
        heads: list[MutableMapping[str, Any]] = []
        left = asyncio.Event()
        given = iter([{"type": "http.request", "body": asked.body, "more_body": False}])

        async def receive() -> Any:
            if (part := next(given, None)) is not None:
                return part
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                heads.append(message)
            else:
                parts.append(message.get("body", b""))
                if message.get("more_body") and _has_no_end(asked):
                    left.set()

        headers = {"host": "127.0.0.1", "content-length": str(len(asked.body)), **asked.headers}
        path = unquote(asked.path, errors="replace")
        scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1",
            "method": asked.method, "scheme": "http", "path": path, "raw_path": asked.path.encode(), "root_path": "",
            "query_string": asked.query.encode("latin-1"), "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8400),
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
        }  # fmt: skip
        await self.app(scope, receive, send)
        named = {name.decode(): value.decode("latin-1") for name, value in heads[0]["headers"]}
        return Answer(heads[0]["status"], named, b"".join(parts))

    async def _over_socket(self, asked: Asked) -> Answer:
        async with _connected(int(self.parley.base_url.rpartition(":")[2])) as (reader, writer):
            target = f"{asked.path}?{quoted(asked.query)}" if asked.query else asked.path
            headers = {
                "Host": "127.0.0.1",
                "Connection": "close",
                "Content-Length": str(len(asked.body)),
                **asked.headers,
            }
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            writer.write(f"{asked.method} {target} HTTP/1.1\r\n{lines}\r\n".encode("latin-1") + asked.body)
            first, *named = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            found = {
                name.lower(): value.strip() for name, _, value in (line.partition(":") for line in named)
            }
            body = b""
            while part := await reader.read(1 << 16):
                body += part
                if _has_no_end(asked):
                    break
            if found.get("transfer-encoding") == "chunked":
                body = _unchunked(body)
            return Answer(int(first.split(" ")[1]), found, body)


@contextlib.asynccontextmanager
async def _connected(port: int) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def quoted(query: str) -> str:
    """Return a query as a request's first line can carry it."""
    return "".join(sign if "!" <= sign <= "~" else f"%{ord(sign) & 255:02x}" for sign in query)


def _has_no_end(asked: Asked) -> bool:
    return asked.pattern.endswith("/events")


def _unchunked(raw: bytes) -> bytes:
    body = b""
    while raw:
        size, _, raw = raw.partition(b"\r\n")
        body += raw[: int(size, 16)]
        raw = raw[int(size, 16) + 2 :]
    return body


class Judge:
    """Checks responses against the document."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._components = document["components"]
        self.operations = {
            (method.upper(), path): operation["responses"]
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }
        self._validators: dict[str, Any] = {}

    def number(self, asked: Asked) -> int:
        """Return the place of a request's operation in the document."""
        return list(self.operations).index((asked.method, asked.pattern))

    def fault(self, asked: Asked, answer: Answer) -> str | None:
        """Return what is wrong with a response."""
        if answer.status >= 500 and answer.status != 503:
            return "a fault of the server"
        if answer.status == 503 and "retry-after" not in answer.headers:
            return "503 without Retry-After"
        # The document itself lists every code.
        if asked.pattern != "/api/openapi.json" and any(code in answer.body for code in OURS):
            return "a fault of ours within the answer"
        responses = self.operations[asked.method, asked.pattern]
        documented = responses.get(str(answer.status))
        if documented is None:
            if answer.status < 400:
                return "a status that the document does not have"
            documented = responses["default"]
        media = answer.headers.get("content-type", "").split(";")[0]
        content = documented.get("content", {})
        if not content:
            return "a body where none belongs" if answer.body else None
        if media not in content:
            return f"a body of type “{media}”, which the document does not have"
        return self._body_fault(media, content[media].get("schema", {}), answer.body)

    def _body_fault(self, media: str, schema: dict[str, Any], body: bytes) -> str | None:
        if media in (JSON, PROBLEM):
            bodies = [body]
        elif media == STREAM:
            frames = body.split(b"\n\n")[:-1]
            bodies = [frame.partition(b"data: ")[2] for frame in frames if frame.startswith(b"data: ")]
        else:
            return None
        validator = self._validator(schema)
        for each in bodies:
            error = next(validator.iter_errors(msgspec.json.decode(each)), None)
            if error is not None:
                return f"a body that breaks its schema ({error.message[:200]} at {list(error.instance_path)})"
        return None

    def _validator(self, schema: dict[str, Any]) -> Any:
        key = msgspec.json.encode(schema).decode()
        if key not in self._validators:
            whole = {**schema, "components": self._components}
            self._validators[key] = jsonschema_rs.validator_for(whole)
        return self._validators[key]


CAMPAIGNS: list[Campaign] = [SchemaRequests()]
