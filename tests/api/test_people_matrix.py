"""The whole matrix of routes and people: each relation to a workspace, with each means by which one says who one is.

What is expected follows from the table of contracts alone, so a new route is asked as soon as it is declared.
"""

import itertools
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio

from parley.api.contract import ANYONE, Contract
from parley.api.openai_errors import is_door
from parley.application import built_in_routes
from parley.kernel.caller import Scope
from tests.api.test_callers import A_PICTURE, ACCEPTS, NEVER, ROWS, Things, named, owners_things
from tests.fakes.knocks import Door, Knock
from tests.fakes.people import PASSWORD, Person, a_shared_parley, hash_quickly
from tests.fakes.running import RunningParley

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.databases("sqlite")]

OF_ASSETS: dict[tuple[str, str], Any] = {
    ("GET", "/api/library/{asset_id}"): None,
    ("GET", "/api/library/{asset_id}/content"): None,
    ("PATCH", "/api/library/{asset_id}"): {"tags": ["mine"]},
    ("DELETE", "/api/library/{asset_id}"): None,
    ("POST", "/api/library/{asset_id}/restore"): None,
    ("GET", "/api/prompts/{prompt_id}/promptfoo"): None,
    ("GET", "/api/lab/runs/{run_id}/cell"): None,
    ("GET", "/api/attachments/{sha256}/encodings"): None,
    ("POST", "/api/sessions/{session_id}/tables/query"): {"sql": "SELECT 1"},
}
"""What takes more than an id, and what `test_callers` leaves to the tests of one feature."""

QUERIES = {
    "/api/prompts/{prompt_id}/promptfoo": "?version=1&dataset={dataset_id}",
    "/api/lab/runs/{run_id}/cell": "?row=1&version=1&model=ada",
}
THINGS: dict[tuple[str, str], Any] = {**ROWS, **OF_ASSETS}
"""Every route that names something of one's own, with a body that it would take."""

LEFT_OUT = frozenset(
    (
        ("POST", "/api/auth/logout"),
        ("DELETE", "/api/me/logins"),
        ("DELETE", "/api/data"),
        ("GET", "/api/openapi.json"),
    )
)
"""Carried out for whoever may: they would end what the others ask with, or describe every route anew."""

RELATIONS = ("owner", "editor", "viewer", "stranger")
CARRIERS = ("cookie", "token", "key")
SECRETS = ("link", "link as cookie", "forged", "none")
"""Means that say nothing of who asks: the secret of a shared session opens its page and nothing else."""


def contracts() -> Iterator[Contract]:
    """Yield every route's contract."""
    return (it for routes in built_in_routes() for it in routes.contracts)


@dataclass
class World:
    """A workspace with one of everything in it, and who asks for it, by relation and carrier."""

    parley: RunningParley
    people: Mapping[str, Person]
    door: Door
    things: Things
    space_id: str
    headers: dict[tuple[str, str], dict[str, str]]
    link: str

    def carried(self, relation: str, carrier: str, *, inside: bool) -> dict[str, str]:
        """Return the headers of somebody's request, within the workspace or in their own space."""
        known = self.headers[relation, carrier]
        return {**known, "Parley-Space": self.space_id} if inside else known


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """One world for all: nothing that these tests ask changes anything."""
    async with AsyncExitStack() as stack:
        hash_quickly(stack.enter_context(pytest.MonkeyPatch.context()))
        shared = await stack.enter_async_context(a_shared_parley(tmp_path_factory.mktemp("matrix")))
        people = {"owner": shared.administrator}
        people |= {role: await shared.person(role) for role in RELATIONS[1:]}
        workspace = await people["owner"].send("POST", "/api/workspaces", {"name": "Kestrel Labs"})
        for role in ("editor", "viewer"):
            member = {"email": f"{role}@example.org", "role": role}
            await people["owner"].send("PUT", f"/api/workspaces/{workspace['id']}/members", member)
        headers = {
            (relation, carrier): value
            for relation, person in people.items()
            for carrier, value in (await _carriers(person, relation)).items()
        }
        shared.parley.client = people["owner"].client
        shared.parley.client.headers["Parley-Space"] = workspace["id"]
        things = await stack.enter_async_context(owners_things(shared.parley))
        picture = await _uploaded(people["owner"], "/api/library?name=a.gif", A_PICTURE)
        text = await _uploaded(people["owner"], "/api/attachments?name=a.txt", b"Ours alone.")
        more = {
            "asset_id": (str(picture["id"]),),
            "sha256": (*things["sha256"], str(text["sha256"])),
            "workspace_id": (workspace["id"],),
        }
        link = await people["owner"].send("POST", f"/api/sessions/{things['session_id'][0]}/shares", {})
        secret = link["url"].rpartition("/")[2]
        headers |= {("nobody", name): value for name, value in _of_nobody(secret).items()}
        yield World(
            shared.parley,
            people,
            Door(shared.parley),
            {**things, **more},
            workspace["id"],
            headers,
            secret,
        )
        shared.parley.upstream.release()


