"""Who owns a connection's bytes: an answer holds those of its own request and no others, whatever happens around it."""

import asyncio
import contextlib
import gzip
import select
import socket
import struct
from collections.abc import AsyncGenerator, Callable
from random import Random

import msgspec
import uvloop

from parley.kernel.errors import UpstreamError
from parley.wire.connection import Connection
from parley.wire.http import HttpClient, Origin, Response, WireOptions
from parley.wire.ticker import Ticker
from prove.campaign import Batch, Campaign, Tally

AT_ONCE = 24
ENDINGS = {
    "keeps": 50, "closes": 6, "crosses": 8, "extra": 8, "late": 16, "tired": 6, "breaks": 6, "resets": 6,
}  # fmt: skip
WAYS = {"whole": 55, "impatient": 15, "cancelled": 15, "partly": 10, "left": 5}


class Plan(msgspec.Struct, frozen=True):
    """What the server does with one request; it travels in the request's body."""

    id: str
    pieces: int
    framing: str
    ending: str
    seed: int

    @property
    def whole(self) -> bytes:
        """The body of the answer: every piece names the request that it belongs to."""
        return b"".join(b"%b:%d;" % (self.id.encode(), number) for number in range(self.pieces))

    @property
    def breaks(self) -> bool:
        return self.ending in ("breaks", "resets")


