"""People in a real browser: the first administrator, an invitation, a workspace, a passkey, and the end of a login."""

import re
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_accessible, check_at_every_size
from tests.browser.servers import Served, serve
from tests.fakes.people import hash_quickly

PASSWORD = "four unrelated wordy words"


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Served]:
    """A shared Parley whose first administrator has not come yet."""
    hash_quickly(monkeypatch)
    with serve(tmp_path / "data", mode="shared") as served:
        # Passkeys are for names.
        yield Served(served.url.replace("127.0.0.1", "localhost"), served.data_dir)


def first_link(shared: Served, caplog: pytest.LogCaptureFixture) -> str:
    said = "\n".join(record.getMessage() for record in caplog.get_records("setup"))
    (secret,) = re.findall(r"/join#([\w-]{43})", said)
    return f"{shared.url}/join#{secret}"


def make_account(page: Page, name: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("E-mail").fill(f"{name.split(maxsplit=1)[0].lower()}@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("button", name=f"Account: {name}")).to_be_visible()


def sign_in(page: Page, name: str) -> None:
    page.get_by_label("E-mail").fill(f"{name}@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def test_an_administrator_invites_somebody_and_both_write_in_a_workspace(
    shared: Served, new_page: NewPage, browser: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    ana = new_page(first_link(shared, caplog))
    make_account(ana, "Ana Ruiz")
    ana.goto(f"{shared.url}/settings")
    ana.get_by_role("button", name="Invite by link").click()
    ana.get_by_role("button", name="Make link").click()
    link = ana.get_by_label("Link", exact=True).input_value()
    ana.get_by_role("button", name="Done").click()

    jonas = browser.new_context(service_workers="block", reduced_motion="reduce").new_page()
    jonas.goto(re.sub(r"^http://[^/]+", shared.url, link))
    expect(jonas.get_by_text("Ana Ruiz invited you as a member.")).to_be_visible()
    make_account(jonas, "Jonas Weber")

    ana.get_by_role("button", name="New workspace").click()
    ana.get_by_label("Name", exact=True).fill("Kestrel")
    ana.get_by_role("button", name="Make workspace").click()
    ana.get_by_role("button", name="Members").click()
    ana.get_by_label("E-mail of a person").fill("jonas@example.org")
    ana.get_by_role("button", name="Add", exact=True).click()
    expect(ana.get_by_role("dialog").get_by_text("Jonas Weber")).to_be_visible()
    ana.get_by_label("Name of the workspace").fill("Kestrel Labs")
    ana.get_by_role("button", name="Rename").click()
    expect(ana.get_by_role("dialog", name="Kestrel Labs")).to_be_visible()
    ana.keyboard.press("Escape")
    ana.get_by_role("button", name="Enter").click()
    expect(ana.get_by_role("button", name="Account: Ana Ruiz")).to_contain_text("Kestrel Labs")
    ana.goto(f"{shared.url}/?mode=chat")
    ana.get_by_role("textbox", name="Message").fill("What is a p-value?")
    ana.keyboard.press("Enter")
    expect(ana).to_have_url(re.compile("/s/"))

    # The link leads to the workspace, whichever space its reader is in.
    jonas.goto(ana.url)
    expect(jonas.get_by_role("region", name="Turn").get_by_text("Ana Ruiz")).to_be_visible()
    jonas.get_by_role("textbox", name="Message").fill("Why is the sky blue?")
    expect(jonas.get_by_role("button", name="Send")).to_be_enabled()
    jonas.keyboard.press("Enter")
    expect(ana.get_by_role("region", name="Turn").get_by_text("Jonas Weber")).to_be_visible()
    jonas.context.close()


def test_a_passkey_signs_in_without_a_password_and_an_ended_login_asks_again(
    shared: Served, new_page: NewPage, caplog: pytest.LogCaptureFixture
) -> None:
    page = new_page(first_link(shared, caplog))
    make_account(page, "Ana Ruiz")
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
    }
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    page.goto(f"{shared.url}/settings#security")
    page.get_by_role("button", name="Add passkey").click()
    page.get_by_role("dialog").get_by_label("Password").fill(PASSWORD)
    page.get_by_role("dialog").get_by_role("button", name="Add passkey").click()
    expect(page.get_by_role("button", name="Remove passkey")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("button", name="Account: Ana Ruiz")).to_be_visible()

    page.request.post(f"{shared.url}/api/auth/logout", headers={"Origin": shared.url})
    page.get_by_role("link", name="Leaderboard").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(page, "ana")
    expect(page.get_by_role("button", name="Account: Ana Ruiz")).to_be_visible()


def check_everything(page: Page, screen: str) -> None:
    check_at_every_size(page, screen, widths=(1440, 820, 390))
    page.set_viewport_size({"width": 1440, "height": 900})


def test_people_are_found_by_kind_and_name_and_every_screen_is_accessible(
    shared: Served, new_page: NewPage, caplog: pytest.LogCaptureFixture
) -> None:
    page = new_page(shared.url)
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    check_everything(page, "sign in")
    page.goto(first_link(shared, caplog))
    expect(page.get_by_label("Name")).to_be_visible()
    check_everything(page, "join")
    make_account(page, "Ana Ruiz")
    for number in range(10):
        page.request.post(
            f"{shared.url}/api/people",
            data={"name": f"Person {number}", "email": f"p{number}@example.org", "password": PASSWORD},
            headers={"Origin": shared.url},
        )
    page.request.post(f"{shared.url}/api/workspaces", data={"name": "Labs"}, headers={"Origin": shared.url})
    page.goto(f"{shared.url}/settings")
    people = page.get_by_role("table", name="People").get_by_role("row")
    expect(people).to_have_count(12)
    check_everything(page, "settings")
    page.get_by_role("button", name="Administrators 1").click()
    expect(people).to_have_count(2)
    page.get_by_role("button", name="People 11").click()
    page.get_by_role("searchbox", name="Search people").fill("P7@")
    expect(people).to_have_count(2)
    expect(people.last).to_contain_text("Person 7")
    for button, title in (
        ("Members", "Labs"),
        ("Invite by link", "Invite"),
        ("Change password", "Change password"),
    ):
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("dialog", name=re.compile(title))).to_be_visible()
        check_everything(page, button)
        page.keyboard.press("Escape")
    page.goto(f"{shared.url}/?mode=chat")
    page.get_by_role("textbox", name="Message").fill("What is a p-value?")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/s/"))
    page.get_by_role("button", name="More actions for What is a p-value?").click()
    page.get_by_role("menuitem", name="Share").click()
    expect(page.get_by_role("dialog", name=re.compile("Share"))).to_be_visible()
    check_everything(page, "share")


def test_an_administrator_reads_who_did_what_and_verifies_the_log(
    shared: Served, new_page: NewPage, caplog: pytest.LogCaptureFixture
) -> None:
    page = new_page(first_link(shared, caplog))
    make_account(page, "Ana Ruiz")
    page.goto(f"{shared.url}/settings")
    page.get_by_role("button", name="Invite by link").click()
    page.get_by_role("button", name="Make link").click()
    page.get_by_role("button", name="Done").click()
    page.reload()
    log = page.get_by_role("table", name="Audit log")
    expect(log.get_by_role("row").nth(1)).to_contain_text("Make an invitation")
    expect(log.get_by_role("row").nth(2)).to_contain_text("Sign in")
    page.get_by_label("Kind of entry").select_option(label="Imported votes")
    expect(page.get_by_text("There are no such entries.")).to_be_visible()
    page.get_by_label("Kind of entry").select_option(label="All entries")
    page.get_by_role("button", name="Verify the log").click()
    expect(page.get_by_text("All 2 entries and 0 votes are as they were written.")).to_be_visible()
    check_accessible(page)


def test_a_rule_of_retention_shows_what_it_deletes_before_it_is_set(
    shared: Served, new_page: NewPage, caplog: pytest.LogCaptureFixture
) -> None:
    page = new_page(first_link(shared, caplog))
    make_account(page, "Ana Ruiz")
    page.goto(f"{shared.url}/settings")
    rule = page.get_by_label("Delete archived sessions")
    rule.select_option(label="After 90 days")
    dialog = page.get_by_role("dialog", name="Delete archived sessions after 90 days?")
    expect(dialog.get_by_text("None of the 0 archived sessions is that old yet.")).to_be_visible()
    check_accessible(page)
    dialog.get_by_role("button", name="Cancel").click()
    expect(rule).to_have_value("")
    rule.select_option(label="After 90 days")
    dialog.get_by_role("button", name="Delete after 90 days").click()
    expect(rule).to_have_value("90")
    rule.select_option(label="After 365 days")  # nothing goes that would have stayed
    expect(rule).to_have_value("365")
