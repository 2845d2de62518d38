"""The frame around every mode: sidebar, palette, themes, widths, budget."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import NewPage
from tests.browser.holding import hold_back
from tests.browser.screens import check_at_every_size, check_screen
from tests.browser.servers import Served
from tests.browser.test_battle import ask

NOTHING_COMES = """() => new Promise(async settled => {
  const count = () => performance.getEntriesByType("resource").length
  let before = count()
  for (let frame = 0; frame < 30; frame += 1) {
    await new Promise(requestAnimationFrame)
    if (count() !== before) [before, frame] = [count(), 0]
  }
  settled(true)
})"""
"""Nothing was loaded for the time of many frames."""

MAX_JAVASCRIPT = 200_000
"""Bytes of compressed JavaScript of the first load."""


def test_sessions_are_renamed_deleted_brought_back_and_found(demo: Served, new_page: NewPage) -> None:
    page = new_page(demo.url)
    ask(page, "How many days are between 2024-01-01 and 2024-03-01?")
    sidebar = page.get_by_role("complementary", name="Sessions")
    link = sidebar.get_by_role("link", name="How many days are between")
    expect(link).to_be_visible()
    sidebar.get_by_role("button", name="More actions for How many days").click()
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_role("textbox", name="Title").fill("Days in winter")
    page.keyboard.press("Enter")
    renamed = sidebar.get_by_role("link", name="Days in winter")
    expect(renamed).to_be_visible()
    sidebar.get_by_role("button", name="More actions for Days in winter").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(renamed).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(renamed).to_be_visible()
    # It was open when it was deleted, and is again.
    expect(page).to_have_url(re.compile("/s/"))
    page.get_by_label("Search sessions").fill("2024-03")
    expect(renamed).to_be_visible()
    page.get_by_label("Search sessions").fill("no such words")
    expect(renamed).to_have_count(0)


def test_the_palette_finds_by_name_first_and_opens_pages_and_modes(demo: Served, new_page: NewPage) -> None:
    page = new_page(demo.url)
    expect(page.get_by_role("textbox", name="Message")).to_be_visible()
    for sought, address in (("leader", "/leaderboard/overall"), ("method", "/leaderboard/method")):
        page.keyboard.press("Control+k")
        page.get_by_role("combobox").fill(sought)
        expect(page.get_by_role("option", selected=True)).to_contain_text(sought.title())
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{address}")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Command palette")).to_be_visible()
    page.keyboard.type("mode chat")
    expect(page.get_by_role("option", name="Chat One model")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name="Chat")).to_be_checked()
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("hortcuts")


def test_a_new_session_begins_in_the_mode_that_was_last_chosen_by_hand(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page(demo.url)
    new = page.get_by_role("button", name="New", exact=True)

    def begins_in(mode: str) -> None:
        new.click()
        page.wait_for_url(lambda address: "mode=" not in address and "/s/" not in address)
        expect(page.get_by_role("radio", name=mode)).to_be_checked()

    page.get_by_role("radio", name="Team").click()
    begins_in("Team")
    # Neither a link to another mode, nor what is asked there, nor an old session is a choice.
    page.goto(f"{demo.url}/?mode=chat")
    ask(page, "What is 2 + 3?")
    expect(page.get_by_label("Metrics").first).to_be_visible(timeout=40_000)
    begins_in("Team")
    page.get_by_role("complementary").get_by_role("link", name="What is 2 + 3?").first.click()
    ask(page, "What is 2 + 4?")
    expect(page.get_by_label("Metrics")).to_have_count(2, timeout=40_000)
    begins_in("Team")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").fill("mode battle")
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name="Battle")).to_be_checked()
    begins_in("Battle")


def test_what_is_typed_before_the_palette_has_loaded_is_searched_in_it(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page("about:blank")
    let_through = hold_back(page, re.compile(r"/assets/palette-[^/]*\.js"))
    page.goto(demo.url)
    message = page.get_by_role("textbox", name="Message")
    expect(message).to_be_focused()
    page.keyboard.press("Control+k")
    page.keyboard.type("leader")
    expect(page.get_by_role("dialog", name="Command palette").get_by_role("searchbox")).to_have_value(
        "leader"
    )
    let_through()
    expect(page.get_by_role("option", selected=True)).to_contain_text("Leader")
    page.keyboard.type("b")
    expect(page.get_by_role("combobox")).to_have_value("leaderb")
    page.keyboard.press("Enter")
    page.wait_for_url("**/leaderboard/overall")
    page.goto(demo.url)
    expect(message).to_have_value("")


def test_the_palettes_key_acts_before_the_page_listens(demo: Served, new_page: NewPage) -> None:
    page = new_page("about:blank")
    let_through = hold_back(page, re.compile(r"/assets/index-[^/]*\.js"))
    page.goto(demo.url, wait_until="commit")
    expect(page.locator("#root")).to_be_attached()
    page.keyboard.press("Control+k")
    page.keyboard.type("leaderx")
    page.keyboard.press("Backspace")
    let_through()
    expect(page.get_by_role("combobox")).to_have_value("leader")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("board")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Leader")
    page.keyboard.press("Enter")
    page.wait_for_url("**/leaderboard/overall")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox")).to_have_value("")


def test_what_is_typed_before_saved_line_ups_have_loaded_is_the_name_of_this_one(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page("about:blank")
    saved = page.get_by_role("button", name=re.compile("^Saved consorti"))
    for name, listed in (("Night", "No saved line-ups"), ("Day", "Night shift")):
        let_through = hold_back(page, re.compile(r"/assets/preset-[^/]*\.js"))
        page.goto(f"{demo.url}/?mode=consortium")
        saved.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.type(name)
        let_through()
        expect(page.get_by_role("dialog").get_by_text(listed)).to_be_visible()
        page.keyboard.type(" shift")
        expect(page.get_by_role("textbox", name="Name")).to_have_value(f"{name} shift")
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"“{name} shift” saved")).to_be_visible()
    # Once it is loaded, the cursor is in the field at once.
    saved.click()
    expect(page.get_by_role("textbox", name="Name")).to_be_focused()
    for name in ("Night", "Day"):
        page.get_by_role("button", name=f"Delete {name} shift").click()


def test_what_is_typed_before_the_model_list_has_loaded_is_searched_in_it(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page("about:blank")
    for mode, chip in (("chat", re.compile("^Model: ")), ("consortium", "Arbiter: Vera (demo)")):
        let_through = hold_back(page, re.compile(r"/assets/(model-picker|seat-choice)-[^/]*\.js"))
        page.goto(f"{demo.url}/?mode={mode}")
        page.get_by_role("button", name=chip).click()
        page.keyboard.type("pic")
        let_through()
        search = page.get_by_role("combobox")
        expect(search).to_have_value("pic")
        expect(search).to_be_focused()
        page.keyboard.type("o")
        expect(page.get_by_role("option")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=re.compile(r"^(Model|Arbiter): Pico"))).to_be_visible()
        expect(page.get_by_role("textbox", name="Message")).to_have_value("")


def test_a_draft_survives_a_reload_another_mode_and_addresses_that_lead_nowhere(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page(demo.url)
    message, main = page.get_by_role("textbox", name="Message"), page.get_by_role("main")
    message.fill("half a thought")
    page.get_by_role("radio", name="Chat").click()
    expect(message).to_have_value("half a thought")
    page.goto(f"{demo.url}/s/{'0' * 32}")
    expect(main).to_contain_text("session")
    page.goto(f"{demo.url}/nowhere")
    expect(main.get_by_role("link").or_(main.get_by_role("button")).first).to_be_visible()
    page.goto(demo.url)
    expect(message).to_have_value("half a thought")


def test_the_first_load_is_within_its_budget_and_the_views_come_while_the_page_is_idle(
    demo: Served, browser: Browser
) -> None:
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    sizes: list[int] = []
    page.on(
        "requestfinished",
        lambda request: (
            sizes.append(request.sizes()["responseBodySize"])
            if request.url.split("?")[0].endswith(".js")
            else None
        ),
    )
    page.goto(demo.url, wait_until="load")
    expect(page.get_by_role("textbox", name="Message")).to_be_visible()
    expect(page.get_by_role("button", name="Attach files")).to_be_visible()
    # Parts that come right after the first page are part of it; the rest loads later, once it is idle.
    page.wait_for_function(NOTHING_COMES)
    assert 0 < sum(sizes) <= MAX_JAVASCRIPT, sizes
    fetched: set[str] = set()
    page.on("response", lambda response: fetched.add(response.url.rsplit("/", 1)[1]))
    with page.expect_response(re.compile("/assets/settings-page-"), timeout=60_000):
        expect(page.get_by_role("textbox", name="Message")).to_be_visible()
    assert any(name.startswith("leaderboard-page") for name in fetched)
    context.close()


@pytest.mark.slow
def test_every_screen_is_accessible_at_every_width_and_in_both_themes(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page(demo.url)
    message, metrics = page.get_by_role("textbox", name="Message"), page.get_by_label("Metrics").first
    check_at_every_size(page, "new battle", message)
    ask(page, "Write a Python function that checks whether a string is a palindrome")
    tie = page.get_by_role("button", name="Tie")
    expect(tie).to_be_visible(timeout=40_000)
    check_at_every_size(page, "battle", tie)
    tie.click()
    check_at_every_size(page, "reveal", page.get_by_role("region", name="Result"))
    page.goto(f"{demo.url}/?mode=chat")
    ask(page, "What is 2 + 2?")
    expect(metrics).to_be_visible(timeout=40_000)
    check_at_every_size(page, "chat", metrics)
    page.goto(f"{demo.url}/models")
    check_at_every_size(page, "models", page.get_by_label("Search models"))
    # A person with a small window opens the page there.
    for path, sign in (("", message), ("/models", page.get_by_label("Search models"))):
        page.goto(f"{demo.url}{path}")
        expect(sign).to_be_visible()
        check_screen(page, f"opened at 390: {path}")
