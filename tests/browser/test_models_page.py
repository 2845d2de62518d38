"""The page of models: what runs here is offered, a provider is added in a dialog, and its models answer at once."""

from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_at_every_size
from tests.browser.servers import Served, post, serve
from tests.fakes.upstream import ScriptedUpstream

KEY = "sk-a-key-that-nobody-may-see"


@pytest.fixture(scope="module")
def upstream() -> Generator[ScriptedUpstream]:
    server = ScriptedUpstream.start_in_thread()
    server.reply("This is a real answer.")
    server.lists("llama3.2:3b", "qwen3:8b", "nomic-embed-text")
    yield server
    server.stop_thread()


@pytest.fixture
def fresh(upstream: ScriptedUpstream, tmp_path: Path) -> Generator[Served]:
    """Parley on an empty folder, which finds the scripted server on this computer."""
    with serve(tmp_path / "data", discover_at=upstream.origin) as served:
        yield served


@pytest.fixture
def alone(tmp_path: Path) -> Generator[Served]:
    """Parley on an empty folder, where nothing is found."""
    with serve(tmp_path / "data") as served:
        yield served


def add_by_address(page: Page, upstream: ScriptedUpstream) -> None:
    """Add the scripted server with a key and two of its models."""
    page.get_by_role("button", name="Add provider").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Another server").click()
    dialog.get_by_label("Name").fill("My server")
    dialog.get_by_label("Address").fill(upstream.url)
    dialog.get_by_label("API key").fill(KEY)
    dialog.get_by_role("button", name="Test connection").click()
    expect(dialog.get_by_text("Connected in")).to_be_visible()
    expect(dialog.get_by_role("checkbox", name="nomic-embed-text")).to_be_disabled()
    dialog.get_by_role("button", name="Select all").click()
    dialog.get_by_role("button", name="Add 2 models").click()
    expect(page.get_by_text("2 models added.")).to_be_visible()


def test_what_runs_on_this_computer_answers_after_two_clicks(fresh: Served, new_page: NewPage) -> None:
    page = new_page(fresh.url)
    page.get_by_role("button", name="Connect models").click()
    page.get_by_role("button", name="Add", exact=False).filter(has_text="Add").first.wait_for()
    page.get_by_role("listitem").get_by_role("button", name="Add ").first.click()
    expect(page.get_by_text("2 models added.")).to_be_visible()
    expect(page.get_by_text("Demo models answer")).to_have_count(0)
    page.get_by_role("textbox", name="Message").fill("Hello?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This is a real answer.")).to_have_count(2)
    expect(page.get_by_role("button", name="Tie")).to_be_visible()


