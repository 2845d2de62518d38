"""Sign-in at a server of tools, against a real one: each person has their own, and nobody gets another's."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from parley.connectors.demo import catalog
from parley.features.accounts.service import AccountsService
from parley.features.catalog.providers import ProvidersService
from parley.features.tools.routes import JOURNEY_COOKIE
from parley.features.tools.service import SessionToolbox
from parley.features.tools.sign_in.repository import SignInRepository
from parley.features.tools.sign_in.service import ToolSignIns
from parley.features.tools.sources import SignInNeeded
from parley.features.tools.tables import ToolSignInRow
from parley.kernel.toolbox import ToolScene
from parley.kernel.tools import ToolCallView, ToolResult
from parley.storage.database import Database
from tests.api.test_tables import ask
from tests.fakes.mcp_signed import NAVIGATES, SignedServer, a_signed_server, arrive
from tests.fakes.people import SharedParley, a_shared_parley, hash_quickly
from tests.fakes.running import RunningParley, a_running_parley


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


@pytest.fixture
async def server() -> AsyncGenerator[SignedServer]:
    async with a_signed_server() as server:
        yield server


def setting(server: SignedServer, **more: Any) -> list[dict[str, Any]]:
    return [{"name": "signed", "title": "Signed", "url": server.url, **more}]


@asynccontextmanager
async def shared_with(server: SignedServer, folder: Path, **more: Any) -> AsyncGenerator[SharedParley]:
    async with a_shared_parley(folder, tool_servers=setting(server, **more)) as shared:
        yield shared


class Owner(NamedTuple):
    """The one person of a personal installation."""

    parley: RunningParley
    id: str


async def call(parley: RunningParley, person_id: str, name: str = "signed_whoami") -> ToolResult:
    """Run a tool as it runs in a person's session."""
    scene = ToolScene(
        owner_id=person_id, asker_id=person_id, session_id="none", turn_id="none", question="", quiet=False
    )
    view = ToolCallView(id="c", reply_id="r", round=0, attempt=1, name=name, arguments="{}")
    return await parley.application[SessionToolbox].run(scene, view, {})


async def test_a_person_signs_in_calls_as_themselves_and_signs_out(
    server: SignedServer, tmp_path: Path
) -> None:
    async with a_running_parley(tmp_path, tool_servers=setting(server)) as parley:
        listed = await parley.get("/api/tools")
        assert listed["servers"] == [
            {
                "name": "signed",
                "title": "Signed",
                "wants_sign_in": True,
                "issuer": None,
                "signed_in_at": None,
            }
        ]
        assert listed["failures"] == {}
        assert await server.sign_in(parley.client, "ada") == "/settings"
        listed = await parley.get("/api/tools")
        assert listed["servers"][0]["issuer"] == server.origin
        assert listed["servers"][0]["wants_sign_in"] is False
        assert "signed_whoami" in [tool["name"] for tool in listed["tools"]]
        me = (await parley.get("/api/me"))["person"]["id"]
        assert (await call(parley, me)).text == "ada"
        assert (await parley.client.delete("/api/tools/servers/signed/sign-in")).status_code == 204
        assert server.accounts.refresh == {}, "revoked there"
        assert (await parley.get("/api/tools"))["servers"][0]["wants_sign_in"] is True


@pytest.fixture
async def personal(
    server: SignedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Owner]:
    monkeypatch.setattr(catalog, "DEMO_URL", "demo://?speed=1000")
    async with a_running_parley(tmp_path, tool_servers=setting(server), demo_models="on") as parley:
        yield Owner(parley, (await parley.get("/api/me"))["person"]["id"])


