"""The egress check under attack: odd addresses, and names whose addresses change."""

import asyncio
import contextlib
import random
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

from yarl import URL

from parley.kernel.errors import Rejected, Unreachable, UpstreamError
from parley.wire.egress import Lookup
from parley.wire.http import WireOptions
from prove.campaign import Batch, Tally
from prove.odd_urls import CARRIED, DENIED, PUBLIC, OddUrl, odd_url, surely_denied
from prove.scripted_net import CANARIES, Canaries, ScriptedNet, listening, on_scripted_net
from tests.fakes.clients import CLIENTS, ClientFactory, WireClient

Family = tuple[int, str]


def family_of(address: str) -> Family:
    """Return an address as resolvers do."""
    return (socket.AF_INET6 if ":" in address else socket.AF_INET, address)


class OddAddresses:
    """Requests one odd address after another, through three clients."""

    name = "egress-urls"
    guarantee = (
        "No way of writing an address, and no answer of a resolver, leads a request to where it may not go."
    )
    trials = 100_000
    batch = 5_000
    sample = 1_500

    def run(self, batch: Batch) -> Tally:
        return on_scripted_net(lambda net: self._attack(batch, net, CLIENTS))

    def control(self, batch: Batch) -> Tally:
        """Every careless client must be caught, not just one of them."""
        faults: dict[ClientFactory, str] = {
            believes_is_global: "connected to",
            checks_the_first: "connected to",
            asks_twice: "looked the name up",
        }
        return caught(
            faults,
            lambda make: on_scripted_net(lambda net: self._attack(batch, net, {"careless": make})),
        )

    def summary(self, tally: Tally) -> str:
        passed, loopback = (int(sum(tally.figures.get(name, []))) for name in ("let through", "loopback"))
        return (
            f"{passed} requests went out to public addresses, {loopback} to loopback where that was allowed"
        )

    async def _attack(self, batch: Batch, net: ScriptedNet, makers: dict[str, ClientFactory]) -> Tally:
        tally = Tally()
        async with listening() as canaries:
            doors = [door for maker in makers.values() for door in doors_of(maker, canaries.port)]
            for trial in range(batch.first, batch.first + batch.count):
                chance = batch.chance(trial)
                door = chance.choice(doors)
                await door.knock(odd_url(chance, canaries.port), net, canaries, tally)
                tally.trials += 1
                batch.step()
            for door in doors:
                await door.client.close()
        return tally


@dataclass
class Door:
    """A client with its egress rules, and what they should let through."""

    client: WireClient
    resolver: "ScriptedResolver"
    loopback: bool = False
    entry: str | None = None

    async def knock(self, url: OddUrl, net: ScriptedNet, canaries: Canaries, tally: Tally) -> None:
        """Ask for an address and note everything that should not have happened."""
        net.attempts.clear()
        self.resolver.begin(url.leads_to)
        failed: Exception | None = None
        try:
            (await self.client.get_json(url.text, {"Authorization": "Bearer key"})).close()
        except Exception as error:
            failed = error
        hits = canaries.take()
        wrong = list(self._wrongs(url, net, hits, failed))
        net.strays.clear()
        tally.failures += [f"{what}: {url.text!a} → {', '.join(url.leads_to)}" for what in wrong]
        tally.note("let through", float(any(address in PUBLIC for address in net.attempts)))
        tally.note("loopback", float(bool(hits)))

    def _wrongs(
        self, url: OddUrl, net: ScriptedNet, hits: dict[str, int], failed: Exception | None
    ) -> list[str]:
        near = self.loopback or (self.entry is not None and names_exactly(url.text, self.entry))
        denied = (it for it in dict.fromkeys(net.attempts) if surely_denied(it, loopback=near))
        wrong = [f"connected to {address}" for address in denied]
        if hits and not near:
            wrong.append(f"reached the canary at {', '.join(hits)}")
        if net.strays:
            wrong.append(f"asked the system for {net.strays[0]}")
        if self.resolver.calls > 1:
            wrong.append(f"looked the name up {self.resolver.calls} times")
        if not isinstance(failed, UpstreamError | None):
            wrong.append(f"raised {failed!r}")
        if url.plain and not set(net.attempts) & set(url.leads_to):
            wrong.append(f"refused a public address with {failed!r}")
        return wrong


