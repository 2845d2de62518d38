"""A team in a real browser: composed, asked with one click or no mouse, and read as a timeline or a table."""

import re

from playwright.sync_api import Browser, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import SETTINGS, check_screen, set_theme
from tests.browser.servers import Served, post
from tests.browser.team.discussion import MODELS, QUESTION, begin, concluded, settings, speak
from tests.browser.test_battle import ask
from tests.fakes.team_texts import statement, synthesis
from tests.fakes.upstream import ScriptedUpstream


def test_one_click_leads_to_a_debate_of_which_every_point_leads_to_its_statement(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    speak(upstream)
    page = new_page(f"{team.url}/?mode=team")
    expect(page.get_by_role("button", name="Estimate: 7 calls")).to_be_visible()
    page.get_by_role("textbox", name="Message").fill(QUESTION)
    page.evaluate(
        "window.clicks = 0; document.addEventListener('click', () => window.clicks += 1, {capture: true})"
    )
    page.get_by_role("button", name="Send").click()
    card = concluded(page)
    expect(card).to_contain_text("Drink tea")
    assert page.evaluate("window.clicks") == 1
    assert len(upstream.chats) == 7
    second = page.get_by_role("group", name="Round 2", exact=True)
    revised = second.get_by_role("group", name="Critic, round 2")
    expect(revised).to_contain_text("Changed their mind")
    expect(revised).not_to_contain_text("Changed my mind")
    expect(revised.get_by_role("link", name="1.1 Proposer").first).to_have_attribute(
        "title", "The expert says so."
    )
    expect(second.get_by_role("group", name="Devil's advocate, round 2")).to_contain_text("found in the text")
    expect(card).to_contain_text("The 2 planned rounds are done.")
    minority = card.get_by_role("group", name="Minority report")
    expect(minority).to_contain_text("Refers to 9.9, which does not exist.")
    expect(page.get_by_role("group", name="Proposer, round 1")).to_have_count(0)

    card.get_by_role("group", name="Consensus").get_by_role("link", name="1.1 Proposer").click()

    first = page.locator("[data-statement='1.1']")
    expect(first).to_be_focused()
    expect(first).to_be_in_viewport()
    page.get_by_role("button", name="Go to 2.3 Devil's advocate").click()
    expect(page.locator("[data-statement='2.3']")).to_be_focused()

    page.get_by_role("radio", name="Table").click()
    row = page.get_by_role("row").filter(has_text="Revised answer").filter(has_text="tea is calmer")
    expect(row).to_contain_text("1.1 Proposer said")
    expect(page.get_by_role("row").filter(has_text="Devil's advocate").last).to_contain_text(
        "1.1 Proposer found"
    )
    page.get_by_role("radio", name="Timeline").click()
    text = card.inner_text()
    page.reload()
    assert concluded(page).inner_text() == text
    # It is replayed where it stands.
    page.get_by_role("button", name="Replay").click()
    expect(card).to_have_count(0)
    position = page.get_by_role("slider", name="Replay position")
    position.focus()
    page.keyboard.press("End")
    expect(card).to_have_text(re.compile("Drink tea"))
    page.keyboard.press("Home")
    expect(card).to_have_count(0)
    page.get_by_role("button", name="Replay").click()
    assert concluded(page).inner_text() == text


def test_a_team_is_composed_saved_and_used_again(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    speak(upstream)
    page = new_page(f"{team.url}/?mode=team")
    page.get_by_role("region", name="Ready-made teams").get_by_role("button", name="Risk").click()
    expect(page.get_by_role("button", name="Planner: Ada")).to_be_visible()
    expect(page.get_by_role("button", name="Fact checker: Ada")).to_be_visible()
    page.get_by_role("button", name="Attacker: Bob").click()
    page.get_by_role("radio", name="Role", exact=True).click()
    page.get_by_label("Name of the role").fill("Burglar")
    page.get_by_label("Instructions").fill("Come in through the window.")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Fact checker: Ada").click()
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name=SETTINGS).click()
    page.get_by_label("Strategy").select_option("debate")
    page.get_by_role("button", name="Reset to defaults").click()
    expect(page.get_by_role("button", name="Burglar: Bob")).to_be_visible()
    page.get_by_label("Strategy").select_option("red_team")
    page.get_by_label("Rounds", exact=True).fill("1")
    page.get_by_label("Synthesis by").select_option(label="Burglar")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Saved teams").click()
    page.get_by_label("Name", exact=True).fill("Night watch")
    page.get_by_role("button", name="Save line-up").click()
    expect(page.get_by_role("button", name="Saved team: Night watch")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("region", name="Ready-made teams").get_by_role("button", name="Writing").click()
    expect(page.get_by_role("button", name="Burglar: Bob")).to_have_count(0)

    page.get_by_role("region", name="Saved teams").get_by_role("button", name="Night watch").click()
    expect(page.get_by_role("button", name="Burglar: Bob")).to_be_visible()
    with page.expect_response(lambda each: each.request.method == "POST") as sent:
        ask(page, "Is the office safe?")

    body = sent.value.request.post_data_json
    assert body is not None
    assert body["seats"] == {"a": "ada", "b": "bob", "c": "cid"}
    assert body["brief"]["writer"] == "b"
    assert body["brief"]["strategy"] == "red_team"
    assert body["brief"]["members"]["b"] == {"role": "Burglar", "instructions": "Come in through the window."}
    assert list(body["brief"]["members"]) == ["a", "b", "c"]
    expect(page.get_by_role("group", name="Synthesis", exact=True)).to_contain_text("by Burglar · Bob")


def test_a_moderator_who_names_nobody_there_is_shown_with_who_speaks_instead(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply(statement("Tea."), model="ada")
    upstream.reply(statement("Coffee."), model="bob")
    upstream.reply("Next: Plumber\nAsk: Why?\nEnough: no", model="cid")
    upstream.reply("Next: Critic\nAsk: Why coffee?\nEnough: no", model="cid")
    upstream.reply("It all depends.", model="cid")
    page = new_page(f"{team.url}/?mode=team")
    settings(page, Strategy="panel")
    ask(page, QUESTION)
    card = page.get_by_role("group", name="Synthesis", exact=True)
    expect(card.get_by_role("note")).to_contain_text("does not have its parts")
    expect(card).to_contain_text("It all depends.")
    expect(page.get_by_role("group", name="Round 2", exact=True)).to_contain_text("Moderator chose Critic.")
    expect(page.get_by_role("group", name="Round 2", exact=True)).to_contain_text("Why coffee?")
    page.get_by_role("group", name="Round 1", exact=True).get_by_role("button", name="Round 1").click()
    expect(page.get_by_role("group", name="Round 1", exact=True)).to_contain_text(
        "Moderator chose Plumber, who cannot speak now. Proposer speaks, who has said least so far."
    )


def test_a_team_too_small_or_at_its_cap_says_so(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply(statement("Tea."), model="ada")
    upstream.reply(synthesis("Tea."), model="ada")
    page = new_page(f"{team.url}/?mode=team")
    page.get_by_role("button", name="Devil's advocate: Cid").click()
    page.get_by_role("button", name="Remove").click()
    settings(page, Strategy="trial")
    expect(page.get_by_role("button", name="Judge: Bob")).to_be_visible()
    page.get_by_role("textbox", name="Message").fill(QUESTION)
    expect(page.get_by_text("A team needs two members besides its moderator or judge")).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    settings(page, Strategy="debate")
    page.get_by_role("button", name=SETTINGS).click()
    page.get_by_label("Token cap").fill("10")
    page.keyboard.press("Escape")
    ask(page, QUESTION)
    expect(page.get_by_text("The cap is reached, so no synthesis was written.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"near the token cap: \d+ of 10 used"))).to_be_visible()

    page.get_by_role("button", name="Write synthesis now").click()

    concluded(page)


def test_it_needs_no_mouse(team: Served, upstream: ScriptedUpstream, new_page: NewPage) -> None:
    speak(upstream)
    page = new_page(f"{team.url}/?mode=team")
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    page.keyboard.type(QUESTION)
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    page.keyboard.press("Enter")
    concluded(page)
    page.get_by_role("button", name="Go to 1.1 Proposer").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("[data-statement='1.2']")).to_be_focused()
    page.get_by_role("group", name="Recommendation").get_by_role("link", name="2.2 Critic").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-statement='2.2']")).to_be_focused()


def test_every_look_of_it_is_accessible_and_fits_a_phone(
    team: Served, upstream: ScriptedUpstream, browser: Browser
) -> None:
    speak(upstream)
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{team.url}/?mode=team")
    expect(page.get_by_role("region", name="Ready-made teams")).to_be_visible()
    check_screen(page, "a new team")
    begin(page)
    concluded(page)
    for theme in ("dark", "light"):
        set_theme(page, theme)
        for look in ("Table", "Timeline"):
            page.get_by_role("radio", name=look).click()
            check_screen(page, f"team, {look}, {theme}")
    page.get_by_role("button", name="Round 1").click()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("list", name="Timeline")).to_be_visible()
    check_screen(page, "team on a phone")
    page.get_by_role("button", name="Go to 1.3 Devil's advocate").click()
    expect(page.locator("[data-statement='1.3']")).to_be_in_viewport()
    page.get_by_role("radio", name="Table").click()
    check_screen(page, "table on a phone")
    page.get_by_role("button", name="Models and settings").click()
    page.get_by_role("button", name="Critic: Bob").click()
    page.get_by_role("radio", name="Role", exact=True).click()
    expect(page.get_by_label("Instructions")).to_be_visible()
    check_screen(page, "roles on a phone")
    context.close()


def test_the_demo_models_make_a_team(demo: Served, new_page: NewPage) -> None:
    page = new_page(demo.url)
    page.get_by_role("radio", name="Team").click()
    ask(page, "Should a small team write its backend in Rust?")
    card = concluded(page)
    assert card.get_by_role("link").count() > 1


def test_a_saved_team_says_whether_it_was_worth_it(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    speak(upstream)
    page = new_page(team.url)
    seats = dict(zip("abc", MODELS, strict=True))
    saved = post(team, "/api/presets", {"mode": "team", "name": "Judged", "seats": seats, "contestant": True})
    begin(page)
    concluded(page)
    unknown = "Not known yet: none of its members has blind votes."
    expect(page.get_by_role("group", name="Team so far")).to_contain_text(unknown)
    page.goto(f"{team.url}/models/{saved['model_id']}")
    expect(page.get_by_role("region", name="Was it worth it?")).to_contain_text(unknown)
    post(team, f"/api/presets/{saved['id']}", method="DELETE")
