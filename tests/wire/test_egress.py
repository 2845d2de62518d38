"""The egress door: which addresses are reached, and which are not, by every client that there is."""

import socket
import traceback
from collections.abc import AsyncGenerator, Sequence

import pytest
import uvloop
from yarl import URL

from parley.kernel.errors import Rejected, Unreachable, UpstreamError
from parley.wire.deny_table import Grant
from parley.wire.egress import EgressPolicy, Lookup, checked_addresses, origin_of
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.clients import CLIENTS, ClientFactory, WireClient
from tests.fakes.upstream import Script, ScriptedUpstream

KEY = "s3cret-key-of-the-provider"


@pytest.fixture(params=CLIENTS)
def client_of(request: pytest.FixtureRequest) -> ClientFactory:
    """Every client, one after another."""
    return CLIENTS[request.param]


@pytest.fixture
async def upstream() -> AsyncGenerator[ScriptedUpstream]:
    async with ScriptedUpstream() as upstream:
        yield upstream


async def ask(client: WireClient, url: str) -> int:
    answer = await client.get_json(url, {"Authorization": f"Bearer {KEY}"})
    answer.close()
    return answer.status


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://API.Example.org/v1", "https://api.example.org:443"),
        ("http://10.0.0.5:8000/v1?x=1", "http://10.0.0.5:8000"),
        ("http://example.org.:80", "http://example.org:80"),
        ("http://[::1]:8000/v1", "http://[::1]:8000"),
        ("https://bücher.example/", "https://xn--bcher-kva.example:443"),
        ("https://XN--Bcher-kva.example/", "https://xn--bcher-kva.example:443"),
        ("http://ｇｏｏｄ．example:80/", "http://good.example:80"),
    ],
)
def test_an_origin_is_written_in_one_way(url: str, origin: str) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    "url", ["ftp://x.org", "file:///etc/passwd", "x.org/v1", "http://", "", "http://x:99999/", "//x"]
)
def test_what_is_no_web_address_is_refused(url: str) -> None:
    with pytest.raises(Rejected):
        origin_of(url)


def answering(*addresses: str) -> Lookup:
    async def lookup(host: str, port: int) -> Sequence[tuple[int, str]]:
        return [(socket.AF_INET6 if ":" in address else socket.AF_INET, address) for address in addresses]

    return lookup


async def test_a_name_is_refused_if_any_of_its_addresses_is() -> None:
    with pytest.raises(Rejected):
        await checked_addresses("two-faced.example", 443, Grant.PUBLIC, answering("1.1.1.1", "10.0.0.1"))


async def test_only_the_checked_addresses_are_handed_on() -> None:
    lookup = answering("1.1.1.1", "2606:4700::1")
    found = await checked_addresses("fine.example", 443, Grant.PUBLIC, lookup)
    assert [address.host for address in found] == ["1.1.1.1", "2606:4700::1"]


async def test_the_positive_control_loopback_is_reached_where_it_is_allowed(
    upstream: ScriptedUpstream, client_of: ClientFactory
) -> None:
    client = client_of(WireOptions(allow_loopback=True))
    assert await ask(client, f"{upstream.url}/models") == 200
    assert await ask(client, f"http://localhost:{upstream.port}/v1/models") == 200
    await client.close()


async def test_an_allowed_origin_is_reached_and_its_neighbours_are_not(
    upstream: ScriptedUpstream, client_of: ClientFactory
) -> None:
    async with ScriptedUpstream() as neighbour:
        client = client_of(WireOptions(allowed_origins=frozenset({f"{upstream.origin}/v1"})))
        assert await ask(client, f"{upstream.url}/models") == 200
        for denied in (
            neighbour.url,
            f"http://localhost:{upstream.port}/v1",
            f"https://127.0.0.1:{upstream.port}/v1",
        ):
            with pytest.raises(Rejected):
                await ask(client, f"{denied}/models")
        assert neighbour.total_connections == 0
        await client.close()


