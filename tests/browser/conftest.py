"""For browser tests: real servers, a real Chromium, and a page that must stay without errors."""

import asyncio
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tests.browser.servers import Served, serve
from tests.fakes.upstream import ScriptedUpstream
from tools.ensure_chromium import find_chromium

FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
EXPECTED_ERRORS = re.compile(r"the server responded with a status of (401|403|404|409|415|422|503)|net::ERR_")

expect.set_options(timeout=20_000)  # a busy machine is no failure


class Chromium:
    """One Chromium for all tests of this process.

    Playwright runs an event loop in the tests' thread, which counts as running only during a browser test: other
    tests of the same process run loops of their own.
    """

    def __init__(self, path: str) -> None:
        self._playwright = sync_playwright().start()
        self._loop = asyncio.get_running_loop()
        self.browser = self._playwright.chromium.launch(executable_path=path, args=FLAGS)
        asyncio._set_running_loop(None)

    @contextmanager
    def in_use(self) -> Generator[Browser]:
        asyncio._set_running_loop(self._loop)
        try:
            yield self.browser
        finally:
            asyncio._set_running_loop(None)

    def close(self) -> None:
        with self.in_use():
            self.browser.close()
            self._playwright.stop()


_started: list[Chromium] = []


@pytest.fixture
def browser() -> Generator[Browser]:
    """The Chromium that this process keeps."""
    path = find_chromium()
    if path is None:
        pytest.skip("the page in a browser: install Chromium, or set CHROMIUM to its path")
    if not _started:
        _started.append(Chromium(path))
    with _started[0].in_use() as browser:
        yield browser


def pytest_sessionfinish() -> None:
    """Close the Chromium, of which no test is the last."""
    while _started:
        _started.pop().close()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """A Parley with the demo models, from an empty data folder."""
    with serve(tmp_path_factory.mktemp("demo") / "data") as served:
        yield served


@pytest.fixture
def upstream() -> Generator[ScriptedUpstream]:
    """A scripted OpenAI-compatible server."""
    server = ScriptedUpstream.start_in_thread()
    yield server
    server.stop_thread()


@pytest.fixture
def connected(upstream: ScriptedUpstream, tmp_path: Path) -> Generator[Served]:
    """A Parley whose two models live on the scripted server, under canary names."""
    with serve(tmp_path / "data", canary_models(upstream, tmp_path)) as served:
        yield served


def canary_models(upstream: ScriptedUpstream, folder: Path) -> Path:
    """Write a model list of two models that nobody may recognise before the vote."""
    path = folder / "models.yaml"
    path.write_text(
        "providers:\n"
        f"  - {{id: canaryprov, connector: openai, base_url: {upstream.url}, api_key: canary-key}}\n"
        "models:\n"
        + "".join(
            f"  - {{id: canary-{name}, name: Canary {name.title()}, organization: Canary {org}, license: MIT, "
            f"routes: [{{provider: canaryprov, model: up-{name}}}], prices: {{input: 1, output: 2}}}}\n"
            for name, org in (("alpha", "Works"), ("beta", "Labs"))
        ),
        encoding="utf-8",
    )
    return path


NewPage = Callable[..., Page]

ON_DEMAND = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
"""Has the page load its parts once they are needed: those it fetches while it rests cost as much as all of a test."""


@pytest.fixture
def new_page(browser: Browser) -> Generator[NewPage]:
    """Open pages in one browser profile; afterwards none of them may have shown an unexpected error."""
    context = browser.new_context(
        service_workers="block", viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
    )
    context.add_init_script(ON_DEMAND)
    problems: list[str] = []

    def watch(message: ConsoleMessage) -> None:
        if message.type == "error" and not EXPECTED_ERRORS.search(message.text):
            problems.append(message.text)

    def open_page(url: str) -> Page:
        page = context.new_page()
        page.on("console", watch)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(url)
        return page

    yield open_page
    context.close()
    assert not problems, problems
