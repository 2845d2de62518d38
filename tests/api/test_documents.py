"""Tests that hold the tables of the door against the code: permissions, codes, the OpenAPI document."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.api import errors, openapi
from parley.api.app import create_app, describe_app
from parley.api.contract import ANYONE, Contract, Routes
from parley.api.server import serve_beside
from parley.application import built_in_routes
from parley.kernel.errors import ParleyError
from tests.fakes.running import RunningParley

REPOSITORY = Path(__file__).parents[2]
NEVER_ANSWERED = {
    "refused": "tells a command that the server did not do it, where the server gives no code",
    "measurement_failed": "tells `parley deliberation` and `parley judge` that nothing could be compared",
    "turn_unfinished": "tells `parley consortium run` that there is no result",
    "no_plugin_store": "tells the commands of `parley consortium` that there is nothing to take over",
    "invalid_settings": "stops the start",
    "invalid_models": "stops the start",
    "model_id_retired": "stops the start",
    "database_unreachable": "stops the start",
    "database_too_new": "stops the start",
    "database_lost": "stops the start, and commands that work on the data folder",
    "folder_locked": "stops the start",
    "database_in_use": "stops the start",
    "folder_unusable": "stops the start",
    "untrusted_file": "is about files that commands find where they start",
    "port_taken": "stops the start",
    "plugin_conflict": "stops the start",
    "no_database": "tells commands such as `parley audit verify` that there is nothing to look at",
    "wrong_revision": "tells such commands that the tables are of another version",
    "bad_votes": "the library of ratings tells its caller",
    "no_votes": "the library of ratings tells its caller",
    "too_few_models": "the library of ratings tells its caller",
    "too_many_models": "the library of ratings tells its caller",
    "features_undetermined": "the library of ratings tells its caller",
    "one_voter": "the library of ratings tells its caller",
    "key_missing": "stands in what the test of a connection found",
    "key_refused": "stands in what the test of a connection found",
    "key_unusable": "stands in what the test of a connection found",
    "plugins_skipped": "stands in what the test of a connection found",
    "list_too_long": "stands in what the test of a connection found",
    "no_redis": "ends the start",
    "no_default_model": "the command line tells",
    "not_sqlite": "the command line tells",
    "backup_not_written": "the command line tells",
    "backup_not_restored": "the command line tells",
    "backup_unreadable": "the command line tells",
    "folder_not_empty": "the command line tells",
    "database_elsewhere": "the command line tells",
    "database_not_empty": "the command line tells",
    "no_model": "the command line tells",
    "code_failed": "stands in the verdict of a check, and in the result of a tool",
    "code_queue_full": "stands in the verdict of a check, and in the result of a tool",
    "job_crashed": "stands in the view of a job",
    "shutting_down": "only the engine sees it, when the recorder has closed",
}
"""Codes that never cross HTTP as an error: why."""

IN_VIEWS = re.compile(
    r"^(upstream_|tool_|too_many_open_files$|reply_|mode_|turn_failed$|sealed_interrupted$|model_gone$|no_route$|connector_broken$|no_ensembles$|model_without_|ensemble_|(no_blobs|blob_missing|no_connector|picture_interrupted|provider_without_pictures|provider_removed|list_too_long)$|key_(missing|refused|unusable)$|job_(container|forbidden|image|lost|not_installed|not_started|refused|too_large|without_cluster)$)"
)
"""Codes of replies, tools and turns: they are shown inside of views, and answer no request."""


CONTRACTS: dict[tuple[str, str], Contract] = {
    (contract.method, contract.path): contract
    for routes in built_in_routes()
    for contract in routes.contracts
}


def written() -> dict[str, Any]:
    return openapi.build(describe_app(built_in_routes()))


def test_no_two_routes_have_the_same_address() -> None:
    assert len(CONTRACTS) == sum(len(routes.contracts) for routes in built_in_routes())


async def test_a_route_without_a_contract_is_closed(parley: RunningParley) -> None:
    app = describe_app(parley.application.routes)
    app.state.parts = parley.application
    app.add_api_route("/api/extra", lambda: None)
    app.router.routes.insert(0, app.router.routes.pop())
    async with serve_beside(parley.application, asgi=app) as address:
        client = parley.visitor()
        client.base_url = address
        answer = await client.get("/api/extra")
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


def test_every_json_body_has_an_example_that_its_route_takes() -> None:
    bodies = [contract for contract in CONTRACTS.values() if contract.body is not None]
    assert [contract.path for contract in bodies if contract.example is None] == []
    for contract in bodies:
        assert contract.body is not None
        contract.body.model_validate(contract.example)


def test_a_group_of_routes_says_who_may_use_them() -> None:
    with pytest.raises(TypeError, match="needs"):
        Routes("/api/extra", tag="extra")  # pyright: ignore[reportCallIssue]


async def test_another_computer_is_refused_on_every_route(parley: RunningParley) -> None:
    """Every route from a peer that is not this computer: health and the ways in for anyone, all else for nobody."""
    inner = create_app(parley.application)

    async def from_afar(scope: Any, receive: Any, send: Any) -> None:
        await inner({**scope, "client": ("203.0.113.9", 4711)}, receive, send)

    async with serve_beside(parley.application, asgi=from_afar) as address:
        client = parley.visitor()
        client.base_url = address
        for (method, path), contract in CONTRACTS.items():
            body: dict[str, Any] = {"json": {"prompt": "x"}} if method in ("POST", "PATCH") else {}
            if contract.uploads:
                body = {"content": b"x", "headers": {"Content-Type": "application/octet-stream"}}
            answer = await client.request(method, re.sub(r"{\w+}", "0" * 32, path), **body)
            refused = answer.status_code == 403
            assert refused is (contract.needs is not ANYONE), (method, path)
            assert answer.status_code < 500, (method, path)
    assert (await parley.get("/api/sessions"))["sessions"] == []


# ── codes ────────────────────────────────────────────────────────────────────────────────────────


ANSWERED = {code for contract in CONTRACTS.values() for code in contract.errors} | errors.COMMON.keys()
"""Every code that a response can have."""


def codes_in_source() -> dict[str, Path]:
    """Return every code that the source can give an error, and where."""
    found: dict[str, Path] = {}
    for file in (REPOSITORY / "src" / "parley").rglob("*.py"):
        for code in re.findall(r"\bcode(?:: ClassVar\[str\])? ?= ?\"([a-z_]+)\"", file.read_text("utf-8")):
            found[code] = file
    return found


def classes(root: type[ParleyError]) -> Iterator[type[ParleyError]]:
    yield root
    for child in root.__subclasses__():
        yield from classes(child)


def test_every_code_has_a_status_or_never_answers_a_request() -> None:
    used = codes_in_source()
    abstract = {"conflict", "unavailable", "upstream_error"}
    known = ANSWERED | set(NEVER_ANSWERED) | abstract
    assert {
        code: file.name for code, file in used.items() if code not in known and not IN_VIEWS.match(code)
    } == {}
    assert {kind.code for kind in classes(ParleyError)} <= set(used)
    assert len(used) > 30


def test_every_status_belongs_to_a_code_that_is_used() -> None:
    used = set(codes_in_source())
    text = (REPOSITORY / "src/parley/api/errors.py").read_text("utf-8")
    unused = {code for code in ANSWERED if code not in used and text.count(f'"{code}"') < 2}
    assert unused == set()
    assert ANSWERED.isdisjoint(NEVER_ANSWERED)


# ── the OpenAPI document ─────────────────────────────────────────────────────────────────────────


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "$ref":
                yield item
            elif key == "mapping":
                yield from item.values()
            else:
                yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def test_the_document_resolves_and_describes_every_route() -> None:
    document = written()
    schemas = document["components"]["schemas"]
    found = set(references(document))
    assert len(found) > 20
    assert {
        reference for reference in found if reference.removeprefix("#/components/schemas/") not in schemas
    } == set()
    described = {(method.upper(), path) for path, item in document["paths"].items() for method in item}
    assert described == set(CONTRACTS)
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    assert set(schemas["ProblemDetails"]["properties"]["code"]["enum"]) == ANSWERED
    assert document["openapi"].startswith("3.1")


def test_the_committed_document_is_that_of_this_code() -> None:
    fresh = msgspec.json.decode(msgspec.json.encode(written()))
    assert msgspec.json.decode((REPOSITORY / "docs/reference/openapi.json").read_bytes()) == fresh


async def test_the_server_gives_the_document(parley: RunningParley) -> None:
    assert (await parley.get("/api/openapi.json"))["info"]["title"] == "Parley"


async def test_answers_fit_their_types(parley: RunningParley) -> None:
    """What the server says is what the types of the document say, read strictly."""
    from parley.features.about.views import About
    from parley.features.arena.turn_outcome import TurnOutcome
    from parley.features.catalog.views import ModelList
    from parley.features.sessions.schemas import SessionPage
    from parley.features.voting.schemas import VoteAnswer
    from parley.kernel.events import TurnEvent, TurnSnapshot
    from parley.kernel.views import SessionView

    battle = await parley.battle()
    assert msgspec.convert(battle, TurnOutcome).battle_id
    events = await parley.events("GET", f"/api/turns/{battle['turn_id']}/events")
    assert msgspec.convert(events, list[TurnEvent])
    assert msgspec.convert(await parley.vote(battle["battle_id"]), VoteAnswer).counted
    for path, kind in (
        ("/api/about", About),
        ("/api/models", ModelList),
        ("/api/sessions", SessionPage),
        (f"/api/sessions/{battle['session_id']}", SessionView),
        (f"/api/turns/{battle['turn_id']}", TurnSnapshot),
    ):
        said = await parley.get(path)
        assert msgspec.json.decode(msgspec.json.encode(msgspec.convert(said, kind))) == said


async def test_what_parley_says_of_itself(parley: RunningParley) -> None:
    about = await parley.get("/api/about")
    assert (about["name"], about["demo"], about["models"]) == ("Parley", False, 3)
    assert about["max_prompt_chars"] == 30_000
    modes = {mode["name"]: mode for mode in (await parley.get("/api/modes"))["modes"]}
    battle = modes["battle"]["seating"]
    seats = [(group["role"], group["least"], group["most"], group["draw"]) for group in battle["groups"]]
    assert (seats, battle["blind"]) == ([("left", 1, 1, "drawn"), ("right", 1, 1, "drawn")], True)
    assert modes["chat"]["brief_schema"]["type"] == "object"
    assert [model["id"] for model in (await parley.get("/api/models"))["models"]] == ["ada", "bob", "cleo"]


def test_every_whole_number_of_a_request_has_a_limit() -> None:
    """PostgreSQL refuses what its columns can't hold, even in a search; what is only passed on is the provider's."""
    document = msgspec.json.decode((REPOSITORY / "docs" / "reference" / "openapi.json").read_bytes())
    unlimited: list[str] = []

    def look(schema: dict[str, Any], place: str, seen: frozenset[str] = frozenset()) -> None:
        name = schema.get("$ref", "").rpartition("/")[2]
        if name in seen:
            return
        whole = document["components"]["schemas"][name] if name else schema
        if whole.get("type") == "integer" and not whole.keys() & {"maximum", "exclusiveMaximum"}:
            unlimited.append(place)
        inner = [*whole.get("anyOf", []), *whole.get("oneOf", []), *whole.get("properties", {}).values()]
        inner += [it for key in ("items", "additionalProperties") if isinstance(it := whole.get(key), dict)]
        for each in inner:
            look(each, f"{place} {each.get('title', '')}", seen | {name} - {""})

    for path, ways in document["paths"].items():
        if path.startswith("/v1/"):
            continue
        for method, operation in ways.items():
            for parameter in operation.get("parameters", []):
                look(parameter["schema"], f"{method} {path} {parameter['name']}")
            for body in operation.get("requestBody", {}).get("content", {}).values():
                look(body.get("schema", {}), f"{method} {path}")
    assert unlimited == []