async def test_origins_that_change_hold_for_the_next_request(upstream: ScriptedUpstream) -> None:
    client = HttpClient(WireOptions(allowed_origins=frozenset({upstream.origin})))
    try:
        assert await ask(client, upstream.url + "/models") == 200
        client.allow(["http://127.0.0.1:1"])
        with pytest.raises(Rejected):
            await ask(client, upstream.url + "/models")
        with pytest.raises(Rejected):
            client.allow([upstream.origin, "no address"])
        with pytest.raises(Rejected):
            await ask(client, upstream.url + "/models")
        client.allow([upstream.url])
        assert await ask(client, upstream.url + "/models") == 200
    finally:
        await client.close()
    assert len(upstream.requests) == 2


def test_an_entry_opens_exactly_its_origin() -> None:
    door = EgressPolicy(allowed_origins=["http://10.0.0.5:8000/v1"])
    assert door.grant_for(URL("http://10.0.0.5:8000/v1/models")) is Grant.PRIVATE
    for other in ("http://10.0.0.5:8001/", "https://10.0.0.5:8000/", "http://10.0.0.6:8000/"):
        with pytest.raises(Rejected):
            door.grant_for(URL(other))
    named = EgressPolicy(allowed_origins=["http://models.example:8000"])
    assert named.grant_for(URL("http://MODELS.example.:8000/v1")) is Grant.PRIVATE
    for other in (
        "http://models.example/",
        "http://a.models.example:8000/",
        "http://models.example.evil:8000/",
    ):
        assert named.grant_for(URL(other)) is Grant.PUBLIC


# ── ways of writing an address ───────────────────────────────────────────────────────────────────

LITERALS = [
    "127.0.0.1", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::ffff:127.0.0.1]", "[::FFFF:7f00:1]", "[::127.0.0.1]",
    "[::]", "0.0.0.0", "0.0.0.1", "169.254.169.254", "[fd00:ec2::254]", "100.100.100.200", "10.0.0.1", "192.0.0.192",
    "[64:ff9b::7f00:1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::1]", "[2001:0:7f00:1::1]", "[2606:4700::5efe:7f00:1]",
    "[fe80::1%25lo]", "[fe80::1%lo]", "[::1%25lo]", "[::1%1]", "[fec0::1]", "[fd00::2]", "255.255.255.255", "224.0.0.1",
]  # fmt: skip
NUMBERS = [
    "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0X7F.0.0.1", "0x7f.0x0.0x0.0x1", "0177.0.0.1",
    "017700000001", "0177.1", "127.0.0.01", "127.0.0.0x1", "00000177.0.0.1", "0", "1", "0x", "127.0.0.1.",
    "2130706433.", "0x7f.1.", "127.0.0.1..", "127..1", ".127.0.0.1", "127.0.0.1.0", "256.256.256.256", "4294967296",
    "[v1.127.0.0.1]", "[127.0.0.1]", "example.127", "a.0x7f",
]  # fmt: skip
OTHER_SCRIPTS = [
    "１２７.0.0.1", "１２７．０．０．１", "127。0。0。1", "127｡0｡0｡1",
    "①②⑦.⓪.⓪.①", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "２１３０７０６４３３",
    "0ｘ7f.1", "loc\u00adalhost", "local\u200bhost", "lo\u2060calhost", "127.0.0.1\u200b", "[：：1]",
]  # fmt: skip
TRICKS = [
    "good.example@127.0.0.1", "good.example:80@127.0.0.1", "good.example%40127.0.0.1", "127.0.0.1%2f@good.example",
    "@127.0.0.1", ":@127.0.0.1", "user:key@good.example", "127.0.0.1\\@good.example", "good.example\\@127.0.0.1",
    "127.0.0.1\\.good.example", "\t127.0.0.1", "127.0.0\n.1", "127.0.0.1\r\n", " 127.0.0.1",
    "127.0.0.1 ", "127.0.0.1%00",
    "127.0.0.1%20", "%31%32%37.0.0.1", "loc%61lhost", "127%2e0%2e0%2e1", "good.example%00.127.0.0.1",
    "[::1]good.example", "good.example[::1]", "[::1]@good.example", "a..b", "", ".", "..",
    "good.example,127.0.0.1", "good!example",
    "good.example;@127.0.0.1", "/127.0.0.1", "//127.0.0.1", "${HOST}", "*", "xn--localhost-",
]  # fmt: skip
SPELLINGS = LITERALS + NUMBERS + OTHER_SCRIPTS + TRICKS