async def test_each_person_has_their_own_sign_in_and_sees_nobody_elses(
    server: SignedServer, tmp_path: Path
) -> None:
    async with shared_with(server, tmp_path) as shared:
        ada, ben = await shared.person("Ada"), await shared.person("Ben")
        await server.sign_in(ada.client, "ada")
        assert (await ben.get("/api/tools"))["servers"][0]["issuer"] is None
        with pytest.raises(SignInNeeded):
            await call(shared.parley, ben.id)
        await server.sign_in(ben.client, "ben")
        answers = [(await call(shared.parley, person.id)).text for person in (ada, ben, ada)]
        assert answers == ["ada", "ben", "ada"]
        await ada.send("DELETE", "/api/tools/servers/signed/sign-in", status=204)
        await ada.send("DELETE", "/api/tools/servers/signed/sign-in", status=404)
        assert (await call(shared.parley, ben.id)).text == "ben"
        with pytest.raises(SignInNeeded):
            await call(shared.parley, ada.id)


async def test_nobody_finishes_what_another_began(server: SignedServer, tmp_path: Path) -> None:
    async with shared_with(server, tmp_path) as shared:
        ada, ben = await shared.person("Ada"), await shared.person("Ben")
        begun = await ada.send("POST", "/api/tools/servers/signed/sign-in", {"back": "/settings"})
        server.accounts.account = "ada"
        back = await server.consent(begun["address"])
        path = "/api/tools/servers/signed/back"
        assert "sign-in-failed" in await arrive(ben.client, back), "without what Ada's browser keeps"
        ben.client.cookies.set(JOURNEY_COOKIE, ada.client.cookies[JOURNEY_COOKIE], path=path)
        assert "sign-in-failed" in await arrive(ben.client, back), "with it too"
        assert "sign-in-failed" in await arrive(shared.parley.visitor(), back), "nobody is signed in"
        assert (await ben.get("/api/tools"))["servers"][0]["issuer"] is None
        assert server.accounts.access == {}, "the code was shown to nobody"
        assert await arrive(ada.client, back) == "/settings"
        assert "sign-in-failed" in await arrive(ada.client, back), "once only"
        assert (await call(shared.parley, ada.id)).text == "ada"


async def test_tokens_that_are_moved_to_another_person_or_address_do_not_open(
    server: SignedServer, tmp_path: Path
) -> None:
    async with shared_with(server, tmp_path) as shared:
        ada, ben = await shared.person("Ada"), await shared.person("Ben")
        await server.sign_in(ada.client, "ada")
        database = shared.parley.application[Database]
        row = await database.read(lambda it: SignInRepository(it).find(ada.id, "signed"))
        assert row is not None
        assert not [token for token in server.accounts.access if token.encode() in row.sealed]
        values = {name: getattr(row, name) for name in ToolSignInRow.c.keys()}  # noqa: SIM118 - columns
        moved = ToolSignInRow(**{**values, "person_id": ben.id})
        await database.write(lambda it: SignInRepository(it).put(moved))
        with pytest.raises(SignInNeeded):
            await call(shared.parley, ben.id)


async def test_an_expired_token_is_renewed_once_however_many_call(
    server: SignedServer, personal: Owner
) -> None:
    server.accounts.lasts_s = 1
    await server.sign_in(personal.parley.client, "ada")
    server.accounts.lasts_s = 3600
    answers = await asyncio.gather(*(call(personal.parley, personal.id) for _ in range(6)))
    assert {answer.text for answer in answers} == {"ada"}
    assert server.accounts.renewals == 1


async def test_a_token_that_ends_before_its_time_is_renewed_and_an_ended_sign_in_asks_again(
    server: SignedServer, personal: Owner
) -> None:
    await server.sign_in(personal.parley.client, "ada")
    assert (await call(personal.parley, personal.id)).text == "ada"
    server.accounts.end_tokens("ada")
    assert (await call(personal.parley, personal.id)).text == "ada"
    assert server.accounts.renewals == 1
    server.accounts.end_tokens("ada")
    server.accounts.refresh.clear()
    with pytest.raises(SignInNeeded):
        await call(personal.parley, personal.id)
    listed = (await personal.parley.get("/api/tools"))["servers"][0]
    assert (listed["wants_sign_in"], listed["issuer"]) == (True, None)
    await server.sign_in(personal.parley.client, "another")
    assert (await call(personal.parley, personal.id)).text == "another"