class ScriptedResolver:
    """Answers as an operating system would: odd numbers are addresses, and names lead where the attacker says."""

    def __init__(self) -> None:
        self.calls = 0
        self._leads_to: tuple[str, ...] = ()

    def begin(self, leads_to: tuple[str, ...]) -> None:
        """Answer with these addresses from now on."""
        self._leads_to, self.calls = leads_to, 0

    async def __call__(self, host: str, port: int) -> Sequence[Family]:
        self.calls += 1
        try:
            return [family_of(socket.inet_ntoa(socket.inet_aton(host)))]
        except (OSError, UnicodeError):
            return [family_of(address) for address in self._leads_to]


def doors_of(make: ClientFactory, port: int) -> list[Door]:
    """Return a client for everybody three times, one that may reach loopback, one with an administrator's entry."""
    entry = f"http://127.0.0.1:{port}"
    options = [(WireOptions(connect_s=1), False, None)] * 3
    options += [
        (WireOptions(connect_s=1, allow_loopback=True), True, None),
        (WireOptions(connect_s=1, allowed_origins=frozenset({entry})), False, entry),
    ]
    doors: list[Door] = []
    for option, loopback, allowed in options:
        resolver = ScriptedResolver()
        doors.append(Door(make(option, lookup=resolver), resolver, loopback, allowed))
    return doors


def names_exactly(text: str, entry: str) -> bool:
    """Return whether an address means the entry's origin, by scheme, port and the digits of its host alone."""
    try:
        url = URL(text)
        return f"{url.scheme}://{url.raw_host}:{url.port}" == entry and url.user is None
    except (ValueError, LookupError):
        return False


class ChangingNames:
    """Asks for names whose addresses change from one look-up to the next."""

    name = "egress-rebinding"
    guarantee = "A name that changes its mind never gets a connection to an address that was not checked."
    trials = 20_000
    batch = 2_000
    sample = 300

    def run(self, batch: Batch) -> Tally:
        return on_scripted_net(lambda net: self._attack(batch, net, list(CLIENTS.values())))

    def control(self, batch: Batch) -> Tally:
        faults: dict[ClientFactory, str] = {asks_twice: "connected to", trusts_a_name: "connected to"}
        return caught(faults, lambda make: on_scripted_net(lambda net: self._attack(batch, net, [make])))

    def summary(self, tally: Tally) -> str:
        asked, answered = (int(sum(tally.figures.get(name, []))) for name in ("asked", "answered"))
        return f"{asked} requests, {answered} answered by checked addresses"

    async def _attack(self, batch: Batch, net: ScriptedNet, makers: list[ClientFactory]) -> Tally:
        tally = Tally()
        kept = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        async with (
            listening() as canaries,
            listening(("127.0.0.3",), kept) as good,
            listening(("::1",), kept) as good6,
        ):
            for address in PUBLIC:
                net.routes[address] = ("::1", good6.port) if ":" in address else ("127.0.0.3", good.port)
            for trial in range(batch.first, batch.first + batch.count):
                chance = batch.chance(trial)
                name = FickleName(chance)
                client = chance.choice(makers)(WireOptions(connect_s=1), lookup=name)
                net.attempts.clear()
                url = f"http://fickle.example:{canaries.port}/v1/models"
                for burst in range(chance.randint(1, 4)):
                    asked = [
                        ask(client, url, chance.random() < 0.5) for _ in range(chance.choice((1, 1, 2, 4)))
                    ]
                    answers = await asyncio.gather(*asked)
                    tally.note("asked", len(answers))
                    tally.note("answered", sum(status == 200 for status in answers))
                    tally.failures += [
                        f"trial {trial}: {status}" for status in answers if isinstance(status, str)
                    ]
                    del burst
                await client.close()
                tally.failures += [
                    f"trial {trial}: connected to {address}"
                    for address in net.attempts
                    if address not in name.checked
                ]
                if hits := canaries.take():
                    tally.failures.append(f"trial {trial}: the canary was reached: {hits}")
                tally.trials += 1
                batch.step()
        return tally


async def ask(client: WireClient, url: str, whole: bool) -> int | str:
    """Return the status, 0 for a typed refusal, or what else happened."""
    try:
        answer = await client.get_json(url, {})
        if whole:
            await answer.read_body()
        answer.close()
        return answer.status
    except (Rejected, Unreachable):
        return 0
    except Exception as error:
        return repr(error)