@pytest.mark.parametrize("scheme", ["http", "HtTp"])
@pytest.mark.parametrize("host", SPELLINGS, ids=ascii)
async def test_no_way_of_writing_an_address_gets_around_the_door(
    upstream: ScriptedUpstream, client_of: ClientFactory, host: str, scheme: str
) -> None:
    client = client_of(WireOptions(connect_s=1), lookup=as_operating_systems_do)
    with pytest.raises(Rejected):
        await ask(client, f"{scheme}://{host}:{upstream.port}/v1/models")
    await client.close()
    assert upstream.total_connections == 0


@pytest.mark.parametrize("name", CLIENTS)
def test_no_way_of_writing_an_address_gets_around_the_door_on_the_servers_own_loop(name: str) -> None:
    async def attack() -> int:
        async with ScriptedUpstream() as upstream:
            client = CLIENTS[name](WireOptions(connect_s=1))
            for host in [*SPELLINGS, "localhost", "LOCALHOST."]:
                with pytest.raises((Rejected, Unreachable)):
                    await ask(client, f"http://{host}:{upstream.port}/v1/models")
            await client.close()
            return upstream.total_connections

    assert uvloop.run(attack()) == 0


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://good.example#@127.0.0.1/", "good.example"),
        ("http://good.example?@127.0.0.1/", "good.example"),
        ("http://good.example/@127.0.0.1/", "good.example"),
        ("http://good.example/\\@127.0.0.1/", "good.example"),
        ("http://good.example/http://127.0.0.1/", "good.example"),
        ("http://127.0.0.1.good.example/", "127.0.0.1.good.example"),
        ("http://good_host.example-/", "good_host.example-"),
        ("HTTP://GOOD.example./", "good.example."),
        ("http://bücher.example/", "xn--bcher-kva.example"),
        ("http://ｇｏｏｄ．example/", "good.example"),
    ],
)
async def test_the_name_that_is_looked_up_is_the_one_that_was_meant(
    client_of: ClientFactory, url: str, host: str
) -> None:
    asked: list[str] = []

    async def lookup(name: str, port: int) -> Sequence[tuple[int, str]]:
        asked.append(name)
        return [(socket.AF_INET, "10.0.0.1")]

    client = client_of(lookup=lookup)
    with pytest.raises(Rejected):
        await ask(client, url)
    await client.close()
    assert asked == [host]


@pytest.mark.parametrize(
    "url", ["http://[]@/v1", "http://x@[::1]:80@/", "http://[", "http://x:y:z/", "", "::", "\x00"]
)
async def test_what_cannot_be_read_as_an_address_is_refused(client_of: ClientFactory, url: str) -> None:
    client = client_of()
    with pytest.raises(Rejected):
        await ask(client, url)
    with pytest.raises(Rejected):
        origin_of(url)
    await client.close()


@pytest.mark.parametrize(
    "host", ["1.1.1.1", "[2606:4700::1111]", "good.example", "[::ffff:8.8.8.8]", "a" * 63 + ".example"]
)
def test_public_hosts_pass(host: str) -> None:
    assert EgressPolicy().grant_for(URL(f"https://{host}/v1")) is Grant.PUBLIC


