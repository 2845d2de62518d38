"""Tests of sign-in at a server of tools, against what a hostile server or authorization server can say."""

import time
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from pydantic import ValidationError

from parley.kernel.errors import ParleyError, Unavailable, Unknown
from parley.wire.http import HttpClient, WireOptions
from parley.wire.tool_servers import ToolServerSetting
from parley.wire.tool_sign_in import MOST_BYTES, Refused, ToolSignIn
from parley.wire.tool_tokens import Arrival, Journey
from tests.fakes.mcp_signed import SignedServer, a_signed_server, query_of

BACK = "http://127.0.0.1:1/api/tools/servers/signed/back"
RESOURCE = "/.well-known/oauth-protected-resource/mcp"
DESCRIPTION = "/.well-known/oauth-authorization-server"


@pytest.fixture
async def server() -> AsyncGenerator[SignedServer]:
    async with a_signed_server() as server:
        yield server


def client_of(server: SignedServer, **more: Any) -> ToolSignIn:
    setting = ToolServerSetting(name="signed", title="Signed", url=server.url, **more)
    allowed = frozenset((server.url, *setting.sign_in_at))
    return ToolSignIn(setting, HttpClient(WireOptions(allowed_origins=allowed)))


async def begin(client: ToolSignIn) -> tuple[str, Journey]:
    return await client.begin(BACK, time.time() + 600)


def described(server: SignedServer, **more: object) -> dict[str, object]:
    """Return what the authorization server says of itself, with changes."""
    own: dict[str, object] = {
        "issuer": server.origin,
        "authorization_endpoint": f"{server.origin}/authorize",
        "token_endpoint": f"{server.origin}/token",
        "registration_endpoint": f"{server.origin}/register",
        "token_endpoint_auth_methods_supported": ["client_secret_post"],
        "code_challenge_methods_supported": ["S256"],
    }
    return {**own, **more}


async def test_the_address_has_pkce_a_state_and_the_resource(server: SignedServer) -> None:
    client = client_of(server)
    address, journey = await begin(client)
    query = query_of(address)
    assert address.startswith(f"{server.origin}/authorize?")
    assert (query["code_challenge_method"], query["resource"]) == ("S256", server.url)
    assert query["state"] == journey.state != (await begin(client))[1].state
    assert journey.verifier not in address
    back = query_of(await server.consent(address))
    tokens = await client.finish(journey, Arrival(back["code"], back["state"], "", ""))
    assert server.accounts.access[tokens.access].resource == server.url
    await client.close()


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"resource": "https://elsewhere.example/mcp"}, "says that it is https://elsewhere"),
        ({"authorization_servers": ["http://169.254.169.254"]}, "169.254.169.254 is not where"),
        ({"authorization_servers": ["http://elsewhere.example"]}, "elsewhere.example is not where"),
        ({"authorization_servers": ["https://10.0.0.1"]}, "not allowed to reach"),
        ({"authorization_servers": ["https://127.0.0.1:9"]}, "not allowed to reach"),
        ({"authorization_servers": ["https://2130706433"]}, "not allowed to reach"),
        ({"authorization_servers": []}, "its answer is not right"),
        ({"authorization_servers": ["javascript:alert(1)"]}, "its answer is not right"),
    ],
)
async def test_a_server_that_names_a_bad_authorization_server_is_refused(
    server: SignedServer, wrong: dict[str, object], why: str
) -> None:
    own: dict[str, object] = {"resource": server.url, "authorization_servers": [server.origin]}
    server.answers[RESOURCE] = (200, {}, {**own, **wrong})
    client = client_of(server)
    with pytest.raises(ParleyError, match=why):
        await begin(client)
    assert "/register" not in server.asked
    await client.close()


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"issuer": "https://accounts.example"}, "says that it is https://accounts.example"),
        ({"authorization_endpoint": "https://192.168.0.1/go"}, "not allowed to reach"),
        ({"authorization_endpoint": "http://elsewhere.example/go"}, "elsewhere.example is not where"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "its answer is not right"),
        ({"token_endpoint": "http://169.254.169.254/token"}, "169.254.169.254 is not where"),
        ({"registration_endpoint": "https://10.0.0.1/register"}, "not allowed to reach"),
        ({"registration_endpoint": None}, "the settings must name a client_id"),
        ({"code_challenge_methods_supported": None}, "does not offer PKCE"),
        ({"code_challenge_methods_supported": ["plain"]}, "does not offer PKCE"),
        ({"service_documentation": f"https://x.example/{'x' * MOST_BYTES}"}, "Can't sign in"),
        (["nothing"], "its answer is not right"),
    ],
)
async def test_an_authorization_server_that_describes_itself_badly_is_refused(
    server: SignedServer, wrong: Any, why: str
) -> None:
    body = described(server, **wrong) if isinstance(wrong, dict) else wrong
    server.answers[DESCRIPTION] = (200, {}, body)
    client = client_of(server)
    with pytest.raises(ParleyError, match=why):
        await begin(client)
    assert "/authorize" not in server.asked
    await client.close()


