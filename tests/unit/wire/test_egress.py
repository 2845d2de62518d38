"""The egress door: which addresses are reached, and which are not."""

import socket
from collections.abc import Sequence

import pytest

from parley.kernel.errors import Rejected, Unreachable
from parley.wire.deny_table import Grant, refusal
from parley.wire.egress import DoorResolver, EgressDoor, Lookup, origin_of
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.upstream import ScriptedUpstream

DENIED_TO_ALL = [
    "169.254.169.254", "169.254.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192", "0.0.0.0", "0.1.2.3",
    "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "fe80::1", "ff02::1",
    "fd00:ec2::254",
    "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "::a9fe:a9fe", "fe80::1%eth0", "100::1",
    "4000::1", "not an address",
]  # fmt: skip
DENIED_TO_THE_PUBLIC = [
    "10.0.0.5", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255",
    "192.0.2.1", "198.51.100.1", "203.0.113.1",
    "198.18.0.1", "198.19.255.255", "192.88.99.1", "fc00::1", "fd12::1",
    "fec0::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "64:ff9b::808:808", "64:ff9b:1::1",
    "2002:a00:1::", "2002:808:808::1",
    "2001::1", "2001:db8::1", "3fff::1",
]  # fmt: skip
LOOPBACK = ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"]
PUBLIC = ["1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.0.1.1",
          "126.0.0.1",
          "128.0.0.1", "11.0.0.1", "2606:4700::1111", "2a00:1450::1", "2001:4860:4860::8888",
          "::ffff:8.8.8.8"]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_reached(address: str) -> None:
    assert refusal(address, Grant.PUBLIC) is None


@pytest.mark.parametrize("address", LOOPBACK)
def test_loopback_needs_personal_mode_or_an_entry(address: str) -> None:
    assert refusal(address, Grant.PUBLIC)
    assert refusal(address, Grant.LOOPBACK) is None


@pytest.mark.parametrize("address", DENIED_TO_THE_PUBLIC)
def test_private_addresses_need_an_entry_of_the_administrator(address: str) -> None:
    assert refusal(address, Grant.PUBLIC)
    assert refusal(address, Grant.LOOPBACK)
    assert refusal(address, Grant.PRIVATE) is None


@pytest.mark.parametrize("address", DENIED_TO_ALL)
def test_some_addresses_are_reached_by_nobody(address: str) -> None:
    assert refusal(address, Grant.PRIVATE)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://API.Example.org/v1", "https://api.example.org:443"),
        ("http://10.0.0.5:8000/v1?x=1", "http://10.0.0.5:8000"),
        ("http://example.org.:80", "http://example.org:80"),
        ("http://[::1]:8000/v1", "http://[::1]:8000"),
        ("https://bücher.example/", "https://bücher.example:443"),
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
        await DoorResolver(Grant.PUBLIC, answering("1.1.1.1", "10.0.0.1")).resolve("two-faced.example", 443)


async def test_only_the_checked_addresses_are_handed_on() -> None:
    found = await DoorResolver(Grant.PUBLIC, answering("1.1.1.1", "2606:4700::1")).resolve(
        "fine.example", 443
    )
    assert [(entry["host"], entry["port"]) for entry in found] == [("1.1.1.1", 443), ("2606:4700::1", 443)]


async def ask(client: HttpClient, url: str) -> int:
    answer = await client.get_json(url, {})
    answer.close()
    return answer.status


@pytest.fixture
async def upstream():
    async with ScriptedUpstream() as upstream:
        yield upstream


async def test_the_positive_control_loopback_is_reached_where_it_is_allowed(
    upstream: ScriptedUpstream,
) -> None:
    client = HttpClient(WireOptions(allow_loopback=True))
    assert await ask(client, f"{upstream.url}/models") == 200
    assert await ask(client, f"http://localhost:{upstream.port}/v1/models") == 200
    await client.close()


async def test_an_allowed_origin_is_reached_and_its_neighbours_are_not(upstream: ScriptedUpstream) -> None:
    async with ScriptedUpstream() as neighbour:
        client = HttpClient(WireOptions(allowed_origins=frozenset({f"{upstream.origin}/v1"})))
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


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "[::1]", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::ffff:127.0.0.1]",
     "0.0.0.0",
     "169.254.169.254", "10.0.0.1", "[64:ff9b::7f00:1]"],
)  # fmt: skip
async def test_no_way_of_writing_an_address_gets_around_the_door(
    upstream: ScriptedUpstream, host: str
) -> None:
    client = HttpClient(WireOptions(connect_s=1))
    with pytest.raises((Rejected, Unreachable)):
        await ask(client, f"http://{host}:{upstream.port}/v1/models")
    await client.close()
    assert upstream.total_connections == 0


async def test_a_name_that_leads_into_the_own_network_is_not_followed(upstream: ScriptedUpstream) -> None:
    client = HttpClient(WireOptions(), lookup=answering("127.0.0.1"))
    with pytest.raises(Rejected) as caught:
        await ask(client, f"http://rebinding.example:{upstream.port}/v1/models")
    assert caught.value.problem.code == "upstream_address_denied"
    assert upstream.total_connections == 0
    await client.close()


async def test_an_address_with_credentials_is_refused() -> None:
    with pytest.raises(Rejected):
        await ask(HttpClient(), "https://user:secret@example.org/v1/models")


def test_an_entry_opens_exactly_its_origin() -> None:
    from yarl import URL

    door = EgressDoor(allowed_origins=["http://10.0.0.5:8000/v1"])
    assert door.grant_for(URL("http://10.0.0.5:8000/v1/models")) is Grant.PRIVATE
    for other in ("http://10.0.0.5:8001/", "https://10.0.0.5:8000/", "http://10.0.0.6:8000/"):
        with pytest.raises(Rejected):
            door.grant_for(URL(other))