async def test_a_name_that_leads_into_the_own_network_is_not_followed(
    upstream: ScriptedUpstream, client_of: ClientFactory
) -> None:
    for addresses in (["127.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["::ffff:127.0.0.1"], ["2606:4700::1", "::1"]):
        client = client_of(WireOptions(), lookup=answering(*addresses))
        with pytest.raises(Rejected) as caught:
            await ask(client, f"http://rebinding.example:{upstream.port}/v1/models")
        assert caught.value.problem.code == "upstream_address_denied"
        await client.close()
    assert upstream.total_connections == 0


# ── redirects, proxies, headers ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("status", [300, 301, 302, 303, 305, 307, 308])
@pytest.mark.parametrize(
    "where",
    ["{other}/v1/models", "//{bare}/v1/models", "{own}/v1/elsewhere", "/v1/elsewhere", "https://127.0.0.1:1/",
     "http://169.254.169.254/latest", "http://user:pass@{bare}/", "ftp://{bare}/", "",
     "\\\\{bare}\\", "javascript:alert(1)"],
)  # fmt: skip
async def test_no_redirect_is_followed_and_no_key_goes_along(
    upstream: ScriptedUpstream, client_of: ClientFactory, status: int, where: str
) -> None:
    async with ScriptedUpstream() as other:
        target = where.format(other=other.origin, bare=f"127.0.0.1:{other.port}", own=upstream.origin)
        moved = Script((b"moved",), status, {"Location": target, "Refresh": f"0; url={target}"})
        upstream.lists_with(moved).script(moved)
        client = client_of(WireOptions(allow_loopback=True))
        bearer = {"Authorization": f"Bearer {KEY}"}
        for send in (
            client.get_json(f"{upstream.url}/models", bearer),
            client.post_json(f"{upstream.url}/chat/completions", b"{}", bearer),
        ):
            with pytest.raises(Rejected) as caught:
                await send
            assert caught.value.problem.code == "upstream_redirect"
            assert KEY not in "".join(traceback.format_exception(caught.value))
        await client.close()
        assert (len(upstream.requests), other.total_connections) == (2, 0)


async def test_proxy_variables_are_ignored(
    upstream: ScriptedUpstream, client_of: ClientFactory, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    async with ScriptedUpstream() as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "WS_PROXY"):
            monkeypatch.setenv(name, proxy.origin)
            monkeypatch.setenv(name.lower(), proxy.origin)
        monkeypatch.setenv("NO_PROXY", "")
        monkeypatch.setenv("no_proxy", "")
        (tmp_path / ".netrc").write_text("default login somebody password netrc-secret\n")
        monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
        monkeypatch.setenv("HOME", str(tmp_path))
        client = client_of(WireOptions(allow_loopback=True, connect_s=1))
        assert await ask(client, f"{upstream.url}/models") == 200
        answer = await client.get_json(f"http://localhost:{upstream.port}/v1/models", {})
        answer.close()
        with pytest.raises(Unreachable):
            await ask(client, "https://localhost:9/v1/models")
        await client.close()
        assert proxy.total_connections == 0
        assert "authorization" not in upstream.requests[1].headers


@pytest.mark.parametrize(
    "mark", ["\r\nX-Planted: 1", "\nX-Planted: 1", "\rX-Planted: 1", "\r\n\r\nGET /planted HTTP/1.1", "\x00"]
)
async def test_a_key_or_an_address_cannot_add_a_header_or_a_request(
    upstream: ScriptedUpstream, client_of: ClientFactory, mark: str
) -> None:
    client = client_of(WireOptions(allow_loopback=True))
    for headers in ({"Authorization": f"Bearer {KEY}{mark}"}, {f"X-Name{mark}": "x"}):
        with pytest.raises(UpstreamError) as caught:
            (await client.get_json(f"{upstream.url}/models", headers)).close()
        assert KEY not in "".join(traceback.format_exception(caught.value))
    assert upstream.requests == []
    for path in (f"models{mark}", f"models?x={mark}", f"models#{mark}"):
        try:
            answer = await client.get_json(f"{upstream.url}/{path}", {})
        except UpstreamError:
            continue
        answer.close()
    await client.close()
    assert all("x-planted" not in request.headers for request in upstream.requests)
    assert all(
        " " not in request.path and request.path.startswith("/v1/models") for request in upstream.requests
    )


async def as_operating_systems_do(host: str, port: int) -> Sequence[tuple[int, str]]:
    """Read every odd number as an address, as the resolvers of operating systems do; names lead to loopback."""
    try:
        return [(socket.AF_INET, socket.inet_ntoa(socket.inet_aton(host.rstrip("."))))]
    except OSError:
        return [(socket.AF_INET, "127.0.0.1")]
