"""Tests of the door itself: who may knock, what every answer carries, and the page."""

import asyncio
import contextlib
import gzip
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import pytest_asyncio
from starlette.datastructures import Headers
from starlette.requests import Request

from parley.api import page
from parley.api.deps import is_local
from parley.api.guard import SECURITY_HEADERS
from parley.storage import sqlite_store
from parley.storage.database import Database
from tests.fakes.running import RunningParley, a_running_parley

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.databases("sqlite")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def parley(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RunningParley]:
    """One server for all: the guard keeps nothing."""
    async with a_running_parley(tmp_path_factory.mktemp("guard")) as running:
        yield running


JSON = {"Content-Type": "application/json"}
BODY = b'{"prompt": "Hi", "mode": "chat"}'


async def knock(parley: RunningParley, body: Any = BODY, path: str = "/api/sessions", **headers: str) -> Any:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return await parley.client.post(path, content=body, headers={**JSON, **given})


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "[", "[::1", "localhost.evil", "10.0.0.1"]
)
async def test_a_foreign_host_is_refused_for_every_method(parley: RunningParley, host: str) -> None:
    for method, path in (
        ("GET", "/api/sessions"),
        ("GET", "/"),
        ("GET", "/healthz"),
        ("POST", "/api/sessions"),
    ):
        refused = await parley.client.request(method, path, headers={"Host": host})
        assert (refused.status_code, refused.json()["code"]) == (421, "bad_host")
        assert refused.headers["content-security-policy"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1", "[::1]:8400", "LOCALHOST:8400"])
async def test_loopback_names_are_its_own(parley: RunningParley, host: str) -> None:
    assert (await parley.client.get("/api/sessions", headers={"Host": host})).status_code == 200


FOREIGN = [
    {"Sec_Fetch_Site": "cross-site"},
    {"Sec_Fetch_Site": "same-site"},
    {"Sec_Fetch_Site": "cross-site", "Origin": "OWN"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://["},
    {"Origin": "http://127.0.0.1:1"},
]
OWN = [{}, {"Sec_Fetch_Site": "same-origin"}, {"Sec_Fetch_Site": "none"}, {"Origin": "OWN"}]


@pytest.mark.parametrize("headers", FOREIGN)
async def test_what_another_sites_page_sends_is_refused(
    parley: RunningParley, headers: dict[str, str]
) -> None:
    before = await parley.get("/api/sessions")
    given = {name: parley.base_url if value == "OWN" else value for name, value in headers.items()}
    refused = await knock(parley, **given)
    assert (refused.status_code, refused.json()["code"]) == (403, "cross_site")
    for method in ("PATCH", "DELETE"):
        named = {name.replace("_", "-"): value for name, value in given.items()}
        assert (await parley.client.request(method, "/api/sessions/x", headers=named)).status_code == 403
    assert await parley.get("/api/sessions") == before


@pytest.mark.parametrize("headers", OWN)
async def test_the_own_page_and_programs_pass(parley: RunningParley, headers: dict[str, str]) -> None:
    given = {name: parley.base_url if value == "OWN" else value for name, value in headers.items()}
    assert (await knock(parley, **given)).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
async def test_a_body_must_be_json(parley: RunningParley, kind: str) -> None:
    refused = await knock(parley, Content_Type=kind)
    assert (refused.status_code, refused.json()["code"]) == (415, "json_required")


async def test_json_with_a_charset_is_json_and_no_body_needs_no_type(parley: RunningParley) -> None:
    assert (await knock(parley, Content_Type="Application/JSON; charset=utf-8")).status_code == 200
    session = (await parley.get("/api/sessions"))["sessions"][0]
    assert (await parley.client.post(f"/api/sessions/{session['id']}/restore")).status_code == 200


async def pieces(count: int) -> AsyncIterator[bytes]:
    yield b'{"prompt": "'
    for _ in range(count):
        yield b"x" * 1000
    yield b'", "mode": "chat"}'


async def test_a_body_has_its_limit_whether_or_not_it_says_its_length(parley: RunningParley) -> None:
    said = await knock(parley, b'{"prompt": "' + b"x" * (1 << 20) + b'"}')
    unsaid = await knock(parley, pieces(1100))
    for refused in (said, unsaid):
        assert (refused.status_code, refused.json()["code"]) == (413, "body_too_large")
    assert (await knock(parley, pieces(29))).status_code == 200
    assert (await knock(parley, pieces(40))).json()["field"] == "prompt"


async def test_origins_that_are_allowed_pass_and_others_do_not(tmp_path: Path) -> None:
    friend = "https://friend.example"
    async with a_running_parley(tmp_path, cors_origins=(friend,)) as parley:
        passed = await knock(parley, Origin=friend, Sec_Fetch_Site="cross-site")
        assert passed.status_code == 200
        assert passed.headers["access-control-allow-origin"] == friend
        asked = {"Origin": friend, "Access-Control-Request-Method": "POST"}
        assert (await parley.client.options("/api/sessions", headers=asked)).status_code == 200
        refused = await knock(parley, Origin="https://evil.example", Sec_Fetch_Site="cross-site")
        assert refused.status_code == 403
        read = await parley.client.get("/api/sessions", headers={"Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in read.headers


async def test_without_the_setting_no_origin_is_allowed(parley: RunningParley) -> None:
    answer = await parley.client.get("/api/sessions", headers={"Origin": "https://evil.example"})
    assert not [name for name in answer.headers if name.startswith("access-control")]


async def test_every_answer_carries_the_security_headers(parley: RunningParley) -> None:
    for path in ("/", "/api/about", "/api/nothing", "/healthz", "/assets/none.js", "/api/sessions?limit=0"):
        headers = (await parley.client.get(path)).headers
        for name, value in SECURITY_HEADERS.items():
            assert headers[name] == value, path
        assert "server" not in headers
    async with parley.stream("POST", "/api/sessions", {"prompt": "x", "mode": "chat"}) as stream:
        headers = stream.response.headers
        assert headers["cache-control"] == "no-store"
        assert headers["x-accel-buffering"] == "no"
        assert headers["x-content-type-options"] == "nosniff"
        await stream.rest()


async def test_health_is_reported(parley: RunningParley) -> None:
    assert await parley.get("/healthz") == {"status": "ok"}
    assert await parley.get("/readyz") == {"status": "ready"}


async def test_a_locked_database_is_reported_with_when_to_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_store, "BUSY_MS", 100)
    async with a_running_parley(tmp_path) as parley:
        file = parley.application[Database].url.database or ""
        opened = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        with contextlib.closing(opened) as other:
            await asyncio.to_thread(other.execute, "BEGIN IMMEDIATE")
            refused = await knock(parley)
            assert (refused.status_code, refused.json()["code"]) == (503, "database_busy")
            assert int(refused.headers["retry-after"]) > 0
            unready = await parley.client.get("/readyz")
            assert (unready.status_code, unready.json()["code"]) == (503, "database_busy")
            assert (await parley.get("/api/sessions"))["sessions"] == [], "reading goes on"
            other.execute("ROLLBACK")
            assert await parley.get("/readyz") == {"status": "ready"}
        assert (await knock(parley)).status_code == 200
        assert len((await parley.get("/api/sessions"))["sessions"]) == 1


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
async def test_an_unknown_address_of_the_api_is_not_found(parley: RunningParley, method: str) -> None:
    for path in ("/api/nothing", "/api/sessions/", "/api/"):
        answer = await parley.client.request(method, path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
        assert answer.headers["content-type"] == "application/problem+json"


async def test_a_wrong_method_is_reported(parley: RunningParley) -> None:
    for method, path in (
        ("DELETE", "/api/models"),
        ("GET", "/api/turns/x/stop"),
        ("POST", "/"),
        ("PUT", "/x"),
    ):
        answer = await parley.client.request(method, path)
        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed"), path


# ── the page ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "web_dist"
    (root / "assets").mkdir(parents=True)
    (root / "index.html").write_text("<!doctype html><title>Parley</title>")
    (root / "assets" / "app-1a2b.js").write_text("export const x = 1;\n" * 200)
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(page, "ROOT", root.resolve())
    return root


async def test_the_page_is_there_for_every_address_of_its_own(parley: RunningParley, built: Path) -> None:
    for path in ("/", "/c/0123", "/settings?x=1", "/" + "x" * 400):
        answer = await parley.client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8"), path
        assert answer.headers["cache-control"] == "no-cache"
        assert "script-src 'self'" in answer.headers["content-security-policy"]


async def test_files_of_the_page_are_compressed_and_kept(parley: RunningParley, built: Path) -> None:
    path = "/assets/app-1a2b.js"
    async with parley.client.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
        raw = b"".join([part async for part in answer.aiter_raw()])
        assert answer.headers["content-encoding"] == "gzip"
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-type"].startswith("text/javascript")
    assert gzip.decompress(raw) == (built / path[1:]).read_bytes()
    plain = await parley.client.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == gzip.decompress(raw)
    assert plain.headers["vary"] == "Accept-Encoding"
    (built / f"{path[1:]}.br").write_bytes(b"compressed when it was built")
    async with parley.client.stream("GET", path, headers={"Accept-Encoding": "gzip, deflate, br"}) as answer:
        assert answer.headers["content-encoding"] == "br"
        assert b"".join([part async for part in answer.aiter_raw()]) == b"compressed when it was built"
    (built / f"{path[1:]}.br").unlink()
    assert (await parley.client.get("/assets/none.js")).status_code == 404


@pytest.mark.parametrize("path", ["/%2e%2e/secret.txt", "/assets/%2e%2e/%2e%2e/secret.txt", "//etc/passwd"])
async def test_nothing_outside_the_page_is_served(parley: RunningParley, built: Path, path: str) -> None:
    answer = await parley.client.get(path)
    assert "secret" not in answer.text
    assert "root:" not in answer.text


async def test_a_page_that_is_not_built_says_so(
    parley: RunningParley, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "ROOT", tmp_path / "nothing")
    answer = await parley.client.get("/")
    assert answer.status_code == 503
    assert "not built yet" in answer.text


# ── who asks ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("address", "owner"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("192.168.1.7", False),
        ("203.0.113.9", False),
        ("2001:db8::1", False),
        ("testclient", False),
        ("", False),
        (None, False),
    ],
)
async def test_only_this_computer_is_the_owner(address: str | None, owner: bool) -> None:
    client = SimpleNamespace(host=address) if address is not None else None
    assert is_local(cast("Request", SimpleNamespace(client=client, headers=Headers()))) is owner


@pytest.mark.parametrize(("forwarded", "status"), [("203.0.113.9", 403), ("127.0.0.1", 200), ("x", 403)])
async def test_a_proxy_on_this_computer_is_the_owner_only_for_this_computer(
    parley: RunningParley, forwarded: str, status: int
) -> None:
    for sent in (forwarded, f"127.0.0.1, {forwarded}", f"{forwarded}, 127.0.0.1"):
        answer = await parley.client.get("/api/sessions", headers={"X-Forwarded-For": sent})
        assert answer.status_code == status, sent


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_another_sites_page_makes_parley_do_nothing_by_reading(
    parley: RunningParley, site: str
) -> None:
    for path in ("/api/discoveries", "/api/data/export", "/api/standings", "/api/sessions?q=x"):
        refused = await parley.client.get(path, headers={"Sec-Fetch-Site": site})
        assert (refused.status_code, refused.json()["code"]) == (403, "cross_site"), path
    assert (await parley.client.get("/s/any", headers={"Sec-Fetch-Site": site})).status_code != 403
    assert (await parley.client.get("/healthz", headers={"Sec-Fetch-Site": site})).status_code == 200
    own = await parley.client.get("/api/sessions", headers={"Sec-Fetch-Site": "same-origin"})
    assert own.status_code == 200


async def test_a_read_with_another_sites_origin_is_refused(parley: RunningParley) -> None:
    refused = await parley.client.get("/api/discoveries", headers={"Origin": "https://evil.example"})
    assert (refused.status_code, refused.json()["code"]) == (403, "cross_site")