async def test_an_outage_of_the_authorization_server_ends_no_sign_in(
    server: SignedServer, personal: Owner
) -> None:
    await server.sign_in(personal.parley.client, "ada")
    server.accounts.end_tokens("ada")
    server.answers["/token"] = (503, {}, {})
    listed = await personal.parley.get("/api/tools")
    assert "answered 503" in listed["failures"]["Signed"]
    assert listed["servers"][0]["issuer"] == server.origin
    del server.answers["/token"]
    assert (await call(personal.parley, personal.id)).text == "ada"


async def test_a_model_shows_the_way_to_sign_in(server: SignedServer, personal: Owner) -> None:
    turn = await ask(personal.parley, "Use signed_sign_in with {}")
    (called,) = turn["tools"]
    assert called["result"]["error"]["code"] == "tool_sign_in_needed"
    listed = await personal.parley.get(f"/api/sessions/{turn['session_id']}/tools")
    assert listed["servers"][0]["wants_sign_in"] is True
    assert "/authorize" not in server.asked, "only a person begins to sign in"


@pytest.mark.parametrize(
    "back", ["//evil", "https://evil.example", "/\\evil", "javascript:x", "/a?b", "/a#//b", ""]
)
async def test_it_leads_back_to_the_page_alone(personal: Owner, back: str) -> None:
    refused = await personal.parley.client.post("/api/tools/servers/signed/sign-in", json={"back": back})
    assert refused.status_code == 422


async def test_a_server_whose_settings_sign_in_for_all_offers_nobody_to(
    server: SignedServer, tmp_path: Path
) -> None:
    servers = setting(server, headers={"Authorization": "Bearer stale"})
    async with a_running_parley(tmp_path, tool_servers=servers) as parley:
        listed = await parley.get("/api/tools")
        assert listed["servers"] == []
        assert "refuses the Authorization header of the settings" in listed["failures"]["Signed"]
        begun = await parley.client.post("/api/tools/servers/signed/sign-in", json={})
        assert begun.status_code == 404


async def test_sign_ins_are_exported_sealed_again_and_erased_without_their_tokens_being_shown(
    server: SignedServer, personal: Owner
) -> None:
    parley = personal.parley
    await server.sign_in(parley.client, "ada")
    tokens = [*server.accounts.access, *server.accounts.refresh]
    listed = msgspec.json.encode(await parley.get("/api/tools")).decode()
    (exported,) = await parley.application[ToolSignIns].export(personal.id)
    assert (exported.server, exported.issuer) == ("signed", server.origin)
    assert not [token for token in tokens if token in listed or token in repr(exported)]
    assert (await parley.application[ProvidersService].rotate(AccountsService.owner("inside"))).lost == []
    assert (await call(parley, personal.id)).text == "ada"
    assert (await parley.client.delete("/api/data?confirm=delete")).status_code in (200, 204)
    assert await parley.application[ToolSignIns].count(personal.id) == 0


async def test_a_browser_may_come_from_another_site_to_that_path_alone(personal: Owner) -> None:
    client = personal.parley.client
    assert (await client.get("/api/sessions", headers=NAVIGATES)).status_code == 403
    picture = {**NAVIGATES, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    frame = {**NAVIGATES, "sec-fetch-dest": "iframe"}
    path = "/api/tools/servers/signed/back"
    for headers in (picture, frame):
        assert (await client.get(path, headers=headers)).status_code == 403
    passed_on = {**NAVIGATES, "sec-fetch-dest": "empty"}
    for headers in (NAVIGATES, passed_on):
        assert (await client.get(path, headers=headers, follow_redirects=False)).status_code == 303
