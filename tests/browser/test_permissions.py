"""The page of a shared Parley asks the server for nothing that its reader may not have."""

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Response, expect

from tests.browser.conftest import ON_DEMAND, NewPage
from tests.browser.screens import check_at_every_size
from tests.browser.servers import Served, serve
from tests.fakes.people import PASSWORD, account, hash_quickly

SPACE = "parley_space"
PAGES = (
    "/",
    "/?mode=chat",
    "/?mode=compare",
    "/?mode=consortium",
    "/?mode=team",
    "/leaderboard/overall",
    "/leaderboard/overall?view=history",
    "/leaderboard/method",
    "/leaderboard/voters",
    "/models",
    "/models?open=demo-ada",
    "/votes",
    "/votes?import=true",
    "/settings",
)
STREAMS = re.compile("/events$")
QUIET = 4
"""Looks in a row without an open request or another element, after which a page is quiet."""

FOR_ADMINISTRATORS = re.compile(
    "^(Connect models|Add provider|Check now|Voters|Set prior|Import votes|Import|Rebuild|Invite by link|Save)$"
)


@pytest.fixture
def shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Generator[Served]:
    """A shared Parley with guests and sign-up; its first administrator has not come yet."""
    hash_quickly(monkeypatch)
    with serve(tmp_path / "data", mode="shared", guests="on", sign_up="open") as served:
        yield served


Asks = Callable[..., Any]


def asks(page: Page, url: str) -> Asks:
    """Return a function that sends requests as the page's person."""

    def ask(method: str, path: str, body: object = None) -> Any:
        given: dict[str, Any] = {} if body is None else {"data": body}
        answer = page.request.fetch(f"{url}{path}", method=method, headers={"Origin": url}, **given)
        assert answer.ok, (path, answer.text())
        return answer.json() if answer.body() else None

    return ask


