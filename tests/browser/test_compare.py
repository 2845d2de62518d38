"""Comparing chosen models in a real browser: preferences, histories, seats that come and go, differences."""

import re
from collections.abc import Generator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage, Served, serve
from tests.browser.test_battle import ask
from tests.fakes.running import write_models
from tests.fakes.upstream import ScriptedUpstream

MODELS = ("ada", "bob", "cid", "dee")
DEMO = ("demo-ada", "demo-pico", "demo-lyra", "demo-vera", "demo-tilo", "demo-echo")


@pytest.fixture
def bench(upstream: ScriptedUpstream, tmp_path: Path) -> Generator[Served]:
    """A server with four models; the first three are compared at once."""
    for name in MODELS:
        upstream.reply(f"First word of {name}. ", "Tea is older.", model=name)
    with serve(tmp_path / "data", write_models(tmp_path / "models.yaml", upstream.url, MODELS)) as served:
        yield served


def panel(page: Page, turn: int, name: str) -> Locator:
    return page.get_by_role("region", name=f"Turn {turn}").get_by_role("group", name=name, exact=True)


def prefer(page: Page, turn: int, name: str) -> Locator:
    return page.get_by_role("region", name=f"Turn {turn}").get_by_role("button", name=f"Prefer {name}")


def compared(page: Page, turn: int = 1, name: str = "Ada") -> None:
    expect(prefer(page, turn, name)).to_be_enabled(timeout=30_000)


def settled(button: Locator) -> None:
    expect(button).to_have_attribute("aria-pressed", "true")


def color_of(dot: Locator) -> str:
    return dot.evaluate("(dot) => getComputedStyle(dot).backgroundColor")


def asked_of(upstream: ScriptedUpstream, model: str) -> list[list[str]]:
    """What a model was sent, request by request."""
    return [
        [message["content"] for message in chat.json["messages"]]
        for chat in upstream.chats
        if chat.json["model"] == model
    ]


def test_a_preference_is_given_changed_explained_and_still_there_after_a_reload(
    bench: Served, new_page: NewPage
) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    compared(page)
    prefer(page, 1, "Ada").click()
    settled(prefer(page, 1, "Ada"))
    prefer(page, 1, "Bob").click()
    settled(prefer(page, 1, "Bob"))
    expect(prefer(page, 1, "Ada")).to_have_attribute("aria-pressed", "false")
    expect(panel(page, 1, "Bob")).to_contain_text("Your pick")
    page.get_by_label("Why?").fill("It is shorter.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("“It is shorter.”")).to_be_visible()

    page.reload()

    settled(prefer(page, 1, "Bob"))
    expect(page.get_by_text("“It is shorter.”")).to_be_visible()
    page.get_by_role("button", name="Edit the reason").click()
    page.get_by_label("Why?").fill("It is shorter and right.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("“It is shorter and right.”")).to_be_visible()
    # The reason was about Bob: for another answer it waits in its field.
    prefer(page, 1, "Cid").click()
    settled(prefer(page, 1, "Cid"))
    expect(page.get_by_label("Why?")).to_have_value("It is shorter and right.")
    prefer(page, 1, "Bob").click()
    settled(prefer(page, 1, "Bob"))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("“It is shorter and right.”")).to_be_visible()
    facts = page.get_by_label("This turn")
    expect(facts).to_contain_text("Total")
    expect(facts).to_contain_text(re.compile(r"\d+ tokens in, \d+ out"))
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_nobody_can_be_preferred_too_and_a_preference_can_be_undone(bench: Served, new_page: NewPage) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    compared(page)
    prefer(page, 1, "Ada").click()
    settled(prefer(page, 1, "Ada"))
    page.get_by_role("button", name="None are good").click()
    expect(page.get_by_text("You said: None are good.")).to_be_visible()
    # Undoing a change brings back what was chosen before, and once more takes that back.
    page.get_by_role("button", name=re.compile("^Undo")).click()
    settled(prefer(page, 1, "Ada"))
    expect(page.get_by_role("button", name="None are good")).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name=re.compile("^Undo")).click()
    expect(prefer(page, 1, "Ada")).to_have_attribute("aria-pressed", "false")
    prefer(page, 1, "Cid").click()
    settled(prefer(page, 1, "Cid"))


