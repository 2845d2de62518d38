"""People who work together, in real browsers: who is there, a workspace's table, and a copy of a shared session."""

import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pyotp.totp import TOTP

from tests.browser.conftest import NewPage
from tests.browser.screens import check_accessible, check_at_every_size
from tests.browser.servers import Served, serve
from tests.browser.test_accounts import PASSWORD, first_link, make_account, sign_in
from tests.fakes.people import hash_quickly
from tests.fakes.running import write_models


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Served]:
    hash_quickly(monkeypatch)
    with serve(tmp_path / "data", mode="shared", guests="on") as served:
        yield served


def send(page: Page, method: str, path: str, body: object = None) -> Any:
    """Send what the page of this browser would; return the JSON."""
    origin = re.sub(r"^(https?://[^/]+).*", r"\1", page.url)
    answer = page.request.fetch(f"{origin}{path}", method=method, data=body, headers={"Origin": origin})
    assert answer.ok, answer.text()
    return answer.json() if answer.text() else None


@pytest.fixture
def ana(shared: Served, new_page: NewPage, caplog: pytest.LogCaptureFixture) -> Page:
    """Return the administrator's page."""
    page = new_page(first_link(shared, caplog))
    make_account(page, "Ana Ruiz")
    return page


@pytest.fixture
def jonas(ana: Page, shared: Served, browser: Browser) -> Generator[Page]:
    """Return the page of a member, in a browser of their own."""
    person = {"name": "Jonas Weber", "email": "jonas@example.org", "password": PASSWORD}
    send(ana, "POST", "/api/people", person)
    page = browser.new_context(service_workers="block", reduced_motion="reduce").new_page()
    page.goto(shared.url)
    sign_in(page, "jonas")
    expect(page.get_by_role("button", name="Account: Jonas Weber")).to_be_visible()
    yield page
    page.context.close()


def a_workspace(ana: Page, shared: Served, *pages: Page) -> str:
    """Make a workspace with both in it, and let these pages enter it."""
    space = str(send(ana, "POST", "/api/workspaces", {"name": "Kestrel Labs"})["id"])
    member = {"email": "jonas@example.org", "role": "editor"}
    send(ana, "PUT", f"/api/workspaces/{space}/members", member)
    for page in pages:
        page.context.add_cookies([{"name": "parley_space", "value": space, "url": shared.url}])
    return space


@pytest.mark.slow
def test_two_people_in_a_session_see_each_other_and_each_others_turns(
    shared: Served, ana: Page, jonas: Page
) -> None:
    a_workspace(ana, shared, ana, jonas)
    chat = {"prompt": "What is a p-value?", "mode": "chat"}
    session = send(ana, "POST", "/api/sessions", chat)["session_id"]
    ana.goto(f"{shared.url}/s/{session}")
    expect(ana.get_by_role("heading", name="What is a p-value?").first).to_be_attached()
    expect(ana.get_by_role("list", name="Also here")).to_have_count(0)
    jonas.goto(f"{shared.url}/s/{session}")
    for page, other in ((ana, "Jonas Weber"), (jonas, "Ana Ruiz")):
        expect(page.get_by_role("list", name="Also here").get_by_text(other)).to_be_attached()
    check_accessible(ana)
    jonas.get_by_role("textbox", name="Message").fill("And a confidence interval?")
    expect(jonas.get_by_role("button", name="Send")).to_be_enabled()
    jonas.keyboard.press("Enter")
    expect(ana.get_by_text("And a confidence interval?").last).to_be_visible()
    expect(ana.get_by_role("paragraph").filter(has_text="Jonas Weber")).to_be_visible()
    jonas.goto(f"{shared.url}/leaderboard/overall")
    expect(ana.get_by_role("list", name="Also here")).to_have_count(0)


@pytest.mark.slow
def test_a_workspace_has_a_table_of_its_own(shared: Served, ana: Page, jonas: Page) -> None:
    a_workspace(ana, shared, ana)
    battle = send(ana, "POST", "/api/sessions", {"prompt": "Which is better?", "mode": "battle"})
    ana.goto(f"{shared.url}/leaderboard/overall?votes=workspace")
    expect(ana.get_by_role("heading", name="No votes in this workspace yet")).to_be_visible()
    send(ana, "POST", f"/api/matches/{battle['match_id']}/vote", {"vote": "left"})
    expect(ana.get_by_text("Too early to say who leads")).to_be_visible()
    expect(ana.get_by_role("radio", name="This workspace")).to_be_checked()
    expect(ana.get_by_role("radio", name="Win rates")).to_have_count(0)
    check_at_every_size(ana, "a workspace's leaderboard", widths=(1440, 820, 390))
    check_accessible(ana)
    ana.set_viewport_size({"width": 1440, "height": 900})
    ana.get_by_role("radio", name="Everybody").click()
    expect(ana).to_have_url(re.compile("/leaderboard/overall$"))
    jonas.goto(f"{shared.url}/leaderboard/overall?votes=workspace")
    expect(jonas.get_by_text("Too early to say who leads")).to_be_visible()
    expect(jonas.get_by_role("radio", name="This workspace")).to_have_count(0)