class Visit:
    """A browser of its own: its page, and the answers and errors that nobody may meet."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.page = context.new_page()
        self.ask = asks(self.page, url)
        self.wrong: list[str] = []
        self._open: set[Request] = set()
        self.page.on("request", self._started)
        self.page.on("requestfinished", self._ended)
        self.page.on("requestfailed", self._ended)
        self.page.on("response", self._look)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))

    def _started(self, request: Request) -> None:
        self._open.add(request)

    def _ended(self, request: Request) -> None:
        self._open.discard(request)

    def _look(self, response: Response) -> None:
        if response.status in (401, 403):
            self.wrong.append(f"{response.status} {response.request.method} {response.url}")

    def settle(self) -> None:
        """Wait until the page has asked for all that it asks for on its own."""
        quiet, drawn = 0, 0
        while quiet < QUIET:
            self.page.wait_for_timeout(50)
            before, drawn = drawn, self.page.locator("*").count()
            waits = any(not STREAMS.search(request.url) for request in self._open)
            quiet = 0 if waits or drawn != before else quiet + 1


@contextmanager
def somebody(browser: Browser, shared: Served) -> Generator[Visit]:
    """Open a browser of its own."""
    context = browser.new_context(service_workers="block", reduced_motion="reduce")
    context.add_init_script(ON_DEMAND)
    yield Visit(context, shared.url)
    context.close()


def first_secret(caplog: pytest.LogCaptureFixture) -> str:
    said = "\n".join(record.getMessage() for record in caplog.get_records("setup"))
    (secret,) = re.findall(r"/join#([\w-]{43})", said)
    return str(secret)


def walk(visit: Visit, url: str, *more: str, pages: Sequence[str] = PAGES) -> set[str]:
    """Open every page and the palette; return the words of the controls there that are for administrators."""
    page, found = visit.page, set[str]()
    controls = page.locator("button, a, [role=switch]").filter(visible=True)
    for path in (*pages, *more):
        page.goto(f"{url}{path}")
        # Behind a dialog it is there, but hidden from screen readers.
        account = page.get_by_role("button", name=re.compile("^Account: (?!You)"), include_hidden=True)
        expect(account).to_be_visible()
        visit.settle()
        found |= {words for words in controls.all_inner_texts() if FOR_ADMINISTRATORS.search(words.strip())}
    page.keyboard.press("Control+k")
    options = page.get_by_role("option")
    expect(options.first).to_be_visible()
    visit.settle()
    return found | {words for words in options.all_inner_texts() if words.startswith(("Import", "Voters"))}


@pytest.mark.slow
def test_members_guests_and_viewers_meet_nothing_that_is_refused(
    shared: Served, browser: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    url = shared.url
    with somebody(browser, shared) as first:
        ana, ask, wrong = first.page, first.ask, first.wrong
        ask("POST", "/api/auth/link/use", {**account("Ana"), "token": first_secret(caplog)})
        assert {"Connect models", "Check now", "Voters", "Rebuild", "Invite by link"} <= walk(
            first, url, pages=("/", "/leaderboard/overall", "/models", "/settings")
        )
        space = ask("POST", "/api/workspaces", {"name": "Kestrel Labs"})["id"]
        ana.context.add_cookies([{"name": SPACE, "value": space, "url": url}])
        ana.goto(f"{url}/?mode=battle")
        ana.get_by_role("textbox", name="Message").fill("What is a p-value?")
        ana.keyboard.press("Enter")
        expect(ana.get_by_role("region", name="Your vote")).to_be_visible()
        session = ana.url.removeprefix(url)
        assert not wrong, wrong

        with somebody(browser, shared) as second:
            jonas, refused = second.page, second.wrong
            second.ask("POST", "/api/auth/sign-up", account("Jonas"))
            assert walk(second, url) == set()
            body = {"email": account("Jonas")["email"], "role": "viewer"}
            ask("PUT", f"/api/workspaces/{space}/members", body)
            jonas.context.add_cookies([{"name": SPACE, "value": space, "url": url}])
            assert walk(second, url, session) == set()
            jonas.goto(f"{url}{session}")
            expect(jonas.get_by_text("You can read in this workspace")).to_be_visible()
            expect(jonas.get_by_role("textbox", name="Message")).to_have_count(0)
            expect(jonas.get_by_role("region", name="Your vote")).to_have_count(0)
            jonas.get_by_role("button", name="More actions for What is a p-value?").click()
            assert jonas.get_by_role("menuitem").all_inner_texts() == ["Export"]
            assert not refused, refused


def test_a_guest_makes_an_account_of_their_own(shared: Served, browser: Browser) -> None:
    with somebody(browser, shared) as visit:
        page, wrong = visit.page, visit.wrong
        page.goto(shared.url)
        page.get_by_role("button", name="Continue as a guest").click()
        expect(page.get_by_role("button", name="Account: Guest")).to_be_visible()
        wrong.clear()
        assert walk(visit, shared.url) == set()
        assert not wrong, wrong
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Account: Guest").click()
        page.get_by_role("menuitem", name="Create an account").click()
        check_at_every_size(page, "create an account", page.get_by_role("heading", name="Create an account"))
        page.set_viewport_size({"width": 1440, "height": 900})
        page.get_by_label("Name").fill("Mei Tanaka")
        page.get_by_label("E-mail").fill("mei@example.org")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Create account").click()
        expect(page.get_by_role("button", name="Account: Mei Tanaka")).to_be_visible()
        assert not wrong, wrong


def test_a_personal_page_asks_for_neither_people_nor_workspaces(demo: Served, new_page: NewPage) -> None:
    page, asked = new_page("about:blank"), list[str]()
    page.on("request", lambda request: asked.append(request.url.removeprefix(demo.url)))
    # The last question of a page that opens: by then it would have asked for people.
    with page.expect_request("**/api/discoveries"):
        page.goto(demo.url)
        expect(page.get_by_role("button", name="Connect models")).to_be_visible()
    assert not [path for path in asked if re.match("/api/(me(?!/limits)|people|workspaces)", path)]