def test_a_preference_is_taken_back_by_choosing_it_once_more(bench: Served, new_page: NewPage) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    compared(page)
    prefer(page, 1, "Ada").click()
    settled(prefer(page, 1, "Ada"))
    prefer(page, 1, "Ada").click()
    expect(prefer(page, 1, "Ada")).to_have_attribute("aria-pressed", "false")
    expect(panel(page, 1, "Ada")).not_to_contain_text("Your pick")
    withdrawn = page.get_by_role("region", name="Turn 1").get_by_text("Vote withdrawn. It doesn’t count.")
    expect(withdrawn).to_have_text("Vote withdrawn. It doesn’t count.")
    page.reload()
    expect(prefer(page, 1, "Ada")).to_have_attribute("aria-pressed", "false")


def test_without_a_network_a_preference_is_not_saved_and_says_so(bench: Served, new_page: NewPage) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    compared(page)
    page.context.set_offline(True)
    prefer(page, 1, "Ada").click()
    expect(page.get_by_text("Your vote wasn’t saved.")).to_be_visible()
    expect(prefer(page, 1, "Ada")).to_have_attribute("aria-pressed", "false")
    page.context.set_offline(False)
    prefer(page, 1, "Ada").click()
    settled(prefer(page, 1, "Ada"))


@pytest.mark.parametrize("width", [390, 1366, 1536])
def test_a_preferred_answer_can_still_be_copied_and_asked_again(
    upstream: ScriptedUpstream, new_page: NewPage, tmp_path: Path, width: int
) -> None:
    names = ("ada", "bob", "cid", "dee", "eve")
    with serve(tmp_path / "data", write_models(tmp_path / "models.yaml", upstream.url, names)) as served:
        page = new_page(served.url)
        page.set_viewport_size({"width": width, "height": 800})
        begun = page.request.post(
            f"{served.url}/api/sessions",
            data={"mode": "compare", "prompt": "Tea?", "seats": dict(zip("abcde", names, strict=True))},
            headers={"Origin": served.url},
        )
        page.goto(f"{served.url}/s/{begun.json()['session_id']}")
        compared(page)
        prefer(page, 1, "Ada").click()
        settled(prefer(page, 1, "Ada"))
        head = panel(page, 1, "Ada").locator("header")
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


