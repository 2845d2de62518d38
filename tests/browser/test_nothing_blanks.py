"""Whatever fails, the page stays: a fault, a part that cannot be loaded, a server that is away, a newer build."""

import re
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.servers import Served, serve_as_process
from tests.browser.test_battle import ask


@pytest.fixture
def faulty(browser: Browser) -> Generator[Page]:
    """A page whose console may complain."""
    context = browser.new_context(
        service_workers="block", viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
    )
    yield context.new_page()
    context.close()


def sidebar_stands(page: Page) -> None:
    expect(page.get_by_role("complementary", name="Sessions")).to_be_visible()
    expect(page.get_by_role("link", name="Leaderboard", exact=True)).to_be_visible()


def test_a_fault_of_a_page_leaves_the_frame_and_can_be_retried(demo: Served, faulty: Page) -> None:
    def spoil(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "categories": None})

    faulty.route("**/api/leaderboard?**", spoil)
    faulty.goto(f"{demo.url}/leaderboard/overall")
    main = faulty.get_by_role("main")
    expect(main).to_contain_text("Something went wrong on this page.")
    sidebar_stands(faulty)
    expect(main.get_by_role("button", name="Reload")).to_be_visible()
    main.get_by_role("button", name="Retry").click()
    expect(main).to_contain_text("Something went wrong on this page.")
    faulty.unroute("**/api/leaderboard?**")
    main.get_by_role("button", name="Reload").click()
    expect(main.get_by_role("heading", name="Leaderboard")).to_be_visible()
    expect(main).not_to_contain_text("Something went wrong")


def test_a_fault_of_a_match_leaves_the_composer_and_what_is_typed(demo: Served, faulty: Page) -> None:
    faulty.goto(demo.url)
    ask(faulty, "What is 1 + 2?")
    expect(faulty.get_by_role("button", name="Tie")).to_be_visible(timeout=30_000)
    session = faulty.url.rsplit("/", 1)[1]

    def spoil(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        body["matches"][0]["turns"][0]["replies"] = None
        route.fulfill(response=answer, json=body)

    faulty.route(f"**/api/sessions/{session}", spoil)
    faulty.reload()
    expect(faulty.get_by_role("alert").first).to_contain_text("Something went wrong")
    faulty.get_by_role("textbox", name="Message").fill("still here")
    sidebar_stands(faulty)
    faulty.unroute(f"**/api/sessions/{session}")
    faulty.reload()
    expect(faulty.get_by_role("button", name="Tie")).to_be_visible()
    expect(faulty.get_by_role("textbox", name="Message")).to_have_value("still here")


def test_a_script_that_cannot_be_loaded_is_reported_and_a_missing_part_reloaded_once(
    demo: Served, faulty: Page
) -> None:
    faulty.route(re.compile(r"/assets/index-[^/]+\.js"), lambda route: route.abort())
    faulty.goto(demo.url)
    expect(faulty.get_by_role("alert")).to_contain_text("Parley couldn’t be loaded.")
    faulty.unroute_all()
    faulty.get_by_role("button", name="Reload").click()
    expect(faulty.get_by_role("textbox", name="Message")).to_be_visible()
    # Missing from the beginning: otherwise the page may have fetched it while it was idle.
    missing = re.compile(r"/assets/leaderboard-page-[^/]+\.js")
    faulty.route(missing, lambda route: route.fulfill(status=404))
    faulty.goto(demo.url)
    faulty.get_by_role("textbox", name="Message").fill("half a thought")
    loads: list[str] = []
    faulty.on("load", lambda _: loads.append(faulty.url))
    faulty.get_by_role("link", name="Leaderboard", exact=True).click()
    main = faulty.get_by_role("main")
    expect(main).to_contain_text("Couldn’t load this part of the page.")
    expect(main).to_contain_text("Reloading didn’t help.")
    sidebar_stands(faulty)
    assert len(loads) == 1
    faulty.unroute(missing)
    main.get_by_role("button", name="Reload").click()
    expect(main.get_by_role("radio", name="Intervals")).to_be_visible()
    faulty.get_by_role("link", name="Parley", exact=True).click()
    expect(faulty.get_by_role("textbox", name="Message")).to_have_value("half a thought")


def test_a_server_that_is_away_is_reported_and_its_return_mends_the_page(
    tmp_path: Path, faulty: Page
) -> None:
    with serve_as_process(tmp_path / "data") as first:
        # Not fetched while the page was idle, as it would be before long.
        faulty.route("**/assets/models-page-*.js", lambda route: route.abort())
        faulty.goto(first.url)
        ask(faulty, "What is 2 + 2?")
        expect(faulty.get_by_role("button", name="Tie")).to_be_visible(timeout=30_000)
        faulty.get_by_role("textbox", name="Message").fill("kept")
        port = int(first.url.rsplit(":", 1)[1])
        first.kill()
        strip = faulty.get_by_text("Can’t reach Parley’s server.")
        expect(strip.first).to_be_visible()
        # A part that is needed now comes by itself once the server is back.
        faulty.get_by_role("link", name="Models", exact=True).click()
        expect(faulty.get_by_role("main")).to_contain_text("Couldn’t load this part of the page.")
        sidebar_stands(faulty)
        faulty.unroute("**/assets/models-page-*.js")
        with serve_as_process(tmp_path / "data", port=port):
            expect(faulty.get_by_label("Search models")).to_be_visible(timeout=40_000)
            expect(strip).to_have_count(0)
            faulty.go_back()
            expect(faulty.get_by_role("textbox", name="Message")).to_have_value("kept")


def test_a_page_of_an_older_build_notices_the_newer_one(demo: Served, new_page: NewPage) -> None:
    page = new_page(demo.url)
    expect(page.get_by_role("textbox", name="Message")).to_be_visible()
    notice = page.get_by_text("A new version of Parley is available.")
    with page.expect_response("**/index.html"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.evaluate("() => new Promise(painted => requestAnimationFrame(() => setTimeout(painted)))")
    expect(notice).to_have_count(0)

    def newer(route: Route) -> None:
        answer = route.fetch()
        body = re.sub(r'(name="build" content=)"\w+"', r'\1"another"', answer.text())
        route.fulfill(response=answer, body=body)

    page.route("**/index.html", newer)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(notice).to_be_visible()
    page.unroute("**/index.html")
    page.get_by_role("button", name="Reload page").click()
    expect(notice).to_have_count(0)