class EchoServer:
    """Answers in many small pieces that name their request, and ends connections in many ways."""

    def __init__(self) -> None:
        self.url = ""
        self.open = 0
        self.connections = 0

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncGenerator["EchoServer"]:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        try:
            yield self
        finally:
            server.close()
            await server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        self.connections += 1
        try:
            crosses = False
            while (plan := await _plan(reader)) and not crosses:
                crosses = plan.ending == "crosses"
                if not await self._answer(plan, reader, writer):
                    break
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            self.open -= 1
            writer.transport.abort() if writer.transport.get_write_buffer_size() else writer.close()

    async def _answer(self, plan: Plan, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Follow the plan; return whether the connection stays open."""
        chance = Random(plan.seed)
        raw = _raw(plan, chance)
        if plan.breaks:
            raw = raw[: chance.randrange(len(raw))]
        elif plan.ending == "extra":
            raw += chance.choice((b"x", b"HTTP/1.1 200 OK\r\n", _others()))
        sent = 0
        while sent < len(raw):
            size = chance.choice((1, 7, 40, 300, 5_000, 100_000))
            if writer.transport.is_closing():
                return False  # the client has left
            writer.write(raw[sent : sent + size])
            sent += size
            await (asyncio.sleep(chance.uniform(0, 0.002)) if chance.random() < 0.2 else writer.drain())
        if writer.transport.is_closing():
            return False
        if plan.ending == "resets":
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.transport.abort()
        elif plan.ending in ("late", "tired"):
            await asyncio.sleep(chance.uniform(0, 0.003))
            return not _unasked(plan, reader, writer)
        return plan.ending in ("keeps", "crosses", "extra") and plan.framing != "open"


def _unasked(plan: Plan, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Send an answer that nobody asked for; False where a question is there already, since it would be one to that."""
    if writer.transport.is_closing():
        return True  # the client has left
    come = select.poll()
    come.register(writer.get_extra_info("socket").fileno(), select.POLLIN)
    if come.poll(0) or len(reader._buffer):  # pyright: ignore[reportAttributeAccessIssue]
        return False
    tired = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    writer.write(tired if plan.ending == "tired" else _others())
    return True


async def _plan(reader: asyncio.StreamReader) -> Plan | None:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length:"))
    return msgspec.json.decode(await reader.readexactly(length), type=Plan)


def _others() -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nanother's"


def _raw(plan: Plan, chance: Random) -> bytes:
    """Return the bytes of the answer."""
    interim = b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" if chance.random() < 0.1 else b""
    body = plan.whole if plan.framing != "packed" else gzip.compress(plan.whole, 1)
    head = interim + b"HTTP/1.1 200 OK\r\n"
    if plan.framing == "length":
        return head + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    if plan.framing == "open":
        return head + b"\r\n" + body
    if plan.framing == "packed":
        head += b"Content-Encoding: gzip\r\n"
    chunks, sent = [head, b"Transfer-Encoding: chunked\r\n\r\n"], 0
    while sent < len(body):
        chunk = body[sent : sent + chance.randint(1, 1 + len(body) // 5)]
        chunks.append(b"%x%b\r\n%b\r\n" % (len(chunk), chance.choice((b"", b";x=1")), chunk))
        sent += len(chunk)
    return b"".join((*chunks, b"0\r\n", chance.choice((b"", b"X-Sum: 1\r\n")), b"\r\n"))


class ConnectionOwnership:
    name = "connection-ownership"
    guarantee = (
        "An answer that was read whole is byte for byte its own request's; no byte of another's is ever read, "
        "nothing that broke off passes for whole, and no socket is left."
    )
    trials = 100_000
    batch = 5_000
    sample = 600

    def run(self, batch: Batch) -> Tally:
        """The first half on the loop of the standard library, the second on the one that servers run on."""
        half = batch.count // 2
        tally = asyncio.run(_attack(msgspec.structs.replace(batch, count=half), HttpClient))
        rest = msgspec.structs.replace(batch, first=batch.first + half, count=batch.count - half)
        tally.add(uvloop.run(_attack(rest, HttpClient)))
        return tally

    def control(self, batch: Batch) -> Tally:
        """Every careless client must be caught, not just one of them."""
        caught = Tally(trials=batch.count)
        for careless in (PutsBackUnread, IgnoresWhatComes, TakesAnyEnd):
            wide = msgspec.structs.replace(batch, count=max(batch.count, 1_500), step=lambda: None)
            found = asyncio.run(_attack(wide, careless)).failures
            if not found:
                return Tally(trials=batch.count)
            caught.failures.append(f"{careless.__name__}: {len(found)} times, for instance {found[0]}")
        return caught

    def summary(self, tally: Tally) -> str:
        count = {name: int(sum(values)) for name, values in tally.figures.items()}
        return (
            f"{count.get('whole', 0):,} answers read whole ({count.get('pieces', 0):,} pieces) over "
            f"{count.get('connections', 0):,} connections; {count.get('failed', 0):,} that servers broke off all "
            f"failed, {count.get('abandoned', 0):,} were cancelled or left"
        )


async def _attack(batch: Batch, make: Callable[..., HttpClient]) -> Tally:
    tally = Tally()
    async with EchoServer().serving() as server:
        client = make(WireOptions(idle_s=5.0, allow_loopback=True), ticker=Ticker(0.004))
        turns = asyncio.Semaphore(AT_ONCE)

        async def trial(number: int) -> None:
            async with turns:
                await _try(client, server.url, number, batch.chance(number), tally)
                tally.trials += 1
                batch.step()

        await asyncio.gather(*(trial(batch.first + number) for number in range(batch.count)))
        kept = lambda: sum(len(pool) for pool in client._idle.values())  # noqa: E731
        await _settle(lambda: server.open <= kept() == len(client._open))
        if server.open > kept() or kept() != len(client._open):
            tally.failures.append(f"{server.open} sockets open, {len(client._open)} known, {kept()} kept")
        await client.close()
        await _settle(lambda: server.open == 0)
        if server.open:
            tally.failures.append(f"{server.open} sockets were left")
        tally.note("connections", server.connections)
    return tally


async def _settle(holds: Callable[[], bool]) -> None:
    for _ in range(400):
        if holds():
            return
        await asyncio.sleep(0.005)


async def _try(client: HttpClient, url: str, number: int, chance: Random, tally: Tally) -> None:
    ending = _drawn(chance, ENDINGS)
    framings = ("length", "chunked", "chunked", "packed") + (
        () if ending in ("extra", "breaks", "late", "tired") else ("open",)
    )
    pieces = chance.choice((0, 1, 5, 20, 60)) if chance.random() < 0.98 else 20_000
    plan = Plan(f"{number}-{chance.getrandbits(32):08x}", pieces, chance.choice(framings), ending, number)
    way = _drawn(chance, WAYS)
    said = bytearray()
    asking = asyncio.create_task(_ask(client, url, plan, way, chance, said))
    if way == "cancelled":
        await asyncio.wait((asking,), timeout=chance.choice((0, 0.001, 0.004, 0.02)))
        asking.cancel()
    error: BaseException | None = None
    try:
        async with asyncio.timeout(20):
            ended = await asking
    except (UpstreamError, asyncio.CancelledError, TimeoutError) as raised:
        ended, error = False, raised
    described = f"{plan.ending}, {plan.framing}, {way}"
    if not plan.whole.startswith(said):
        tally.failures.append(f"read what is not its own: {bytes(said[-60:])!r} ({described})")
    elif ended and bytes(said) != plan.whole:
        tally.failures.append(
            f"{len(said)} of {len(plan.whole)} bytes passed for a whole answer ({described})"
        )
    elif ended and plan.breaks:
        tally.failures.append(f"an answer that broke off passed for whole ({described})")
    elif isinstance(error, TimeoutError | UpstreamError) and not plan.breaks:
        tally.failures.append(f"a whole answer was not read: {error!r} ({described})")
    _count(tally, plan, ended, error)


def _count(tally: Tally, plan: Plan, ended: bool, error: BaseException | None) -> None:
    if ended:
        tally.note("whole", 1)
        tally.note("pieces", plan.pieces)
    else:
        tally.note("failed" if isinstance(error, UpstreamError) else "abandoned", 1)


async def _ask(client: HttpClient, url: str, plan: Plan, way: str, chance: Random, said: bytearray) -> bool:
    """Read an answer in one of the ways; return whether it was read to its end."""
    answer = await client.post_json(url, msgspec.json.encode(plan), {})
    try:
        if answer.status != 200:
            said += b"status %d" % answer.status
        reads = chance.randint(0, 3) if way in ("partly", "left") else 1_000_000
        for _ in range(reads):
            packet = await (_read_impatiently(answer) if way == "impatient" else answer.read())
            if not packet:
                return True
            said += packet
        if way == "left":
            await _leave_behind(answer, plan, said)
        return False
    finally:
        answer.close()


async def _read_impatiently(answer: Response) -> bytes:
    while True:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.0005):
                return await answer.read()


async def _leave_behind(answer: Response, plan: Plan, said: bytearray) -> None:
    """Close an answer that another task is reading: whatever that one gets, it is this answer's."""
    reading = asyncio.create_task(answer.read())
    await asyncio.sleep(0)
    answer.close()
    await asyncio.sleep(0.003)
    reading.cancel()
    with contextlib.suppress(UpstreamError, asyncio.CancelledError):
        said += await reading


def _drawn(chance: Random, weights: dict[str, int]) -> str:
    return chance.choices(list(weights), list(weights.values()))[0]


class PutsBackUnread(HttpClient):
    """Careless: keeps a connection although its answer was not read to the end."""

    def release(self, origin: Origin, connection: Connection) -> None:
        connection.complete = True
        connection._packets.clear()
        super().release(origin, connection)
        _deafen(connection)


class IgnoresWhatComes(HttpClient):
    """Careless: ignores what arrives while a connection is idle."""

    def release(self, origin: Origin, connection: Connection) -> None:
        super().release(origin, connection)
        _deafen(connection)


def _deafen(connection: Connection) -> None:
    def data_received(data: bytes) -> None:
        if connection._on_idle_end is None:
            Connection.data_received(connection, data)

    connection.data_received = data_received
    connection.is_idle = lambda: True


class TakesAnyEnd(HttpClient):
    """Careless: treats the end of a connection as the end of the answer."""

    async def post_json(self, url: str, body: bytes, headers: object) -> Response:
        answer = await super().post_json(url, body, {})
        if answer._connection is not None:
            answer._connection._open_ended = True
        return answer


CAMPAIGNS: list[Campaign] = [ConnectionOwnership()]