class FickleName:
    """A name with another answer at each look-up. `checked`: what a careful client may connect to."""

    def __init__(self, chance: random.Random) -> None:
        self.checked: set[str] = set()
        self._chance = chance

    async def __call__(self, host: str, port: int) -> Sequence[Family]:
        chance = self._chance
        found = [chance.choice(PUBLIC) for _ in range(chance.randint(1, 3))]
        if chance.random() < 0.5:
            found.insert(
                chance.randint(0, len(found)), chance.choice((*CANARIES, *CANARIES, *CARRIED, *DENIED))
            )
        else:
            self.checked |= set(found)
        await asyncio.sleep(0)
        return [family_of(address) for address in found]


def caught(faults: Mapping[ClientFactory, str], attack: Callable[[ClientFactory], Tally]) -> Tally:
    """Attack every careless client; return no failure at all where one of them did not show its own fault."""
    whole, seen = Tally(), list[str]()
    for make, harm in faults.items():
        tally = attack(make)
        whole.trials += tally.trials
        seen += [f"{make.__name__}: {it}" for it in tally.failures if harm in it][:1]  # pyright: ignore[reportAttributeAccessIssue]
    whole.failures = seen if len(seen) == len(faults) else []
    return whole


# ── planted faults ───────────────────────────────────────────────────────────────────────────────


class CarelessClient:
    """A small client whose door is two functions: one resolves a host, one says which literal is denied."""

    def __init__(self, resolve: Callable[[str, int], Any], denied: Callable[[str], bool]) -> None:
        self._resolve, self._denied = resolve, denied

    async def get_json(self, url: str, headers: Any) -> Any:
        try:
            target = URL(url)
            host, port = target.raw_host, target.port
            if target.user or not host or not port or target.scheme not in ("http", "https"):
                raise Rejected("no")
            for address in await self._addresses(host, port):
                with contextlib.suppress(OSError):
                    return await CarelessAnswer.over(address, port)
        except (OSError, ValueError, LookupError, OverflowError) as error:
            raise Unreachable("no") from error
        raise Unreachable("no")

    async def post_json(self, url: str, body: bytes, headers: Any) -> Any:
        return await self.get_json(url, headers)

    async def close(self) -> None:
        pass

    async def _addresses(self, host: str, port: int) -> Sequence[str]:
        try:
            ip_address(host)
        except ValueError:
            return [address for _, address in await self._resolve(host, port)]
        return [] if self._denied(host) else [host]


class CarelessAnswer:
    def __init__(self, status: int, writer: asyncio.StreamWriter) -> None:
        self.status = status
        self.close = writer.close

    @classmethod
    async def over(cls, address: str, port: int) -> "CarelessAnswer":
        reader, writer = await asyncio.open_connection(address, port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        answer = await reader.readline()
        return cls(int([*answer.split(), b"", b"0"][1]), writer)

    async def read_body(self) -> bytes:
        return b""


def is_wrong(address: str) -> bool:
    """Check an address by `is_global` alone."""
    return not ip_address(address.partition("%")[0]).is_global


def believes_is_global(options: WireOptions | None = None, *, lookup: Lookup | None = None) -> WireClient:
    """A door that thinks that `is_global` says it all."""

    async def resolve(host: str, port: int) -> Sequence[Family]:
        found = await lookup(host, port) if lookup else []
        return [] if any(is_wrong(address) for _, address in found) else found

    return CarelessClient(resolve, is_wrong)


def checks_the_first(options: WireOptions | None = None, *, lookup: Lookup | None = None) -> WireClient:
    """A door that looks at a name's first address only."""

    async def resolve(host: str, port: int) -> Sequence[Family]:
        found = await lookup(host, port) if lookup else []
        return [] if surely_denied(found[0][1]) else found

    return CarelessClient(resolve, surely_denied)


def asks_twice(options: WireOptions | None = None, *, lookup: Lookup | None = None) -> WireClient:
    """A door that resolves to check, and again to connect."""

    async def resolve(host: str, port: int) -> Sequence[Family]:
        found = await lookup(host, port) if lookup else []
        if any(surely_denied(address) for _, address in found):
            return []
        return await lookup(host, port) if lookup else []

    return CarelessClient(resolve, surely_denied)


def trusts_a_name(options: WireOptions | None = None, *, lookup: Lookup | None = None) -> WireClient:
    """A door that checks a name once and trusts it from then on."""
    trusted: set[str] = set()

    async def resolve(host: str, port: int) -> Sequence[Family]:
        found = await lookup(host, port) if lookup else []
        if host not in trusted and any(surely_denied(address) for _, address in found):
            return []
        trusted.add(host)
        return found

    return CarelessClient(resolve, surely_denied)


CAMPAIGNS = [OddAddresses(), ChangingNames()]
