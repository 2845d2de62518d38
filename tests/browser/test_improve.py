"""The tab Improve in a real browser: from a quote to a better prompt, its difference, and a new version."""

import re
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.api.test_improve import CHECKS, HELD_OUT, PLANTED, TRAINING, VALIDATION, answer, rows_of
from tests.browser.conftest import NewPage
from tests.browser.screens import check_accessible, check_at_every_size
from tests.browser.servers import Served, post, serve
from tests.fakes.running import write_models
from tests.fakes.upstream import ScriptedUpstream


@pytest.fixture
def adding(upstream: ScriptedUpstream, tmp_path: Path) -> Generator[Served]:
    """A Parley whose model adds numbers, better with the planted words; another one knows them."""
    upstream.answers_by(answer)
    with serve(
        tmp_path / "data", write_models(tmp_path / "models.yaml", upstream.url, ("ada", "bob"))
    ) as served:
        yield served


def in_lab(served: Served, page_of: NewPage) -> Page:
    """Return the tab of a prompt with rows of each split."""
    messages = [{"role": "user", "text": "What is {{sum}}?"}]
    body = {"name": "Sums", "messages": messages, "checks": CHECKS, "model": "ada"}
    prompt = post(served, "/api/prompts", body)["prompt"]
    rows = [
        *rows_of(100, TRAINING, "train"),
        *rows_of(200, VALIDATION, "validation"),
        *rows_of(300, HELD_OUT, "holdout"),
    ]
    post(served, "/api/lab/datasets", {"name": "Numbers", "rows": rows})
    return page_of(f"{served.url}/lab?prompt={prompt['id']}&tab=improve")


def test_a_better_prompt_is_found_shown_and_saved(adding: Served, new_page: NewPage) -> None:
    page = in_lab(adding, new_page)
    expect(page.get_by_text("At most 134 calls")).to_be_visible()
    check_at_every_size(page, "the plan of a search", page.get_by_role("button", name="Start search"))
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_label("Model that rewrites").select_option("bob")
    start = page.get_by_role("button", name="Start search")
    expect(start).to_be_enabled()
    start.click()
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text(
        re.compile(r"\+66\.7 points, 95% interval .* on 12 unseen rows"), timeout=40_000
    )
    tree = page.get_by_role("group", name="Candidates")
    expect(tree.get_by_role("button", name="Candidate 1")).to_have_attribute("aria-pressed", "true")
    candidate = page.get_by_role("region", name="Candidate")
    expect(candidate.get_by_role("group", name="Difference")).to_contain_text(PLANTED)
    check_at_every_size(page, "a search", result)
    page.set_viewport_size({"width": 1440, "height": 900})
    candidate.get_by_role("button", name="Save as new version").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Note").fill("Found by Improve")
    dialog.get_by_role("button", name="Save version").click()
    expect(candidate).to_contain_text("Saved as v2")
    page.get_by_role("tab", name="Versions").click()
    expect(page.get_by_role("list", name="Versions")).to_contain_text("Found by Improve")
    page.get_by_role("tab", name="Data").click()
    page.get_by_role("button", name="Add lost battles").click()
    expect(dialog).to_contain_text("Model that lost")
    check_accessible(page)
    dialog.get_by_role("button", name="Add rows").click()
    expect(page.get_by_text("You have no votes against “ada”")).to_be_visible()
