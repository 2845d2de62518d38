"""Comparing chosen models in a real browser: preferences, histories, seats that come and go, stops."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.compare.comparing import asked_of, compared, panel, prefer, settled
from tests.browser.conftest import NewPage
from tests.browser.screens import SETTINGS, check_accessible
from tests.browser.servers import Served
from tests.browser.test_battle import ask
from tests.fakes.upstream import ScriptedUpstream


def color_of(dot: Locator) -> str:
    return dot.evaluate("(dot) => getComputedStyle(dot).backgroundColor")


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
    expect(facts).to_contain_text(re.compile(r"\d+ input tokens, \d+ output tokens"))
    check_accessible(page)


def test_nobody_can_be_preferred_too_and_a_preference_can_be_undone_or_taken_back(
    bench: Served, new_page: NewPage
) -> None:
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
    # Without a network it is not saved, and says so.
    page.context.set_offline(True)
    prefer(page, 1, "Cid").click()
    expect(page.get_by_text("Your vote wasn’t saved.")).to_be_visible()
    expect(prefer(page, 1, "Cid")).to_have_attribute("aria-pressed", "false")
    page.context.set_offline(False)
    prefer(page, 1, "Cid").click()
    settled(prefer(page, 1, "Cid"))
    # It is taken back by choosing it once more.
    prefer(page, 1, "Cid").click()
    expect(prefer(page, 1, "Cid")).to_have_attribute("aria-pressed", "false")
    expect(panel(page, 1, "Cid")).not_to_contain_text("Your pick")
    withdrawn = page.get_by_role("region", name="Turn 1").get_by_text("Vote withdrawn. It doesn’t count.")
    expect(withdrawn).to_have_text("Vote withdrawn. It doesn’t count.")
    page.reload()
    expect(prefer(page, 1, "Cid")).to_have_attribute("aria-pressed", "false")


def test_a_preference_stays_with_the_answer_it_was_given_to_which_stays_in_reach(
    bench: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    page = new_page(f"{bench.url}/?mode=compare")
    ask(page, "Tea or coffee?")
    compared(page)
    prefer(page, 1, "Ada").click()
    settled(prefer(page, 1, "Ada"))
    page.get_by_label("Why?").fill("It is shorter.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("“It is shorter.”")).to_be_visible()
    upstream.drop("ada")
    upstream.reply("On second thought, coffee.", model="ada")
    panel(page, 1, "Ada").get_by_role("button", name="Retry Ada").click()
    expect(page.get_by_text("You preferred Ada. Ada was asked again since.")).to_be_visible()
    expect(prefer(page, 1, "Ada")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_label("This turn")).to_contain_text("Total without earlier attempts")
    expect(panel(page, 1, "Ada")).to_contain_text("On second thought, coffee.")
    expect(panel(page, 1, "Bob")).to_contain_text("First word of bob.")
    page.get_by_role("button", name="Attempt 2").click()
    expect(page.get_by_label("Earlier answers of Ada")).to_contain_text("First word of ada.")
    page.keyboard.press("Escape")
    prefer(page, 1, "Ada").click()
    settled(prefer(page, 1, "Ada"))
    expect(page.get_by_text("You preferred Ada.", exact=True)).to_be_visible()
    expect(page.get_by_text("“It is shorter.”")).to_be_visible()


def test_each_model_goes_on_with_its_own_history_however_the_lineup_and_its_settings_change(
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
    # Another model at Bob's seat, another order, and other settings for one model: each remembers.
    page.get_by_role("button", name="Model: Bob").click()
    page.get_by_role("option", name=re.compile("Cid")).click()
    page.get_by_role("button", name=SETTINGS).click()
    page.get_by_label("Order").select_option("one_at_a_time")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Model: Ada").click()
    page.get_by_role("radio", name="Settings").click()
    page.get_by_role("textbox", name="System prompt").fill("Be brief.")
    page.keyboard.press("Escape")
    ask(page, "And at noon?")
    compared(page, 3, "Dee")
    history = ["Tea or coffee?", "First word of ada. Tea is older.", "And for sleep?"]
    assert asked_of(upstream, "ada")[-1] == ["Be brief.", *history, history[1], "And at noon?"]
    assert asked_of(upstream, "cid")[-1] == ["And at noon?"]
    dee = ["And for sleep?", "First word of dee. Tea is older.", "And at noon?"]
    assert asked_of(upstream, "dee")[-1] == dee


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


def test_on_weak_hardware_one_begins_when_the_one_before_has_ended(
    bench: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.drop("ada")
    upstream.reply("Slow ", "answer.", hold_after=1, model="ada")
    page = new_page(f"{bench.url}/?mode=compare")
    page.get_by_role("button", name=SETTINGS).click()
    page.get_by_label("Order").select_option("one_at_a_time")
    page.keyboard.press("Escape")
    ask(page, "Tea or coffee?")
    expect(panel(page, 1, "Ada")).to_contain_text("Slow")
    expect(page.get_by_text("Bob answers next")).to_be_visible()
    assert asked_of(upstream, "bob") == []
    upstream.release()
    compared(page)
    assert [chat.json["model"] for chat in upstream.chats] == ["ada", "bob", "cid"]


def test_what_is_stopped_is_kept_and_only_the_missing_are_asked_again(
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
    # The whole turn is stopped, and only who is missing is asked again.
    upstream.forget()
    upstream.reply("Half a ", "word.", hold_after=1, model="cid")
    upstream.reply("A whole word.", model="cid")
    ask(page, "And for sleep?")
    expect(panel(page, 2, "Cid")).to_contain_text("Half a")
    expect(panel(page, 2, "Ada")).to_contain_text("A scripted answer.")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("Answers stopped.")).to_be_visible()
    compared(page, 2)
    expect(prefer(page, 2, "Cid")).to_have_count(0)
    page.get_by_role("button", name="Retry", exact=True).click()
    expect(panel(page, 2, "Cid")).to_contain_text("A whole word.", timeout=30_000)
    assert len(asked_of(upstream, "ada")) == 1
