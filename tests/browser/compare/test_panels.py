"""The panels of compared answers in a real browser: at every width, alone, replayed, and word by word."""

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.compare.comparing import compared, panel, prefer, settled
from tests.browser.conftest import NewPage
from tests.browser.screens import check_accessible
from tests.browser.servers import Served, post, serve
from tests.browser.test_battle import ask
from tests.fakes.running import write_models
from tests.fakes.upstream import ScriptedUpstream

DEMO = ("demo-ada", "demo-pico", "demo-lyra", "demo-vera", "demo-tilo", "demo-echo")


def test_a_preferred_answer_can_still_be_copied_and_asked_again_at_every_width(
    upstream: ScriptedUpstream, new_page: NewPage, tmp_path: Path
) -> None:
    names = ("ada", "bob", "cid", "dee", "eve")
    with serve(tmp_path / "data", write_models(tmp_path / "models.yaml", upstream.url, names)) as served:
        seats = dict(zip("abcde", names, strict=True))
        begun = post(served, "/api/sessions", {"mode": "compare", "prompt": "Tea?", "seats": seats})
        page = new_page(f"{served.url}/s/{begun['session_id']}")
        compared(page)
        prefer(page, 1, "Ada").click()
        settled(prefer(page, 1, "Ada"))
        head = panel(page, 1, "Ada").locator("header")
        for width in (1536, 1366, 390):
            page.set_viewport_size({"width": width, "height": 800})
            expect(head).to_contain_text("Your pick")
            expect(head.get_by_role("button")).to_have_count(4)
            for button in head.get_by_role("button").all():
                button.click(trial=True)
                box, whole = button.bounding_box(), panel(page, 1, "Ada").bounding_box()
                assert box is not None
                assert whole is not None
                assert box["x"] + box["width"] <= whole["x"] + whole["width"]
        page.get_by_role("button", name="More actions for your question").click()
        expect(page.get_by_role("menuitem", name="Ask again as a new question")).to_be_visible()


def test_answers_are_replayed_and_shown_alone_as_plain_text_and_word_by_word(
    bench: Served, new_page: NewPage
) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    compared(page)
    session = page.url
    page.get_by_role("button", name="More actions for your question").click()
    page.get_by_role("menuitem", name="Replay").click()
    page.get_by_role("button", name="Play").click()
    for name in ("Ada", "Bob", "Cid"):
        expect(page.get_by_role("region", name=name)).to_contain_text(f"First word of {name.lower()}.")
    check_accessible(page)
    page.get_by_role("link", name="Session", exact=True).click()
    expect(page).to_have_url(re.compile(re.escape(session.split("?")[0])))
    page.get_by_role("button", name="Show only Bob").click()
    expect(panel(page, 1, "Ada")).not_to_be_visible()
    page.get_by_role("button", name="Show all answers").click()
    expect(panel(page, 1, "Ada")).to_be_visible()

    page.get_by_role("button", name="Plain text").click()
    expect(panel(page, 1, "Ada").locator("pre")).to_have_text("First word of ada. Tea is older.")

    page.get_by_role("button", name="Differences").click()
    first = page.get_by_role("group", name="First answer")
    expect(first.locator("mark")).to_have_text(["ada"])
    page.get_by_label("Second answer").get_by_role("combobox").select_option(label="Cid")
    expect(page.get_by_role("group", name="Second answer").locator("mark")).to_have_text(["cid"])
    check_accessible(page)
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("dialog", name="Differences").get_by_role("button", name="Close").click()
    expect(first).to_have_count(0)


def test_six_panels_on_a_phone_are_swiped(
    upstream: ScriptedUpstream, new_page: NewPage, tmp_path: Path
) -> None:
    names = ("ada", "bob", "cid", "dee", "eve", "fay")
    with serve(tmp_path / "data", write_models(tmp_path / "models.yaml", upstream.url, names)) as served:
        page = new_page("about:blank")
        seats = dict(zip("abcdef", names, strict=True))
        begun = post(served, "/api/sessions", {"mode": "compare", "prompt": "Tea or coffee?", "seats": seats})
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{served.url}/s/{begun['session_id']}")
        compared(page)
        dots = page.get_by_role("group", name="Shown member").get_by_role("button")
        expect(dots).to_have_count(6)
        dots.nth(5).click()
        expect(panel(page, 1, "Fay")).to_be_in_viewport()
        expect(panel(page, 1, "Ada")).not_to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        check_accessible(page)


def test_what_was_preferred_is_suggested_where_a_model_is_chosen(bench: Served, new_page: NewPage) -> None:
    page = new_page(f"{bench.url}/?mode=chat")
    asked = {"prompt": "Tea?", "mode": "compare", "seats": {"one": "bob", "two": "cid"}}
    for _ in range(6):
        begun = post(bench, "/api/sessions", asked)
        post(bench, f"/api/matches/{begun['match_id']}/vote", {"vote": "one"})
    page.get_by_role("button", name="Model: Ada").click()
    suggested = page.get_by_role("region", name="From your votes")
    expect(suggested).to_contain_text("You preferred Bob in 6 of 6")
    check_accessible(page)
    suggested.get_by_role("button", name="Bob").first.click()
    page.get_by_role("button", name="Model: Bob").click()
    suggested.get_by_role("button", name="Hide suggestions").click()
    expect(suggested).to_have_count(0)
    expect(page.get_by_placeholder("Search models…")).to_be_focused()
    page.reload()
    page.get_by_role("button", name="Model: Bob").click()
    expect(page.get_by_placeholder("Search models…")).to_be_visible()
    expect(suggested).to_have_count(0)
    page.goto(f"{bench.url}/votes?category=language-en")
    expect(page.get_by_role("combobox", name="Category")).to_contain_text("English")
    page.goto(f"{bench.url}/settings")
    page.get_by_role("radiogroup", name="Model suggestions").get_by_text("On").click()
    page.goto(f"{bench.url}/?mode=chat")
    page.get_by_role("button", name="Model: Bob").click()
    expect(suggested).to_be_visible()


def test_six_answers_and_the_words_for_none_of_them_are_in_sight_together(
    demo: Served, new_page: NewPage
) -> None:
    seats = dict(zip(("one", "two", "three", "four", "five", "six"), DEMO, strict=True))
    question = "Should a small team write its backend in Rust?"
    begun = post(demo, "/api/sessions", {"prompt": question, "mode": "compare", "seats": seats})
    page = new_page(f"{demo.url}/s/{begun['session_id']}")
    for width, height in ((1440, 900), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.get_by_role("button", name="I prefer this: Ada (demo)")).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("button", name="None are good")).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("region", name="Turn 1")).to_contain_text("Should a small team")
        expect(page.get_by_text("Should a small team").last).to_be_in_viewport(ratio=1)
