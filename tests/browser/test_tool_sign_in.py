"""Sign-in at a server of tools in a real browser: over the server's own page and back, refused, and expired."""

from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_accessible
from tests.browser.servers import Served, serve
from tests.browser.test_battle import ask
from tests.fakes.mcp_signed import SignedServer

CALL = "Use signed_whoami with {}"


@pytest.fixture
def server() -> Generator[SignedServer]:
    server = SignedServer()
    server.accounts.asks = True
    with server.in_thread():
        yield server


@pytest.fixture
def parley(server: SignedServer, tmp_path: Path) -> Generator[Served]:
    setting = {"name": "signed", "title": "Signed", "url": server.url}
    with serve(tmp_path / "data", tool_servers=[setting]) as served:
        yield served


def test_a_person_signs_in_at_a_server_of_tools_and_a_model_calls_as_them(
    server: SignedServer, parley: Served, new_page: NewPage
) -> None:
    page = new_page(f"{parley.url}/settings#tools")
    tools = page.get_by_role("region", name="Tools")
    tools.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("link", name="Refuse").click()
    expect(tools.get_by_role("alert")).to_contain_text("Signed")
    check_accessible(page)
    assert server.accounts.access == {}

    tools.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("link", name="Allow").click()
    expect(tools.get_by_text("Signed in as you at")).to_be_in_viewport()
    expect(tools.get_by_text("Signed: signed_whoami")).to_be_visible()
    expect(tools.get_by_role("alert")).to_have_count(0)

    page.goto(f"{parley.url}/?mode=chat")
    ask(page, CALL)
    call = page.get_by_role("button", name="signed_whoami ada")
    expect(call).to_be_visible()

    server.accounts.end_tokens("ada")
    server.accounts.refresh.clear()
    ask(page, CALL)
    expect(page.get_by_text("Signed wants to know who asks.")).to_be_visible()
    server.accounts.account = "ben"
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("link", name="Allow").click()
    expect(page.get_by_text("You are signed in at Signed now.")).to_be_visible()
    ask(page, CALL)
    expect(page.get_by_role("button", name="signed_whoami ben")).to_be_visible()
