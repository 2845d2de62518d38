"""Tests of what model servers say of their slots, over real sockets."""

import pytest

from parley.connectors.openai.slots import is_nearby, read_slots
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.upstream import ScriptedUpstream

HERE = WireOptions(allow_loopback=True)


async def slots_of(*answers: object, path: str = "/v1") -> tuple[int | None, list[str]]:
    """Return the slots that a server with these answers says, and the paths that were asked."""
    async with ScriptedUpstream() as up:
        for answer in answers:
            up.answer(answer, status=200 if answer else 404)  # pyright: ignore[reportArgumentType]
        client = HttpClient(HERE)
        try:
            slots = await read_slots(client, f"{up.origin}{path}", {})
        finally:
            await client.close()
        return slots, [request.path for request in up.requests]


async def test_a_llamacpp_server_says_its_slots_beside_its_api() -> None:
    assert await slots_of({"total_slots": 1}) == (1, ["/props"])
    assert await slots_of({"total_slots": 4}, path="/prefix/v1/") == (4, ["/prefix/props"])


async def test_other_servers_say_it_elsewhere() -> None:
    assert await slots_of("", {"max_running_requests": 8}) == (8, ["/props", "/get_server_info"])
    assert await slots_of("", "", {"max_concurrent_requests": 128}) == (
        128,
        ["/props", "/get_server_info", "/info"],
    )


@pytest.mark.parametrize(
    "odd", [{"total_slots": "1"}, {"total_slots": 0}, {"total_slots": True}, [1], "<html>"]
)
async def test_what_says_nothing_limits_nothing(odd: object) -> None:
    assert (await slots_of(odd))[0] is None


@pytest.mark.parametrize(
    ("host", "nearby"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("192.168.1.7", True),
        ("localhost", True),
        ("gpu", True),
        ("gpu.lan", True),
        ("api.openai.com", False),
        ("8.8.8.8", False),
        ("", False),
    ],
)
def test_only_servers_nearby_are_asked(host: str, nearby: bool) -> None:
    assert is_nearby(host) is nearby
