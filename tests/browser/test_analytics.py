"""The analytics: figures of what was asked, as a chart, a table and a file, on every screen."""

import time
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_at_every_size
from tests.browser.servers import Served, get, post, serve


@pytest.fixture
def served(tmp_path: Path) -> Generator[Served]:
    with serve(tmp_path / "data") as served:
        yield served


def test_what_was_asked_is_counted_drawn_listed_and_saved(served: Served, new_page: NewPage) -> None:
    page = new_page(f"{served.url}/analytics")
    expect(page.get_by_text("No model was asked in this range")).to_be_visible()
    model = get(served, "/api/models")["models"][0]
    post(
        served,
        "/api/sessions",
        {"prompt": "Why is the sky blue?", "mode": "chat", "seats": {"assistant": model["id"]}},
    )
    while get(served, "/api/usage?measure=requests")["total"] == [0]:
        time.sleep(0.1)
    page.goto(f"{served.url}/analytics?of=me&days=7")
    expect(page.get_by_role("radio", name="7 days")).to_have_attribute("aria-checked", "true")
    tokens = page.get_by_role("region", name="Tokens a day", exact=True)
    expect(tokens.get_by_role("img")).to_be_visible()
    tokens.get_by_role("radio", name="Table").click()
    expect(tokens.get_by_role("table").get_by_role("row")).to_have_count(2)
    with page.expect_download() as saving:
        tokens.get_by_role("button", name="Save Tokens as CSV").click()
    assert saving.value.path().read_text("utf-8").startswith("day,input_tokens,cached_tokens")
    page.get_by_label("Model", exact=True).select_option(label=model["name"])
    expect(page).to_have_url(f"{served.url}/analytics?of=me&days=7&model={model['id']}")
    expect(page.get_by_text("Not filtered by model.").first).to_be_visible()
    check_at_every_size(page, "analytics", tokens)
