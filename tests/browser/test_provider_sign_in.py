"""Sign-in with another provider's account in a real browser, which says from which site it comes."""

import warnings
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.servers import Served, serve
from tests.fakes.people import hash_quickly

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    oidc_provider_mock = pytest.importorskip("oidc_provider_mock")

# The provider's own libraries warn of each other.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Served]:
    """A shared Parley at 127.0.0.1 whose provider is at localhost, which for a browser is another site."""
    hash_quickly(monkeypatch)
    claims = {"email": "jonas@example.org", "email_verified": True, "name": "Jonas Weber"}
    known = oidc_provider_mock.User(sub="jonas", claims=claims)
    with oidc_provider_mock.run_server_in_thread(user_claims=[known]) as server:
        issuer = f"http://localhost:{server.server_port}"
        acme = {"id": "acme", "name": "Acme", "issuer": issuer, "client_id": "us", "client_secret": "s"}
        with serve(tmp_path / "data", mode="shared", sign_in_with=[acme]) as served:
            yield served


def test_a_browser_comes_back_from_the_provider_signed_in(shared: Served, new_page: NewPage) -> None:
    page = new_page(shared.url)
    page.get_by_role("link", name="Sign in with Acme").click()
    page.get_by_role("textbox").first.fill("jonas")
    page.get_by_role("button").first.click()
    expect(page.get_by_role("button", name="Account: Jonas Weber")).to_be_visible()
    assert page.url.startswith(shared.url)