@pytest.mark.slow
def test_a_stranger_copies_a_shared_session_as_a_guest_and_goes_on(
    shared: Served, ana: Page, browser: Browser
) -> None:
    chat = {"prompt": "What is a linocut?", "mode": "chat"}
    session = send(ana, "POST", "/api/sessions", chat)["session_id"]
    link = send(ana, "POST", f"/api/sessions/{session}/shares", {"live": True})["url"]
    page = browser.new_context(service_workers="block", reduced_motion="reduce").new_page()
    page.goto(re.sub(r"^http://[^/]+", shared.url, link))
    expect(page.get_by_text("What is a linocut?").first).to_be_visible()
    check_at_every_size(page, "a shared page", widths=(1440, 820, 390))
    check_accessible(page)
    answer = page.locator("section").nth(1)
    page.get_by_role("link", name="Replay").click()
    expect(answer).to_be_hidden()
    expect(answer).to_be_visible()
    page.get_by_role("link", name="Copy into my sessions").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_role("button", name="Continue as a guest").click()
    expect(page.get_by_role("heading", name="Copy this session into yours?")).to_be_visible()
    check_at_every_size(page, "copy a session", widths=(1440, 820, 390))
    check_accessible(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="Copy session").click()
    expect(page).to_have_url(re.compile("/s/"))
    expect(page.get_by_role("main").get_by_text("What is a linocut?").first).to_be_visible()
    page.context.close()


def test_a_provider_key_of_ones_own_is_added_replaced_and_removed(
    tmp_path: Path, new_page: NewPage, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    hash_quickly(monkeypatch)
    models = write_models(tmp_path / "models.yaml", "http://127.0.0.1:9/v1", ("ada",))
    with serve(tmp_path / "data", models, mode="shared") as shared:
        said = "\n".join(record.getMessage() for record in caplog.records)
        (secret,) = re.findall(r"/join#([\w-]{43})", said)
        page = new_page(f"{shared.url}/join#{secret}")
        make_account(page, "Ana Ruiz")
        page.goto(f"{shared.url}/settings#provider-keys")
        page.get_by_role("button", name="Add key for near").click()
        dialog = page.get_by_role("dialog", name="Key for near")
        expect(dialog.get_by_label("Key", exact=True)).to_be_focused()
        check_at_every_size(page, "enter a key", widths=(1440, 820, 390))
        check_accessible(page)
        page.set_viewport_size({"width": 1440, "height": 900})
        dialog.get_by_label("Key", exact=True).fill("short")
        dialog.get_by_role("button", name="Save key").click()
        expect(dialog.get_by_role("alert")).to_be_visible()
        dialog.get_by_label("Key", exact=True).fill("sk-mine-0123456789")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Your key …6789 is used.")).to_be_visible()
        page.get_by_role("button", name="Replace key for near").click()
        page.get_by_role("dialog").get_by_label("Key", exact=True).fill("sk-next-9876543210")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Your key …3210 is used.")).to_be_visible()
        kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
        assert not re.search("sk-(mine|next)", kept + page.content())
        page.get_by_role("button", name="Remove key for near").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove key").click()
        expect(page.get_by_text("The installation’s key is used.")).to_be_visible()


@pytest.mark.slow
def test_a_sign_in_rule_is_refused_to_who_does_not_meet_it_and_leads_others_to_a_factor(
    shared: Served, ana: Page, jonas: Page
) -> None:
    ana.goto(f"{shared.url}/settings#rules")
    rule = ana.get_by_label("Require a second factor").get_by_role("radio", name="On")
    rule.click()
    expect(ana.get_by_text("You have no second factor yourself.")).to_be_visible()
    expect(rule).not_to_be_checked()
    check_accessible(ana)
    app = send(ana, "POST", "/api/me/app", {"password": PASSWORD})
    send(ana, "POST", "/api/me/app/confirm", {"code": TOTP(app["secret"]).now()})
    rule.click()
    expect(rule).to_be_checked()
    jonas.goto(shared.url)
    expect(jonas.get_by_role("heading", name="Add a second factor")).to_be_visible()
    check_at_every_size(jonas, "add a factor", widths=(1440, 820, 390))
    check_accessible(jonas)