def test_a_preference_does_not_move_to_an_answer_that_was_asked_for_later(
    bench: Served, new_page: NewPage
) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    compared(page)
    prefer(page, 1, "Ada").click()
    settled(prefer(page, 1, "Ada"))
    page.get_by_label("Why?").fill("It is shorter.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("“It is shorter.”")).to_be_visible()
    panel(page, 1, "Ada").get_by_role("button", name="Retry Ada").click()
    expect(page.get_by_text("You preferred Ada. Ada was asked again since.")).to_be_visible()
    expect(prefer(page, 1, "Ada")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_label("This turn")).to_contain_text("Total without earlier attempts")
    prefer(page, 1, "Ada").click()
    settled(prefer(page, 1, "Ada"))
    expect(page.get_by_text("You preferred Ada.", exact=True)).to_be_visible()
    expect(page.get_by_text("“It is shorter.”")).to_be_visible()


def test_each_model_goes_on_with_its_own_history_also_as_others_come_and_leave(
    bench: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    compared(page)
    page.get_by_role("button", name="Model: Cid").click()
    page.get_by_role("button", name=re.compile("^Remove")).first.click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add a model").click()
    page.get_by_role("option", name=re.compile("Dee")).click()
    ask(page, "And for sleep?")
    compared(page, 2)
    expect(panel(page, 2, "Dee")).to_be_visible()
    expect(panel(page, 2, "Cid")).not_to_be_visible()
    expect(panel(page, 1, "Cid")).to_be_visible()
    for name in ("Ada", "Bob", "Dee"):
        chip = page.get_by_role("button", name=f"Model: {name}")
        assert color_of(chip.locator("i")) == color_of(panel(page, 2, name).locator("i").first)
    for name in ("ada", "bob"):
        assert asked_of(upstream, name)[-1] == [
            "Tea or coffee?",
            f"First word of {name}. Tea is older.",
            "And for sleep?",
        ]
    assert asked_of(upstream, "dee") == [["And for sleep?"]]
    assert len(asked_of(upstream, "cid")) == 1


def test_histories_stay_with_their_models_however_the_lineup_and_its_settings_change(
    bench: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    compared(page)
    # Another model at Bob's seat, and another order: the match begins anew.
    page.get_by_role("button", name="Model: Bob").click()
    page.get_by_role("option", name=re.compile("Dee")).click()
    page.get_by_role("button", name="Settings", exact=True).click()
    page.get_by_label("Order").select_option("one_at_a_time")
    page.keyboard.press("Escape")
    ask(page, "And for sleep?")
    compared(page, 2, "Dee")
    assert asked_of(upstream, "dee") == [["And for sleep?"]]
    history = ["Tea or coffee?", "First word of ada. Tea is older.", "And for sleep?"]
    assert asked_of(upstream, "ada")[-1] == history
    # Other settings for one model: it remembers.
    page.get_by_role("button", name="Model: Ada").click()
    page.get_by_role("radio", name="Settings").click()
    page.get_by_role("textbox", name="System prompt").fill("Be brief.")
    page.keyboard.press("Escape")
    ask(page, "And at noon?")
    compared(page, 3, "Dee")
    assert asked_of(upstream, "ada")[-1] == ["Be brief.", *history, history[1], "And at noon?"]


def test_an_earlier_turn_is_judged_while_a_later_one_streams(
    bench: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    compared(page)
    prefer(page, 1, "Ada").click()
    settled(prefer(page, 1, "Ada"))
    upstream.drop("cid")
    upstream.reply("Slow ", "answer.", hold_after=1, model="cid")
    ask(page, "And for sleep?")
    expect(panel(page, 2, "Cid")).to_contain_text("Slow")
    prefer(page, 1, "Bob").click()
    settled(prefer(page, 1, "Bob"))
    expect(prefer(page, 1, "Ada")).to_have_attribute("aria-pressed", "false")
    upstream.release()
    compared(page, 2)
    settled(prefer(page, 1, "Bob"))


def test_one_model_goes_on_alone(bench: Served, upstream: ScriptedUpstream, new_page: NewPage) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    page.get_by_role("button", name="Model: Bob").click()
    page.get_by_role("radio", name="Settings").click()
    page.get_by_role("textbox", name="System prompt").fill("Be brief.")
    page.keyboard.press("Escape")
    ask(page, "Tea or coffee?")
    compared(page)
    page.get_by_role("button", name="Continue with Bob").click()
    expect(page.get_by_role("radio", name="Chat")).to_be_checked()
    ask(page, "Why?")
    expect(page.get_by_role("region", name="Turn 2")).to_contain_text("First word of bob.", timeout=30_000)
    assert asked_of(upstream, "bob")[-1] == [
        "Be brief.",
        "Tea or coffee?",
        "First word of bob. Tea is older.",
        "Why?",
    ]
    # Back among the others, each goes on from its own last words.
    answer = asked_of(upstream, "bob")[-1]
    page.get_by_role("radio", name="Compare").click()
    expect(page.get_by_role("button", name="Model: Ada")).to_be_visible()
    ask(page, "And at noon?")
    compared(page, 3)
    assert asked_of(upstream, "ada")[-1] == [
        "Tea or coffee?",
        "First word of ada. Tea is older.",
        "And at noon?",
    ]
    assert asked_of(upstream, "bob")[-1] == [*answer, "First word of bob. Tea is older.", "And at noon?"]


def test_one_panel_is_asked_again_and_its_earlier_answer_stays_in_reach(
    bench: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    compared(page)
    upstream.drop("bob")
    upstream.reply("On second thought, coffee.", model="bob")
    page.get_by_role("button", name="Retry Bob").click()
    expect(panel(page, 1, "Bob")).to_contain_text("On second thought, coffee.", timeout=30_000)
    expect(panel(page, 1, "Ada")).to_contain_text("First word of ada.")
    page.get_by_role("button", name="Attempt 2").click()
    expect(page.get_by_label("Earlier answers of Bob")).to_contain_text("First word of bob.")


def test_answers_are_shown_alone_as_plain_text_and_word_by_word(bench: Served, new_page: NewPage) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    compared(page)
    page.get_by_role("button", name="Show only Bob").click()
    expect(panel(page, 1, "Ada")).not_to_be_visible()
    page.get_by_role("button", name="Show all answers").click()
    expect(panel(page, 1, "Ada")).to_be_visible()

    page.get_by_role("button", name="Plain text").click()
    expect(panel(page, 1, "Ada").locator("pre")).to_have_text("First word of ada. Tea is older.")

    page.get_by_role("button", name="Differences").click()
    first = page.get_by_role("region", name="First answer")
    expect(first.locator("mark")).to_have_text(["ada"])
    page.get_by_label("Second answer").get_by_role("combobox").select_option(label="Cid")
    expect(page.get_by_role("region", name="Second answer").locator("mark")).to_have_text(["cid"])
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("dialog", name="Differences").get_by_role("button", name="Close").click()
    expect(first).to_have_count(0)


def test_on_weak_hardware_one_begins_when_the_one_before_has_ended(
    bench: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.drop("ada")
    upstream.reply("Slow ", "answer.", hold_after=1, model="ada")
    page = new_page(f"{bench.url}/?mode=compare")
    page.get_by_role("button", name="Settings", exact=True).click()
    page.get_by_label("Order").select_option("one_at_a_time")
    page.keyboard.press("Escape")
    ask(page, "Tea or coffee?")
    expect(panel(page, 1, "Ada")).to_contain_text("Slow")
    expect(page.get_by_text("Bob answers next")).to_be_visible()
    assert asked_of(upstream, "bob") == []
    upstream.release()
    compared(page)
    assert [chat.json["model"] for chat in upstream.chats] == ["ada", "bob", "cid"]


def test_what_was_stopped_is_kept_and_only_the_missing_are_asked_again(
    bench: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.drop("cid")
    upstream.reply("Half a ", "word.", hold_after=1, model="cid")
    upstream.reply("A whole word.", model="cid")
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    expect(panel(page, 1, "Cid")).to_contain_text("Half a")
    expect(panel(page, 1, "Ada")).to_contain_text("Tea is older.")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("Answers stopped.")).to_be_visible()
    # Two are whole: they can be judged without the third.
    compared(page)
    expect(prefer(page, 1, "Cid")).to_have_count(0)
    page.get_by_role("button", name="Retry", exact=True).click()
    expect(panel(page, 1, "Cid")).to_contain_text("A whole word.", timeout=30_000)
    assert len(asked_of(upstream, "ada")) == 1


def test_one_panel_is_stopped_while_the_others_are_whole(
    bench: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.drop("cid")
    upstream.reply("Half a ", "word.", hold_after=1, model="cid")
    upstream.reply("A whole word.", model="cid")
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    expect(panel(page, 1, "Cid")).to_contain_text("Half a")
    expect(panel(page, 1, "Ada")).to_contain_text("Tea is older.")
    expect(panel(page, 1, "Ada").get_by_role("button", name="Stop Ada")).to_have_count(0)
    panel(page, 1, "Cid").get_by_role("button", name="Stop Cid").click()
    compared(page)  # the turn has ended, and two can be judged
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    expect(panel(page, 1, "Cid")).to_contain_text("Half a")
    expect(panel(page, 1, "Cid")).to_contain_text("Stopped here.")
    expect(prefer(page, 1, "Cid")).to_have_count(0)
    panel(page, 1, "Cid").get_by_role("button", name="Retry Cid").click()
    expect(panel(page, 1, "Cid")).to_contain_text("A whole word.", timeout=30_000)
    assert len(asked_of(upstream, "ada")) == 1


def test_six_panels_on_a_phone_are_swiped(
    upstream: ScriptedUpstream, new_page: NewPage, tmp_path: Path
) -> None:
    names = ("ada", "bob", "cid", "dee", "eve", "fay")
    with serve(tmp_path / "data", write_models(tmp_path / "models.yaml", upstream.url, names)) as served:
        page = new_page(served.url)
        seats = dict(zip("abcdef", names, strict=True))
        begun = page.request.post(
            f"{served.url}/api/sessions",
            data={"mode": "compare", "prompt": "Tea or coffee?", "seats": seats},
            headers={"Origin": served.url},
        )
        assert begun.ok, begun.text()
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{served.url}/s/{begun.json()['session_id']}")
        compared(page)
        dots = page.get_by_role("group", name="Shown member").get_by_role("button")
        expect(dots).to_have_count(6)
        dots.nth(5).click()
        expect(panel(page, 1, "Fay")).to_be_in_viewport()
        expect(panel(page, 1, "Ada")).not_to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_what_was_preferred_is_suggested_where_a_model_is_chosen(bench: Served, new_page: NewPage) -> None:
    page = new_page(f"{bench.url}/?mode=chat")
    asked = {"prompt": "Tea?", "mode": "compare", "seats": {"one": "bob", "two": "cid"}}
    for _ in range(6):
        headers = {"Origin": bench.url}
        begun = page.request.post(f"{bench.url}/api/sessions", data=asked, headers=headers).json()
        voted = page.request.post(
            f"{bench.url}/api/matches/{begun['match_id']}/vote", data={"vote": "one"}, headers=headers
        )
        assert voted.ok
    page.get_by_role("button", name="Model: Ada").click()
    suggested = page.get_by_role("region", name="From your votes")
    expect(suggested).to_contain_text("You preferred Bob in 6 of 6")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
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


def test_a_turn_can_be_replayed_at_its_own_pace(bench: Served, new_page: NewPage) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    compared(page)
    session = page.url
    page.get_by_role("button", name="More actions for your question").click()
    page.get_by_role("menuitem", name="Replay").click()
    page.get_by_role("button", name="Play").click()
    for name in ("Ada", "Bob", "Cid"):
        expect(page.get_by_role("region", name=name)).to_contain_text(f"First word of {name.lower()}.")
    assert Axe().run(page).violations_count == 0
    page.get_by_role("link", name="Session", exact=True).click()
    expect(page).to_have_url(re.compile(re.escape(session.split("?")[0])))
    expect(prefer(page, 1, "Ada")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 800)])
def test_six_answers_and_the_words_for_none_of_them_are_in_sight_together(
    demo: Served, new_page: NewPage, width: int, height: int
) -> None:
    page = new_page("about:blank")
    page.set_viewport_size({"width": width, "height": height})
    seats = dict(zip(("one", "two", "three", "four", "five", "six"), DEMO, strict=True))
    begun = page.request.post(
        f"{demo.url}/api/sessions",
        data={"prompt": "Should a small team write its backend in Rust?", "mode": "compare", "seats": seats},
        headers={"Origin": demo.url},
    ).json()
    page.goto(f"{demo.url}/s/{begun['session_id']}")
    expect(page.get_by_role("region", name="About the demo models")).to_be_visible()
    expect(page.get_by_role("button", name="Prefer Ada (demo)")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="None are good")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("region", name="Turn 1")).to_contain_text("Should a small team")
    expect(page.get_by_text("Should a small team").last).to_be_in_viewport(ratio=1)