async def _carriers(person: Person, relation: str) -> dict[str, dict[str, str]]:
    """Return the headers of each carrier of a person."""
    name = "ana" if relation == "owner" else relation
    entry = {"email": f"{name}@example.org", "password": PASSWORD}
    tokens = await person.send("POST", "/api/auth/token", entry)
    scopes = ["chat", "embeddings", "images", "read"]
    key = await person.send("POST", "/api/me/keys", {"name": "Mine", "scopes": scopes})
    return {
        "cookie": {"Cookie": f"parley_login={person.client.cookies['parley_login']}"},
        "token": {"Authorization": f"Bearer {tokens['access_token']}"},
        "key": {"Authorization": f"Bearer {key['secret']}"},
    }


def _of_nobody(secret: str) -> dict[str, dict[str, str]]:
    return {
        "link": {"Authorization": f"Bearer {secret}"},
        "link as cookie": {"Cookie": f"parley_login={secret}"},
        "forged": {"Authorization": "Bearer parley-" + "A" * 43, "Cookie": "parley_login=" + "A" * 43},
        "none": {},
    }


async def _uploaded(owner: Person, path: str, content: bytes) -> Any:
    answer = await owner.client.post(
        path, content=content, headers={"Content-Type": "application/octet-stream"}
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


# ── may they ask at all ──────────────────────────────────────────────────────────────────────────


def refusal(contract: Contract, relation: str, carrier: str, *, inside: bool) -> int | None:
    """Return the status that the contract's terms give; None where this caller may ask."""
    door = is_door(contract.path)
    if contract.needs is ANYONE:
        return None
    if relation == "nobody" or (door and carrier != "key"):
        return 401
    scopes = {Scope.READ, Scope.TALK, *([Scope.MANAGE] if relation == "owner" else [])}
    if carrier == "key":  # it acts for its person alone, in no workspace
        return (
            None if contract.needs in scopes & ({Scope.READ, Scope.TALK} if door else {Scope.READ}) else 403
        )
    if inside and relation == "stranger":
        return 403
    writes = contract.method != "GET" and not (contract.personal or contract.reads)
    kept_from_viewers = inside and relation == "viewer" and contract.needs is Scope.TALK and writes
    return 403 if kept_from_viewers or contract.needs not in scopes else None


def _body(contract: Contract) -> Any:
    if contract.uploads:
        return b"x"
    return {"nothing": "known"} if contract.method in ("POST", "PATCH", "PUT") else None


ASKERS = [*itertools.product(RELATIONS, CARRIERS, (False, True)), *(("nobody", it, False) for it in SECRETS)]


@pytest.mark.parametrize(("relation", "carrier", "inside"), ASKERS)
async def test_each_route_refuses_whom_its_contract_does_not_name(
    world: World, relation: str, carrier: str, inside: bool
) -> None:
    headers = world.carried(relation, carrier, inside=inside)
    deviations: list[str] = []
    for contract in contracts():
        expected = refusal(contract, relation, carrier, inside=inside)
        if expected is None and (contract.method, contract.path) in LEFT_OUT:
            continue
        if expected is None and contract.method != "GET" and contract.needs is Scope.MANAGE:
            continue  # an administrator's, who would change what the others see
        sent = headers if not contract.uploads else {**headers, "Content-Type": min(contract.uploads)}
        answer = await world.door.knock(contract.method, contract.path, sent, _body(contract))
        got = answer.status if answer.status in (401, 403) else None
        if got != expected and not (contract.needs is ANYONE and answer.status in (401, 403)):
            deviations.append(f"{contract.method} {contract.path}: {got} instead of {expected}")
        assert answer.status < 500, (contract.path, answer.content)
    assert deviations == []


# ── what they find ───────────────────────────────────────────────────────────────────────────────


def declared(method: str, path: str) -> Contract:
    return next(it for it in contracts() if (it.method, it.path) == (method, path))


async def ask(world: World, row: tuple[str, str], thing: str, headers: dict[str, str], accept: str) -> Knock:
    """Return a route's answer about a thing."""
    method, path = row
    query = QUERIES.get(path, "").replace("{dataset_id}", world.things["dataset_id"][0])
    address = path.replace(f"{{{named(path)}}}", thing) + query
    return await world.door.knock(method, address, headers, THINGS[row], accept)


OUTSIDE = [
    *(("stranger", carrier, inside) for carrier in ("cookie", "token") for inside in (False, True)),
    *((relation, "cookie", False) for relation in ("owner", "editor", "viewer")),
    *((relation, "key", True) for relation in RELATIONS),
    *(("nobody", carrier, True) for carrier in SECRETS),
]
"""Who finds nothing of the workspace: who is not in it, and its members while they act elsewhere."""


@pytest.mark.parametrize(("relation", "carrier", "inside"), OUTSIDE)
async def test_who_is_not_in_the_workspace_finds_nothing_of_it(
    world: World, relation: str, carrier: str, inside: bool
) -> None:
    """Streams and files too: each answer is the same as for what was never there."""
    headers = world.carried(relation, carrier, inside=inside)
    for row in THINGS:
        if declared(*row).personal and relation != "nobody":
            continue  # about the person, wherever they act: the next test
        refused = refusal(declared(*row), relation, carrier, inside=inside)
        for accept in ACCEPTS if declared(*row).stream else ACCEPTS[:1]:
            never = await ask(world, row, NEVER, headers, accept)
            assert never.status == (refused or 404), row
            for thing in world.things[named(row[1])]:
                answer = await ask(world, row, thing, headers, accept)
                assert (answer.status, answer.content) == (never.status, never.content), row


@pytest.mark.parametrize("relation", ["editor", "viewer", "stranger"])
async def test_what_is_about_a_person_is_not_there_for_another(world: World, relation: str) -> None:
    headers = world.carried(relation, "cookie", inside=False)
    member = relation != "stranger"
    for row in (it for it in THINGS if declared(*it).personal):
        if row[1] == "/api/workspaces/of/{session_id}" and member:
            continue  # members may know where a session is, and editors move it
        for thing in world.things[named(row[1])]:
            answer = await ask(world, row, thing, headers, ACCEPTS[0])
            of_theirs = member and named(row[1]) == "workspace_id"
            assert answer.status == (403 if of_theirs else 404), row


@pytest.mark.parametrize(
    ("relation", "carrier"), [*itertools.product(("owner", "editor", "viewer"), ("cookie", "token"))]
)
async def test_each_member_reads_everything_and_a_viewer_changes_nothing(
    world: World, relation: str, carrier: str
) -> None:
    headers = world.carried(relation, carrier, inside=True)
    for row in THINGS:
        contract = declared(*row)
        things = world.things[named(row[1])]
        if contract.personal:
            continue
        if contract.method == "GET" or contract.reads:
            accept = ACCEPTS[1] if contract.stream else ACCEPTS[0]
            found = [await ask(world, row, thing, headers, accept) for thing in things]
            assert any(it.status not in (401, 403, 404) for it in found), row
            assert any(it.streams for it in found) or not contract.stream, row
        elif relation == "viewer":
            refused = [await ask(world, row, thing, headers, ACCEPTS[0]) for thing in things]
            assert {it.status for it in refused} == {403}, row
        else:
            assert (await ask(world, row, NEVER, headers, ACCEPTS[0])).status == 404, row


@pytest.mark.parametrize("relation", ["stranger", "editor", "viewer"])
async def test_no_list_search_or_export_of_ones_own_has_anything_of_the_workspace(
    world: World, relation: str
) -> None:
    headers = world.carried(relation, "cookie", inside=False)
    marks = {it.encode() for name, ids in world.things.items() if name != "workspace_id" for it in ids}
    marks |= {b"Why is the sky blue?", b"Never whole", b'"Kept"'}
    seen = 0
    for contract in contracts():
        if contract.method != "GET" or "{" in contract.path or contract.path == "/api/openapi.json":
            continue
        for query in ("", "?search=sky"):
            answer = await world.door.knock("GET", contract.path + query, headers)
            seen += answer.status == 200
            assert not [it for it in marks if it in answer.content], contract.path
    assert seen > 40
    theirs = {**world.headers[relation, "cookie"], "Parley-Space": world.space_id}
    if relation != "stranger":
        inside = await world.door.knock("GET", "/api/sessions", theirs)
        assert b"Why is the sky blue?" in inside.content


@pytest.mark.parametrize("kind", ["markdown", "json", "html"])
async def test_an_export_of_sessions_is_for_who_is_in_the_workspace(world: World, kind: str) -> None:
    body = {"ids": [world.things["session_id"][0]], "format": kind}
    for relation, inside, status in (
        ("viewer", True, 200),
        ("editor", True, 200),
        ("editor", False, 404),
        ("stranger", False, 404),
        ("stranger", True, 403),
    ):
        headers = world.carried(relation, "cookie", inside=inside)
        answer = await world.door.knock("POST", "/api/sessions/export", headers, body)
        assert (answer.status, b"sky" in answer.content) == (status, status == 200), relation


@pytest.mark.parametrize("carrier", SECRETS)
async def test_a_link_opens_its_page_to_everybody_and_nothing_else(world: World, carrier: str) -> None:
    headers = world.carried("nobody", carrier, inside=False)
    page = await world.door.knock("GET", f"/share/{world.link}", headers)
    assert (page.status, b"Why is the sky blue?" in page.content) == (200, True)
    for token in (world.link[:-1], world.link + "x", world.things["session_id"][0], NEVER):
        assert (await world.door.knock("GET", f"/share/{token}", headers)).status == 404
    answer = await world.door.knock("POST", "/api/shared/copy", headers, {"token": world.link})
    assert answer.status == 401, "a copy is somebody's"


async def test_every_route_that_names_something_of_ones_own_is_asked() -> None:
    streams = {(it.method, it.path) for it in contracts() if it.stream and "{" in it.path}
    files = {(it.method, it.path) for it in contracts() if it.downloads and "{" in it.path}
    elsewhere = {("GET", "/share/{token}"), ("GET", "/v1/images/{asset_id}")}
    assert (streams | files) - set(THINGS) == elsewhere
