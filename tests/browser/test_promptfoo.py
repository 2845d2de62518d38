"""promptfoo's configs, the plot of cost and quality, and questions of sessions, in a real browser."""

from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_at_every_size
from tests.browser.servers import Served, serve

CONFIG = """\
description: Capitals
prompts: [file://prompts/brief.txt, "What is the capital of {{country}}?"]
tests:
  - vars: {country: France}
    assert: [{type: icontains, value: Paris}, {type: similar, value: Paris}]
  - vars: {country: Italy}
    assert: [{type: llm-rubric, value: names Rome}]
"""


@pytest.fixture
def empty(tmp_path: Path) -> Generator[Served]:
    """A Parley with the demo models that nobody else uses."""
    with serve(tmp_path / "data") as served:
        yield served


def test_a_promptfoo_config_is_previewed_imported_run_and_plotted(
    empty: Served, new_page: NewPage, tmp_path: Path
) -> None:
    config, beside = tmp_path / "promptfooconfig.yaml", tmp_path / "brief.txt"
    config.write_text(CONFIG)
    beside.write_text("In one word: the capital of {{country}}?")
    page = new_page(f"{empty.url}/lab")
    files = page.get_by_label("promptfoo config and the files that it names")
    expect(page.get_by_role("button", name="Start with an example")).to_be_visible()
    expect(files).to_have_count(1)
    files.set_input_files(config)
    dialog = page.get_by_role("dialog", name="Import promptfooconfig.yaml")
    expect(dialog.get_by_role("status")).to_have_text("1 prompt, 2 rows, 1 check")
    expect(dialog).to_contain_text("promptfooconfig.yaml:7")
    expect(dialog).to_contain_text("Missing: prompts/brief.txt")
    files.set_input_files(beside)
    expect(dialog.get_by_role("status")).to_have_text("2 prompts, 2 rows, 1 check")
    dialog.get_by_label("Judge").select_option("demo-ada")
    expect(dialog.get_by_role("status")).to_have_text("2 prompts, 2 rows, 2 checks")
    check_at_every_size(page, "an import", dialog)
    page.set_viewport_size({"width": 1440, "height": 900})
    dialog.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("heading", name="Capitals")).to_be_visible()
    page.get_by_role("tab", name="Data").click()
    expect(page.get_by_role("link", name="Export for promptfoo")).to_be_visible()
    page.get_by_role("tab", name="Runs").click()
    page.get_by_role("button", name="Start run").click()
    page.get_by_role("radio", name="Cost and quality").click(timeout=40_000)
    plot = page.get_by_role("region", name="Cost and quality")
    expect(plot).to_contain_text("for 1,000 answers", timeout=40_000)
    check_at_every_size(page, "cost and quality", plot)


def test_a_question_of_a_session_is_added_to_a_new_data_set(empty: Served, new_page: NewPage) -> None:
    page = new_page(f"{empty.url}/?mode=chat")
    box = page.get_by_role("textbox").first
    box.fill("Why is the sky blue?")
    box.press("Enter")
    expect(page.get_by_role("button", name="Copy answer")).to_be_visible(timeout=40_000)
    page.get_by_role("button", name="More actions for your question").click()
    page.get_by_role("menuitem", name="Add to a data set…").click()
    dialog = page.get_by_role("dialog", name="Add question to a data set")
    dialog.get_by_label("Name").fill("Colours")
    expect(dialog.get_by_label("Variable")).to_have_value("question")
    dialog.get_by_role("button", name="Add question").click()
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("table", name="Colours")).to_contain_text("Why is the sky blue?")
