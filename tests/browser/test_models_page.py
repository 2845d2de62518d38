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
    expect(dialog.get_by_role("checkbox", name="Nomic Embed Text")).to_be_disabled()
    dialog.get_by_role("button", name="Select all").click()
    dialog.get_by_role("button", name="Add 2 models").click()
    expect(page.get_by_text("2 models added.")).to_be_visible()


def test_what_runs_on_this_computer_answers_after_two_actions(fresh: Served, new_page: NewPage) -> None:
    page = new_page(fresh.url)
    examples = page.get_by_role("list", name="Examples")
    expect(page.get_by_role("region", name="Found on this computer")).to_contain_text("is running")
    of_demo = examples.inner_text()
    check_at_every_size(page, "an offer", page.get_by_role("button", name="Use its 2 models"))
    page.get_by_role("button", name="Use its 2 models").click()
    expect(page.get_by_text("2 models added.")).to_be_visible()
    expect(page.get_by_text("Demo models answer")).to_have_count(0)
    # What the demo models can answer is not what people ask of others.
    expect(examples).not_to_have_text(of_demo)
    examples.get_by_role("button").first.click()
    expect(page.get_by_text("This is a real answer.")).to_have_count(2)
    expect(page.get_by_role("button", name="Tie")).to_be_visible()


def test_a_key_of_the_environment_answers_after_two_clicks(
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
        page.get_by_role("button", name="Choose models").click()
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
    page.get_by_role("button", name="Discard").click()
    expect(dialog).to_have_count(0)
    add_by_address(page, upstream)
    page.get_by_role("button", name="Llama 3.2 3B", exact=True).click()
    page.get_by_role("button", name="Chat with Llama 3.2 3B").click()
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
    drawer = page.get_by_role("complementary", name="Qwen3 8B")
    page.get_by_role("button", name="Qwen3 8B", exact=True).click()
    expect(drawer.get_by_label("Maker")).to_have_value("Alibaba")
    expect(drawer.get_by_text("from the name")).to_have_count(4)
    drawer.get_by_label("Name").fill("Qwen 3")
    drawer.get_by_label("Licence").fill("")
    drawer.get_by_label("Input price").fill("0.5")
    expect(drawer.get_by_role("alert")).to_have_text("Enter both prices, or neither.")
    drawer.get_by_label("Output price").fill("1.5")
    drawer.get_by_label("Reuse answers").select_option(label="For an hour")
    drawer.get_by_label("If it doesn’t answer").select_option(label="Llama 3.2 3B")
    drawer.get_by_role("button", name="Save").click()
    expect(drawer).to_have_count(0)
    row = page.get_by_role("row", name="Qwen 3")
    expect(row).to_contain_text("0.5 / 1.5")
    kept = next(
        each
        for each in page.request.get(f"{alone.url}/api/models").json()["models"]
        if each["name"] == "Qwen 3"
    )
    assert (kept["cache_s"], kept["fallback"]) == (3600, "llama3.2-3b")
    assert (kept["license"], kept["organization"]) == ("", "Alibaba")
    team = {"mode": "team", "name": "Night shift", "seats": {"a": kept["id"], "b": kept["id"]}}
    post(alone, "/api/presets", team)
    row.get_by_role("checkbox").check()
    bar = page.get_by_role("region", name="Selected models")
    bar.get_by_role("button", name="Pause").click()
    expect(row.get_by_text("Paused")).to_be_visible()
    bar.get_by_role("button", name="Remove").click()
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


def test_several_models_are_described_at_once_and_one_that_nobody_knows_in_three_actions(
    alone: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    models = [{"model": name} for name in ("lab-v1", "lab-v2", "lab-v3")]
    post(alone, "/api/providers", {"name": "Lab", "base_url": upstream.url, "models": models})
    page = new_page(f"{alone.url}/models")
    page.get_by_role("button", name="Describe lab-v1").click()
    expect(page.get_by_label("Maker")).to_be_focused()
    page.keyboard.type("Us")
    page.keyboard.press("Enter")
    expect(page.get_by_role("row", name="lab-v1")).to_contain_text("Us · Lab")
    page.get_by_role("checkbox", name="Select all models").check()
    page.get_by_role("checkbox", name="Select lab-v1").uncheck()
    bar = page.get_by_role("region", name="Selected models")
    bar.get_by_role("button", name="Edit").click()
    drawer = page.get_by_role("complementary", name="Edit 2 models")
    drawer.get_by_label("Family").fill("Labby")
    drawer.get_by_role("button", name="Save").click()
    expect(page.get_by_role("cell", name="Labby", exact=True)).to_have_count(2)
    bar.get_by_role("button", name="Add to pool").click()
    expect(page.get_by_role("switch", name="lab-v2 in the battle pool")).to_be_checked()
    expect(page.get_by_role("switch", name="lab-v1 in the battle pool")).not_to_be_checked()


def test_the_pool_is_changed_in_two_actions_where_it_is_shown(alone: Served, new_page: NewPage) -> None:
    page = new_page(alone.url)
    page.get_by_role("button", name="Pool: 7 models").click()
    page.get_by_role("checkbox", name="Ada (demo)").click()
    expect(page.get_by_text("6 can be drawn now")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Pool: 6 models")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Pool: 6 models")).to_be_visible()


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
        page.get_by_role("button", name="Tiny", exact=True).click()
        expect(page.get_by_text("This model is in the model list.")).to_be_visible()
        expect(page.get_by_label("Maker")).to_have_count(0)
        models.write_text("models:\n  - {id: tiny, nonsense: 1}\n", "utf-8")
        expect(page.get_by_role("alert")).to_contain_text("models.yaml:2")
        small = entry.replace("tiny", "small").replace("Tiny", "Small")
        models.write_text(f"models:\n  - {entry}\n  - {small}\n", "utf-8")
        expect(page.get_by_role("alert")).to_have_count(0)
        expect(page.get_by_role("row", name="Small")).to_be_visible()


@pytest.mark.slow
def test_the_page_of_models_is_accessible_and_fits(
    fresh: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    page = new_page(f"{fresh.url}/models")
    widths = (1440, 390)
    expect(page.get_by_role("heading", name="Found on this computer")).to_be_visible()
    expect(page.get_by_role("button", name="Look again")).to_be_enabled()
    check_at_every_size(page, "models", widths=widths)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="Ada (demo)", exact=True).click()
    page.get_by_role("checkbox", name="Select Ada (demo)").check()
    check_at_every_size(page, "a model beside the list", widths=(1440,))
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Add provider").first.click()
    expect(page.get_by_role("button", name="OpenAI", exact=True)).to_be_visible()
    check_at_every_size(page, "known providers", widths=widths)
    page.get_by_role("dialog").get_by_role("button", name="Another server").click()
    page.get_by_label("Address").fill(upstream.url)
    page.get_by_role("button", name="Test connection").click()
    expect(page.get_by_role("checkbox", name="Llama 3.2 3B")).to_be_visible()
    check_at_every_size(page, "models to add", widths=widths)
