"""Tests of the guide's examples for proxies, in front of a shared Parley; skipped where a proxy is not installed."""

import asyncio
import re
import shutil
import subprocess
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx2  # noqa: TID251 - speaks to loopback only
import pytest

from parley.features.accounts.links import Links
from parley.features.accounts.service import AccountsService
from tests.fakes.people import Person, account, hash_quickly, secret_of
from tests.fakes.ports import free_port
from tests.fakes.running import Client, EventStream, RunningParley, a_running_parley

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "share-with-people.md"
NAME = "parley.example.org"
BESIDE = "127.0.1.2"
"""An address of this computer that is not the proxy's."""

WITHIN_S = 40
CHAT = {"prompt": "Hello", "mode": "chat", "seats": {"assistant": "ada"}}

NGINX = """daemon off;
{user}
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
{example}
    }}
}}
"""


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


def example(begins: str) -> str:
    """Return the block of the guide that begins with a line."""
    blocks = re.findall(r"(?:^    .*\n)+", GUIDE.read_text("utf-8"), re.MULTILINE)
    (block,) = [each for each in blocks if each.strip().startswith(begins)]
    return re.sub("^    ", "", block, flags=re.MULTILINE)


def nginx(folder: Path, port: int, server: str) -> list[str]:
    import os

    shown = example("location /").replace("127.0.0.1:8400", server)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port, example=shown, user=user))
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, server: str) -> list[str]:
    shown = example(NAME).replace("127.0.0.1:8400", server)
    # A certificate is for the machine that has the name.
    shown = shown.replace(NAME, f"http://{NAME}:{port}")
    off = "{\n    admin off\n    auto_https off\n}\n"
    (folder / "Caddyfile").write_text(off + shown)
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


PROXIES = {"nginx": nginx, "caddy": caddy}


@contextmanager
def a_proxy(name: str, folder: Path, server: str) -> Iterator[int]:
    """Run a proxy as the guide sets it up; yield its port."""
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed here: its example was not run")
    port = free_port()
    folder.mkdir()
    command = PROXIES[name](folder, port, server)
    process = subprocess.Popen(command, env={"HOME": str(folder), "PATH": _path()}, stderr=subprocess.DEVNULL)
    try:
        yield port
    finally:
        process.terminate()
        process.wait(WITHIN_S)


def _path() -> str:
    import os

    return os.environ["PATH"]  # noqa: TID251 - where the proxies are


@asynccontextmanager
async def behind(name: str, folder: Path) -> AsyncGenerator[tuple[RunningParley, Person]]:
    """Serve a shared Parley behind a proxy; yield it, with its administrator's browser, which knows the proxy alone."""
    settings = {"public_url": f"http://{NAME}", "trusted_proxies": ["127.0.0.1"]}
    async with a_running_parley(folder / "parley", mode="shared", **settings) as parley:
        url = await parley.application[Links].first_administrator(AccountsService.owner("inside"))
        with a_proxy(name, folder / "proxy", urlsplit(parley.base_url).netloc) as port:
            host = NAME if name == "nginx" else f"{NAME}:{port}"
            async with Client(
                base_url=f"http://127.0.0.1:{port}",
                headers={"Host": host, "Origin": f"http://{host}"},
                timeout=WITHIN_S,
                transport=httpx2.AsyncHTTPTransport(local_address=BESIDE),
            ) as browser:
                await _until_up(browser)
                body = {**account("Ana"), "token": secret_of(url or "")}
                joined = await browser.post("/api/auth/link/use", json=body)
                assert joined.status_code == 200, joined.text
                yield parley, Person(joined.json()["person"]["id"], browser)


async def _until_up(browser: Client) -> None:
    async with asyncio.timeout(WITHIN_S):
        while True:
            try:
                if (await browser.get("/healthz")).status_code == 200:
                    return
            except httpx2.TransportError:
                pass
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("name", PROXIES)
async def test_people_sign_in_through_a_proxy_and_their_own_network_is_known(
    name: str, tmp_path: Path
) -> None:
    async with behind(name, tmp_path) as (_, ana):
        ana.client.headers["X-Forwarded-For"] = "203.0.113.9"
        body = {"email": "ana@example.org", "password": account("Ana")["password"]}
        await ana.send("POST", "/api/auth/login", body)
        networks = {login["network"] for login in (await ana.get("/api/me/logins"))["logins"]}
        assert networks == {"127.0.1.0/24"}, "neither the proxy's, nor what a browser claims"


@pytest.mark.parametrize("name", PROXIES)
async def test_answers_come_through_a_proxy_while_they_are_written(name: str, tmp_path: Path) -> None:
    async with behind(name, tmp_path) as (parley, ana):
        parley.upstream.reply("Slowly ", "said.", model="ada", hold_after=1)
        headers = {"Accept": "text/event-stream"}
        async with ana.client.stream("POST", "/api/sessions", json=CHAT, headers=headers) as response:
            stream = EventStream(response)
            await stream.until_said()
            parley.upstream.release()
            await stream.until("turn.completed")


@pytest.mark.parametrize("name", PROXIES)
async def test_a_file_of_two_megabytes_passes_a_proxy(name: str, tmp_path: Path) -> None:
    async with behind(name, tmp_path) as (_, ana):
        headers = {"Content-Type": "application/octet-stream"}
        text = "ä".encode() * 1_000_000
        sent = await ana.client.post("/api/attachments?name=long.txt", content=text, headers=headers)
        assert sent.status_code == 200, sent.text
