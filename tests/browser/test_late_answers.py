"""What a person types stays while the server's answer to what they typed before is on its way."""

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.holding import hold_back
from tests.browser.servers import Served, post


def add(field: Locator, text: str) -> None:
    """Type behind what a field has."""
    field.press("Control+End")
    field.press_sequentially(text)


def test_instructions_that_are_typed_on_while_they_are_saved_stay(demo: Served, new_page: NewPage) -> None:
    page = new_page(f"{demo.url}/settings")
    field = page.get_by_role("textbox", name="Instructions")
    expect(field).to_have_value("")
    let_through = hold_back(page, "**/api/preferences")
    field.fill("Be brief")
    save = page.get_by_role("button", name="Save instructions")
    save.click()
    add(field, " and kind")
    let_through()
    expect(page.get_by_text("Settings for new chats saved.").first).to_be_attached()
    expect(save).to_be_enabled()
    expect(field).to_have_value("Be brief and kind")
    expect(field).to_be_focused()
    page.get_by_role("button", name="Discard changes").click()
    expect(field).to_have_value("Be brief")


def test_a_prompt_that_is_written_on_while_it_is_saved_stays_also_over_a_reload(
    demo: Served, new_page: NewPage
) -> None:
    prompt = post(
        demo, "/api/prompts", {"name": "Night shift", "messages": [{"role": "user", "text": "Write a haiku"}]}
    )["prompt"]["id"]
    page = new_page(f"{demo.url}/lab?prompt={prompt}")
    text = page.get_by_role("textbox", name="Text of message 1")
    expect(text).to_have_value("Write a haiku")
    add(text, " on rain")
    let_through = hold_back(page, f"**/api/prompts/{prompt}/versions")
    page.get_by_role("button", name="Save as v2").click()
    page.get_by_role("button", name="Save version").click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    add(text, " and snow")
    let_through()
    expect(page.get_by_role("button", name="Save as v3")).to_be_visible()
    expect(text).to_have_value("Write a haiku on rain and snow")
    page.reload()
    expect(text).to_have_value("Write a haiku on rain and snow")


def test_a_form_of_a_model_stays_in_use_while_the_catalog_changes_or_cannot_be_had(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page(f"{demo.url}/models")
    page.get_by_role("button", name="Ada (demo)", exact=True).click()
    chance = page.get_by_role("complementary", name="Ada (demo)").get_by_label("Chance of being drawn")
    chance.fill("3")

    def change(route: Route) -> None:
        listed = route.fetch().json()
        for model in listed["models"]:
            model["description"] = "Changed meanwhile"
        route.fulfill(json=listed)

    with page.expect_response("**/api/models"):
        page.route("**/api/models", change)
    painted(page)
    expect(chance).to_be_focused()
    page.unroute("**/api/models", change)
    refused: list[Route] = []
    problem = {"title": "Busy.", "status": 503, "code": "busy"}

    def refuse(route: Route) -> None:
        refused.append(route)
        route.fulfill(status=503, json=problem)

    page.route("**/api/models", refuse)
    with page.expect_response("**/api/models"):
        pass
    painted(page)
    expect(chance).to_have_value("3")
    assert refused


def painted(page: Page) -> None:
    """Wait until the page has drawn what has come."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")


# Types a letter on as the address is written, or several before anything can be drawn.
TYPE = """(field, letters) => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    for (const letter of letters) {
        set.call(field, field.value + letter);
        field.dispatchEvent(new Event("input", { bubbles: true }));
    }
}"""
TYPE_ON = f"""(field) => {{
    const write = history.replaceState.bind(history);
    history.replaceState = (...state) => {{
        write(...state);
        history.replaceState = write;
        ({TYPE})(field, ["o"]);
    }};
}}"""


def test_a_search_in_the_address_never_takes_back_what_was_typed_since(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page(f"{demo.url}/votes")
    field = page.get_by_role("searchbox", name="Search prompts and reasons")
    field.evaluate(TYPE_ON)
    field.press_sequentially("tw")
    page.wait_for_url("**/votes?search=two")
    expect(field).to_have_value("two")
    page.get_by_role("button", name="Clear filters").click()
    expect(field).to_have_value("")