def test_a_key_of_the_environment_answers_after_three_clicks(
    upstream: ScriptedUpstream, tmp_path: Path, new_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def at_the_upstream(route: Route) -> None:
        listed = route.fetch().json()
        known = [
            {**each, "base_url": upstream.url} if each["id"] == "openai" else each for each in listed["known"]
        ]
        route.fulfill(json={**listed, "known": known})

    def as_hosted(route: Route) -> None:
        offer = route.fetch().json()
        models = [{**model, "suggested": model["purpose"] == "chat"} for model in offer["models"]]
        route.fulfill(json={**offer, "models": models})

    with serve(tmp_path / "data") as served:
        page = new_page("about:blank")
        # No test reaches the provider's own address: the upstream takes its place.
        page.route(
            "**/api/providers", lambda route: at_the_upstream(route) if is_get(route) else route.continue_()
        )
        page.route("**/api/providers/test", as_hosted)
        page.goto(served.url)
        page.get_by_role("button", name="Connect models").click()
        page.get_by_role("button", name="Add OpenAI").click()
        page.get_by_role("dialog").get_by_role("button", name="Add 2 models").click()
        expect(page.get_by_text("2 models added.")).to_be_visible()
        page.get_by_role("textbox", name="Message").fill("Hello?")
        page.keyboard.press("Enter")
        expect(page.get_by_text("This is a real answer.")).to_have_count(2)
        assert upstream.chats[-1].headers["authorization"] == f"Bearer {KEY}"
        assert KEY not in page.content()


def is_get(route: Route) -> bool:
    return route.request.method == "GET"


def test_a_provider_that_cannot_be_reached_says_why_and_one_added_by_its_address_answers_at_once(
    alone: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    page = new_page(f"{alone.url}/models")
    expect(page.get_by_text("No model server is running on this computer")).to_be_visible()
    page.get_by_role("button", name="Add provider").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Ollama").click()
    dialog.get_by_label("Address").fill("http://127.0.0.1:9/v1")
    dialog.get_by_role("button", name="Test connection").click()
    expect(dialog.get_by_role("status")).to_contain_text("127.0.0.1:9")
    dialog.get_by_label("Address").fill("nonsense")
    dialog.get_by_role("button", name="Add provider").click()
    expect(dialog.get_by_role("alert")).to_contain_text("must be a web address")
    expect(dialog.get_by_label("Address")).to_have_value("nonsense")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    add_by_address(page, upstream)
    row = page.get_by_role("row", name="llama3.2:3b")
    row.get_by_role("button", name="Chat with llama3.2:3b").click()
    page.get_by_role("textbox", name="Message").fill("Hello?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This is a real answer.")).to_be_visible()
    assert upstream.chats[-1].headers["authorization"] == f"Bearer {KEY}"
    page.goto(f"{alone.url}/models")
    expect(page.get_by_role("button", name="Actions for My server")).to_be_visible()
    assert KEY not in page.content()


def test_providers_and_models_are_changed_and_removed(
    alone: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    page = new_page(f"{alone.url}/models")
    add_by_address(page, upstream)
    page.get_by_role("button", name="Check now").click()
    expect(page.get_by_text("reachable in")).to_contain_text("ms, 3 models")
    page.get_by_role("button", name="Actions for qwen3:8b").click()
    page.get_by_role("menuitem", name="Edit").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Qwen 3")
    page.get_by_label("Reuse answers").select_option(label="For an hour")
    page.get_by_label("If it doesn’t answer").select_option(label="llama3.2:3b")
    page.get_by_role("button", name="Save").click()
    row = page.get_by_role("row", name="Qwen 3")
    expect(row).to_be_visible()
    row.get_by_role("button", name="Actions for Qwen 3").click()
    page.get_by_role("menuitem", name="Edit").click()
    expect(page.get_by_label("Reuse answers")).to_have_value("3600")
    expect(page.get_by_label("If it doesn’t answer").locator("option:checked")).to_have_text("llama3.2:3b")
    page.get_by_label("If it doesn’t answer").select_option(label="Show the error")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    kept = next(
        each
        for each in page.request.get(f"{alone.url}/api/models").json()["models"]
        if each["name"] == "Qwen 3"
    )
    assert (kept["cache_s"], kept["fallback"]) == (3600, None)
    team = {"mode": "team", "name": "Night shift", "seats": {"a": kept["id"], "b": kept["id"]}}
    post(alone, "/api/presets", team)
    row.get_by_role("button", name="Actions for Qwen 3").click()
    page.get_by_role("menuitem", name="Disable").click()
    expect(row.get_by_text("disabled")).to_be_visible()
    row.get_by_role("button", name="Actions for Qwen 3").click()
    page.get_by_role("menuitem", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("alert")).to_contain_text("These would stop working:Night shift Team")
    page.get_by_role("button", name="Remove anyway").click()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Actions for My server").click()
    page.get_by_role("menuitem", name="Edit").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("API key")).to_have_value("")
    dialog.get_by_label("Address").fill(upstream.url.replace("127.0.0.1", "localhost"))
    expect(dialog.get_by_text("enter the key again")).to_be_visible()
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Actions for My server").click()
    page.get_by_role("menuitem", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Actions for My server")).to_have_count(0)
    expect(page.get_by_role("row", name="Ada (demo)")).to_be_visible()


def test_the_model_list_is_shown_as_such_and_read_again(
    upstream: ScriptedUpstream, tmp_path: Path, new_page: NewPage
) -> None:
    models = tmp_path / "models.yaml"
    entry = f"{{id: tiny, name: Tiny, connector: openai, base_url: {upstream.url}, model: tiny}}"
    models.write_text(f"models:\n  - {entry}\n", "utf-8")
    with serve(tmp_path / "data", models) as served:
        page = new_page(f"{served.url}/models")
        expect(page.get_by_role("row", name="Tiny")).to_be_visible()
        expect(page.get_by_text("From the model list")).to_be_visible()
        expect(page.get_by_role("button", name="Actions for Tiny")).to_have_count(0)
        models.write_text("models:\n  - {id: tiny, nonsense: 1}\n", "utf-8")
        expect(page.get_by_role("alert")).to_contain_text("models.yaml:2", timeout=15_000)
        small = entry.replace("tiny", "small").replace("Tiny", "Small")
        models.write_text(f"models:\n  - {entry}\n  - {small}\n", "utf-8")
        expect(page.get_by_role("alert")).to_have_count(0, timeout=15_000)
        expect(page.get_by_role("row", name="Small")).to_be_visible(timeout=15_000)


@pytest.mark.slow
def test_the_page_of_models_is_accessible_and_fits(
    fresh: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    page = new_page(f"{fresh.url}/models")
    widths = (1440, 390)
    expect(page.get_by_role("heading", name="Found on this computer")).to_be_visible()
    expect(page.get_by_role("button", name="Look again")).to_be_enabled()
    check_at_every_size(page, "models", widths=widths)
    page.get_by_role("button", name="Add provider").first.click()
    expect(page.get_by_role("button", name="OpenAI", exact=True)).to_be_visible()
    check_at_every_size(page, "known providers", widths=widths)
    page.get_by_role("dialog").get_by_role("button", name="Another server").click()
    page.get_by_label("Address").fill(upstream.url)
    page.get_by_role("button", name="Test connection").click()
    expect(page.get_by_role("checkbox", name="llama3.2:3b")).to_be_visible()
    check_at_every_size(page, "models to add", widths=widths)