@pytest.mark.parametrize("path", [RESOURCE, DESCRIPTION, "/register"])
async def test_no_redirect_is_followed(server: SignedServer, path: str) -> None:
    server.answers[path] = (302, {"location": f"{server.origin}/trap"}, {})
    client = client_of(server)
    with pytest.raises(ParleyError):
        await begin(client)
    assert "/trap" not in server.asked
    await client.close()


async def test_the_place_of_the_metadata_that_a_server_names_is_checked_too(server: SignedServer) -> None:
    named = 'Bearer resource_metadata="http://169.254.169.254/latest/meta-data"'
    server.answers["/mcp"] = (401, {"www-authenticate": named}, {})
    client = client_of(server)
    with pytest.raises(Refused, match=r"169\.254\.169\.254 is not where"):
        await begin(client)
    await client.close()


async def test_what_comes_back_for_another_state_or_from_another_issuer_is_refused(
    server: SignedServer,
) -> None:
    client = client_of(server)
    address, journey = await begin(client)
    back = query_of(await server.consent(address))
    with pytest.raises(Unknown, match="not the one that was begun last"):
        await client.finish(journey, Arrival(back["code"], "another", "", ""))
    with pytest.raises(Refused, match="another authorization server answered"):
        await client.finish(journey, Arrival(back["code"], back["state"], "https://evil.example", ""))
    with pytest.raises(Refused, match="access_denied"):
        await client.finish(journey, Arrival("", back["state"], "", "access_denied"))
    assert "/token" not in server.asked
    server.answers[DESCRIPTION] = (
        200,
        {},
        described(server, authorization_response_iss_parameter_supported=True),
    )
    address, journey = await begin(client)
    back = query_of(await server.consent(address))
    with pytest.raises(Refused, match="another authorization server answered"):
        await client.finish(journey, Arrival(back["code"], back["state"], "", ""))
    await client.finish(journey, Arrival(back["code"], back["state"], server.origin, ""))
    await client.close()


@pytest.mark.parametrize("token", ["two\r\nX-Evil: yes", "", "ä", "x" * 20_000])
async def test_a_token_that_no_request_can_carry_is_refused(server: SignedServer, token: str) -> None:
    client = client_of(server)
    address, journey = await begin(client)
    back = query_of(await server.consent(address))
    server.answers["/token"] = (200, {}, {"access_token": token, "token_type": "Bearer"})
    with pytest.raises(Refused, match="not one that a request can carry"):
        await client.finish(journey, Arrival(back["code"], back["state"], "", ""))
    await client.close()


async def test_a_named_client_is_shown_to_the_named_origins_alone(server: SignedServer) -> None:
    named = {"client_id": "ours", "client_secret": "s", "sign_in_at": (server.origin,)}
    client = client_of(server, **named)
    _, journey = await begin(client)
    assert (journey.grantor.client_id, journey.grantor.method) == ("ours", "client_secret_post")
    assert "/register" not in server.asked
    server.answers[DESCRIPTION] = (200, {}, described(server, token_endpoint="https://evil.example/token"))
    with pytest.raises(Refused, match=r"evil\.example is not where"):
        await begin(client)
    await client.close()
    with pytest.raises(ValidationError, match="needs sign_in_at"):
        client_of(server, client_id="ours")


async def test_an_error_of_a_server_is_not_taken_for_one_without_metadata(server: SignedServer) -> None:
    server.answers[RESOURCE] = (503, {}, {})
    client = client_of(server)
    with pytest.raises(Unavailable, match="answered 503"):
        await begin(client)
    await client.close()
