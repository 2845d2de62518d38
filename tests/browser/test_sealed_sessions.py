"""Sealed sessions in a real browser: the key is made, wrapped and opened in the page."""

from pathlib import Path

import msgspec
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.servers import Served
from tests.browser.test_battle import ask
from tests.fakes.upstream import ScriptedUpstream

SECRET, ANSWER = "My velvet giraffe", "The copper answer"
PASSPHRASE = "correct horse battery staple"


def named(url: str) -> str:
    """Return an address with a name: browsers have passkeys for names alone."""
    return url.replace("127.0.0.1", "localhost")


def written_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def open_new(new_page: NewPage, served: Served) -> Page:
    page = new_page(f"{named(served.url)}/?mode=chat")
    page.get_by_role("button", name="Seal this session").click()
    return page


def test_a_passphrase_opens_a_sealed_chat_and_nothing_else_does(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply(ANSWER, model="up-alpha")
    upstream.reply("And more", model="up-alpha")
    page = open_new(new_page, connected)
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Passphrase").click()
    dialog.get_by_role("textbox", name="Passphrase", exact=True).fill(PASSPHRASE)
    dialog.get_by_label("Passphrase again").fill(PASSPHRASE)
    dialog.get_by_role("button", name="Seal this session").click()
    expect(page.get_by_role("button", name="Sealed", exact=True)).to_have_attribute("aria-pressed", "true")
    ask(page, SECRET)
    expect(page.get_by_text(ANSWER)).to_be_visible()
    ask(page, "And what else?")
    expect(page.get_by_text("And more")).to_be_visible()
    stored = page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.title])")
    assert SECRET not in stored
    assert "Sealed session" in msgspec.json.decode(stored)[2]

    page.reload()
    expect(page.get_by_role("heading", name="This session is sealed")).to_be_visible()
    page.get_by_label("Passphrase").fill("another horse entirely")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_contain_text("not the passphrase")
    page.get_by_label("Passphrase").fill(PASSPHRASE)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_text(ANSWER)).to_be_visible()
    page.get_by_role("button", name="Close this sealed session").click()
    expect(page.get_by_role("heading", name="This session is sealed")).to_be_visible()
    assert SECRET.encode() not in written_in(connected.data_dir)


def test_a_passkey_wraps_the_key_by_its_prf_extension(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply(ANSWER, model="up-alpha")
    page = open_new(new_page, connected)
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = dict.fromkeys(("hasResidentKey", "hasUserVerification", "isUserVerified", "hasPrf"), True)
    options |= {"protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal"}
    options |= {"automaticPresenceSimulation": True}
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    page.get_by_role("button", name="Create a passkey first").click()
    expect(page.get_by_role("button", name="Sealed", exact=True)).to_be_visible()
    ask(page, SECRET)
    expect(page.get_by_text(ANSWER)).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Open with passkey").click()
    expect(page.get_by_text(ANSWER)).to_be_visible()
    assert SECRET.encode() not in written_in(connected.data_dir)
