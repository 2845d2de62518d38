"""While the server is away its last sessions can be read; of a battle nothing is kept before the vote."""

from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.servers import Served, serve_as_process
from tests.browser.test_battle import ask

KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    const place = await caches.open(name);
    for (const { url } of await place.keys()) {
      const answer = await place.match(url);
      if (answer) found[new URL(url).pathname] = await answer.text();  // else it was forgotten meanwhile
    }
  }
  return found;
}"""


@pytest.fixture
def profile(browser: Browser) -> Generator[BrowserContext]:
    """A browser whose pages may have a service worker."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    yield context
    context.close()


def chat(page: Page, url: str, question: str) -> str:
    """Ask a demo model; return the session's path."""
    page.goto(f"{url}/?mode=chat")
    ask(page, question)
    expect(page.get_by_label("Metrics")).to_contain_text("First word", timeout=30_000)
    return path_of(page)


def battle(page: Page, url: str, question: str) -> str:
    page.goto(f"{url}/?mode=battle")
    ask(page, question)
    expect(page.get_by_role("button", name="Tie")).to_be_visible(timeout=30_000)
    return path_of(page)


def path_of(page: Page) -> str:
    return page.url.split("?")[0].rsplit("/", 1)[1]


def kept(page: Page) -> dict[str, str]:
    return page.evaluate(KEPT)


def await_kept(page: Page, *sessions: str) -> dict[str, str]:
    """Wait until these sessions are kept; return all that is, by path."""
    page.wait_for_function(
        f"sessions => ({KEPT})().then(found => sessions.every(each => `/api/sessions/${{each}}` in found))",
        arg=sessions,
        polling=100,
    )
    return kept(page)


def test_last_sessions_can_be_read_while_the_server_is_away(tmp_path: Path, profile: BrowserContext) -> None:
    with serve_as_process(tmp_path / "data") as server:
        page = profile.new_page()
        asked = chat(page, server.url, "What is 2 + 2?")
        answer = page.get_by_role("article").last.inner_text()[:40]
        blind = battle(page, server.url, "What is 3 + 4?")
        judged = battle(page, server.url, "What is 1 + 5?")
        page.get_by_role("button", name="Tie").click()
        expect(page.get_by_text("You voted").or_(page.get_by_text("Your vote")).first).to_be_visible()
        found = await_kept(page, asked, judged)
        assert f"/api/sessions/{blind}" not in found
        port = int(server.url.rsplit(":", 1)[1])
        server.kill()
        # A new tab begins with nothing but what was kept.
        away = profile.new_page()
        away.goto(f"{server.url}/s/{asked}")
        expect(
            away.get_by_text("Can’t reach Parley’s server. Recent sessions can still be read")
        ).to_be_visible()
        expect(away.get_by_role("article").last).to_contain_text(answer.splitlines()[0])
        away.get_by_role("complementary", name="Sessions").get_by_role("link", name="What is 3 + 4?").click()
        expect(away.get_by_role("main")).to_contain_text("Can’t reach")
        expect(away.get_by_role("region", name="Assistant A")).to_have_count(0)
        with serve_as_process(tmp_path / "data", port=port):
            expect(away.get_by_text("Recent sessions can still be read")).to_have_count(0, timeout=40_000)
            expect(away.get_by_role("button", name="Tie")).to_be_visible()


def test_what_is_deleted_or_no_longer_wanted_is_not_kept(demo: Served, profile: BrowserContext) -> None:
    page = profile.new_page()
    gone = chat(page, demo.url, "What is 5 + 5?")
    await_kept(page, gone)
    assert page.evaluate("id => fetch(`/api/sessions/${id}`, { method: 'DELETE' }).then((a) => a.ok)", gone)
    stays = chat(page, demo.url, "What is 6 + 6?")
    assert f"/api/sessions/{gone}" not in await_kept(page, stays)
    page.goto(f"{demo.url}/settings")
    page.get_by_role("radiogroup", name="Offline reading").get_by_role("radio", name="Off").click()
    page.goto(f"{demo.url}/s/{stays}")
    expect(page.get_by_label("Metrics")).to_contain_text("First word")
    page.wait_for_function(f"() => ({KEPT})().then(found => Object.keys(found).length === 0)", polling=100)


def test_a_kept_session_has_its_new_title_and_is_forgotten_once_it_is_deleted(
    demo: Served, profile: BrowserContext
) -> None:
    page = profile.new_page()
    renamed = chat(page, demo.url, "What is 19 + 9?")
    await_kept(page, renamed)
    chat(page, demo.url, "What is 3 + 9?")
    sidebar = page.get_by_role("complementary", name="Sessions")
    sidebar.get_by_role("button", name="More actions for What is 19 + 9?").click()
    page.get_by_role("menuitem", name="Rename").click()
    expect(page.get_by_role("textbox", name="Title")).to_be_focused()
    page.keyboard.type("Eighteen")
    page.keyboard.press("Enter")
    expect(sidebar.get_by_role("link", name="Eighteen")).to_be_visible()
    page.wait_for_function(
        f"""place => ({KEPT})().then(found => found[place].includes('"title":"Eighteen"'))""",
        arg=f"/api/sessions/{renamed}",
        polling=100,
    )
    # Deleted from a search, it is forgotten at once: nothing needs to be asked for again.
    sidebar.get_by_role("searchbox").fill("19 + 9")
    expect(sidebar.get_by_role("link", name="What is 3 + 9?")).to_have_count(0)
    sidebar.get_by_role("button", name="More actions for Eighteen").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    assert not [path for path, body in kept(page).items() if "19 + 9" in body]
