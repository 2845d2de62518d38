"""A team in a real browser: composed, watched, talked into, stopped, taken up again, read as a timeline."""

import re
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import NewPage, Served, serve
from tests.browser.test_battle import ask
from tests.browser.test_consortium import IN_THEME, models_file
from tests.browser.test_frame import check_screen
from tests.fakes.ports import free_port
from tests.fakes.team_texts import statement, synthesis
from tests.fakes.upstream import ScriptedUpstream

MODELS = ("ada", "bob", "cid")
QUESTION = "Tea or coffee?"


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Served, ScriptedUpstream]]:
    """A Parley whose three models live on a scripted server."""
    folder = tmp_path_factory.mktemp("team")
    server = ScriptedUpstream.start_in_thread()
    with serve(folder / "data", models_file(server, folder, MODELS)) as served:
        yield served, server
    server.stop_thread()


@pytest.fixture
def team(scripted: tuple[Served, ScriptedUpstream]) -> Served:
    return scripted[0]


@pytest.fixture
def upstream(scripted: tuple[Served, ScriptedUpstream]) -> ScriptedUpstream:
    """The scripted server, which has heard and said nothing yet."""
    scripted[1].forget()
    return scripted[1]


def speak(upstream: ScriptedUpstream) -> None:
    """Let Ada propose and write, Bob change his mind, and Cid disagree to the end."""
    upstream.reply(statement("Tea, since it is calm.", position="Tea."), model="ada")
    upstream.reply(statement("Tea it stays [1.2 Critic].", "1.2", "Tea."), model="ada")
    upstream.reply(
        synthesis(
            "Drink **tea** [1.1 Proposer] [2.2 Critic].",
            consensus="Water is hot [1.1 Proposer].",
            minority="Devil's advocate prefers coffee [2.3 Devil's advocate] [9.9 Nobody].",
        ),
        model="ada",
    )
    upstream.reply(statement("Coffee wakes you.", position="Coffee."), model="bob")
    upstream.reply(
        statement("Proposer is right.", "1.1", "Tea.", "yes, tea is calmer [1.1 Proposer]"), model="bob"
    )
    upstream.reply(statement("Neither.", position="Water."), model="cid")
    upstream.reply("Coffee after all, whatever [1.1 Proposer] says.", model="cid")


def begin(page: Page, question: str = QUESTION) -> None:
    page.get_by_role("radio", name="Team").click()
    expect(page.get_by_role("button", name="Proposer: Ada")).to_be_visible()
    ask(page, question)


def begun(team: Served, new_page: NewPage) -> Page:
    """Return a page on which the team was asked."""
    page = new_page(team.url)
    begin(page)
    return page


def pausing(team: Served, new_page: NewPage) -> Page:
    """Return a page of a team that will pause after each round."""
    page = new_page(f"{team.url}/?mode=team")
    settings(page, Pause="each_round")
    return page


def settings(page: Page, **choices: str) -> None:
    page.get_by_role("button", name="Settings", exact=True).click()
    for label, choice in choices.items():
        page.get_by_label(label, exact=True).select_option(choice)
    page.keyboard.press("Escape")


def concluded(page: Page) -> Locator:
    """Wait until the synthesis stands in its parts, none of them Markdown's source any more; return it."""
    card = page.get_by_role("region", name="Synthesis", exact=True)
    expect(card.get_by_role("region", name="Recommendation").locator("p").first).to_be_visible(timeout=60_000)
    expect(card).not_to_contain_text("](#")
    return card


def test_one_click_leads_from_a_question_to_the_synthesis(
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

    expect(concluded(page)).to_contain_text("Drink tea")
    assert page.evaluate("window.clicks") == 1
    assert len(upstream.chats) == 7


def test_a_debate_tells_who_answers_whom_and_every_point_leads_to_its_statement(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    speak(upstream)
    page = begun(team, new_page)
    card = concluded(page)
    second = page.get_by_role("region", name="Round 2")
    revised = second.get_by_role("group", name="Critic, round 2")
    expect(revised).to_contain_text("Changed their mind")
    expect(revised).not_to_contain_text("Changed my mind")
    expect(revised.get_by_role("link", name="1.1 Proposer").first).to_have_attribute(
        "title", "The expert says so."
    )
    expect(second.get_by_role("group", name="Devil's advocate, round 2")).to_contain_text("found in the text")
    expect(card).to_contain_text("The 2 planned rounds are done.")
    minority = card.get_by_role("region", name="Minority report")
    expect(minority).to_contain_text("Refers to 9.9, which does not exist.")
    expect(page.get_by_role("group", name="Proposer, round 1")).to_have_count(0)

    card.get_by_role("region", name="Consensus").get_by_role("link", name="1.1 Proposer").click()

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


def test_a_team_is_composed_saved_and_used_again(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    speak(upstream)
    page = new_page(f"{team.url}/?mode=team")
    page.get_by_role("region", name="Ready-made teams").get_by_role("button", name="Risk").click()
    expect(page.get_by_role("button", name="Planner: Ada")).to_be_visible()
    expect(page.get_by_role("button", name="Fact checker: Ada")).to_be_visible()
    page.get_by_role("button", name="Attacker: Bob").click()
    page.get_by_role("radio", name="Role").click()
    page.get_by_label("Name of the role").fill("Burglar")
    page.get_by_label("Instructions").fill("Come in through the window.")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Fact checker: Ada").click()
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Settings", exact=True).click()
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
    expect(page.get_by_role("region", name="Synthesis", exact=True)).to_contain_text("by Burglar · Bob")


def test_a_team_too_small_says_so_before_anything_is_sent(team: Served, new_page: NewPage) -> None:
    page = new_page(f"{team.url}/?mode=team")
    page.get_by_role("button", name="Devil's advocate: Cid").click()
    page.get_by_role("button", name="Remove").click()
    settings(page, Strategy="trial")
    expect(page.get_by_role("button", name="Judge: Bob")).to_be_visible()
    page.get_by_role("textbox", name="Message").fill(QUESTION)
    expect(page.get_by_text("A team needs two members besides its moderator or judge")).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_be_disabled()


def test_a_person_steps_in_between_the_rounds(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    speak(upstream)
    page = pausing(team, new_page)
    ask(page, QUESTION)
    expect(page.get_by_text("Your turn.")).to_be_visible()
    figures = page.get_by_role("region", name="Team so far")
    expect(figures).to_contain_text("Paused after round 1 of 2")

    page.get_by_role("button", name="Message type: Add a fact").click()
    page.get_by_role("button", name="Ask one expert: Critic · Bob").click()
    ask(page, "Which coffee?")
    asked = page.get_by_role("region", name="Round 2: your question to one expert")
    expect(asked.get_by_role("group")).to_have_count(2)  # the card and its text
    expect(page.get_by_text("You asked Critic")).to_be_visible()
    expect(page.get_by_role("button", name="Go to You asked Critic")).to_be_visible()

    expect(asked).to_contain_text("Position")
    expect(page.get_by_role("button", name="Run to the end")).to_be_visible()
    ask(page, "It is late.")
    card = concluded(page)
    expect(page.get_by_text("You added a fact")).to_be_visible()
    assert sum("<fact>It is late.</fact>" in chat.body.decode() for chat in upstream.chats) == 4
    expect(card).to_contain_text("The 2 planned rounds are done.")
    page.reload()
    concluded(page)
    expect(page.get_by_text("It is late.")).to_be_visible()


def test_it_runs_to_the_end_without_further_pauses(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    speak(upstream)
    page = pausing(team, new_page)
    page.get_by_role("button", name="Settings", exact=True).click()
    page.get_by_label("Rounds", exact=True).fill("3")
    page.keyboard.press("Escape")
    ask(page, QUESTION)
    upstream.reply("Let us see.", model="bob")
    upstream.reply("Let us see.", model="cid")
    page.get_by_role("button", name="Run to the end").click()
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    expect(page.get_by_role("region", name="Synthesis", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="Round 3")).to_be_visible()
    expect(page.get_by_role("button", name="Go to You let it run to the end")).to_be_visible()


def test_after_the_synthesis_one_more_round_leads_to_a_new_one(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    speak(upstream)
    upstream.reply(statement("Tea once more."), model="ada")
    upstream.reply(synthesis("Drink **cocoa** [4.2 Critic]."), model="ada")
    upstream.reply(statement("Cocoa.", "1.1", "Cocoa."), model="bob")
    page = begun(team, new_page)
    expect(concluded(page)).to_contain_text("Drink tea")

    page.get_by_role("button", name="Continue", exact=True).click()

    card = page.get_by_role("region", name="Synthesis", exact=True)
    expect(card).to_contain_text("Drink cocoa")
    expect(card).to_have_count(1)
    page.get_by_role("button", name="Earlier synthesis").click()
    expect(page.get_by_role("region", name="Recommendation").first).to_contain_text("Drink tea")
    card.get_by_role("link", name="4.2 Critic").click()
    expect(page.locator("[data-statement='4.2']")).to_be_focused()


def test_what_is_said_while_a_round_runs_is_heard_by_the_next_and_the_synthesis_can_be_asked_for(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply(statement("Tea."), model="ada")
    upstream.reply(synthesis("Tea [1.1 Proposer]."), model="ada")
    upstream.reply("Cof", "fee.", hold_after=1, model="bob")
    upstream.reply(statement("Water."), model="cid")
    page = begun(team, new_page)
    expect(page.get_by_role("group", name="Critic, round 1")).to_contain_text("Cof")
    expect(page.get_by_role("region", name="Team so far")).to_contain_text(
        "round 1 of 2 · Critic is speaking"
    )
    ask(page, "It is late.")
    expect(page.get_by_text("The team reads this before the next round.")).to_be_visible()

    page.get_by_role("button", name="Write synthesis now").click()
    expect(page.get_by_role("button", name="Write synthesis now")).to_have_count(0)
    upstream.release()

    expect(concluded(page)).to_contain_text("You asked for the synthesis.")
    assert len(upstream.chats) == 4
    assert "<fact>It is late.</fact>" in upstream.chats[-1].body.decode()


def test_a_stopped_team_keeps_what_was_said_and_goes_on(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply(statement("Tea."), model="ada")
    upstream.reply(statement("Still tea."), model="ada")
    upstream.reply(synthesis("Tea [2.1 Proposer]."), model="ada")
    upstream.reply("Cof", "fee.", hold_after=1, model="bob")
    upstream.reply(statement("Coffee."), model="bob")
    upstream.reply(statement("Water."), model="cid")
    page = begun(team, new_page)
    expect(page.get_by_role("group", name="Critic, round 1")).to_contain_text("Cof")
    expect(page.get_by_role("group", name="Proposer, round 1")).to_contain_text("As I said.")

    page.get_by_role("button", name="Stop", exact=True).click()

    expect(page.get_by_role("main").get_by_text("Team stopped.")).to_be_visible()
    upstream.release()
    page.get_by_role("button", name="Resume").click()
    concluded(page)
    assert [chat.json["model"] for chat in upstream.chats].count("ada") == 3


def test_a_failed_writer_is_asked_again_and_nobody_else(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply(statement("Tea."), model="ada")
    upstream.reply(statement("Still tea."), model="ada")
    upstream.fail(400, model="ada")
    upstream.reply(synthesis("Tea [2.1 Proposer]."), model="ada")
    upstream.reply(statement("Coffee."), model="bob")
    upstream.reply(statement("Water."), model="cid")
    page = begun(team, new_page)
    expect(page.get_by_role("alert")).to_contain_text("could not write the synthesis")

    page.get_by_role("button", name="Retry", exact=True).click()

    concluded(page)
    assert [chat.json["model"] for chat in upstream.chats].count("bob") == 2


def test_who_failed_is_left_out_and_can_be_asked_again(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply(statement("Tea."), model="ada")
    upstream.reply(statement("Still tea."), model="ada")
    upstream.reply(synthesis("Tea [2.1 Proposer]."), model="ada")
    upstream.reply(statement("Coffee."), model="bob")
    upstream.fail(400, model="bob")
    upstream.reply(statement("Still coffee."), model="bob")
    upstream.reply(statement("Water."), model="cid")
    page = begun(team, new_page)
    concluded(page)
    expect(page.get_by_role("button", name="Go to 2.2 Critic, Revised answer, no answer")).to_be_visible()
    expect(page.get_by_text("Some experts gave no answer.")).to_be_visible()

    page.get_by_role("button", name="Retry", exact=True).click()

    expect(page.get_by_role("group", name="Critic, round 2")).to_contain_text("Still coffee.")
    concluded(page)
    expect(page.get_by_text("Some experts gave no answer.")).to_have_count(0)
    assert [chat.json["model"] for chat in upstream.chats].count("cid") == 2
    assert "Still coffee." in upstream.chats[-1].body.decode(), "the synthesis knows what was said late"


def test_a_discussion_is_replayed_where_it_stands(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    speak(upstream)
    page = begun(team, new_page)
    card = concluded(page)
    text = card.inner_text()
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
    card = page.get_by_role("region", name="Synthesis", exact=True)
    expect(card.get_by_role("note")).to_contain_text("does not have the five parts")
    expect(card).to_contain_text("It all depends.")
    expect(page.get_by_role("region", name="Round 2")).to_contain_text("Moderator chose Critic.")
    expect(page.get_by_role("region", name="Round 2")).to_contain_text("Why coffee?")
    page.get_by_role("region", name="Round 1").get_by_role("button", name="Round 1").click()
    expect(page.get_by_role("region", name="Round 1")).to_contain_text(
        "Moderator chose Plumber, who cannot speak now. Proposer speaks, who has said least so far."
    )


def test_a_cap_ends_the_rounds_and_the_page_says_so(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply(statement("Tea."), model="ada")
    upstream.reply(synthesis("Tea."), model="ada")
    page = new_page(f"{team.url}/?mode=team")
    page.get_by_role("button", name="Settings", exact=True).click()
    page.get_by_label("Token cap").fill("10")
    page.keyboard.press("Escape")
    ask(page, QUESTION)
    expect(page.get_by_text("The cap is reached, so no synthesis was written.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"near the token cap: \d+ of 10 used"))).to_be_visible()

    page.get_by_role("button", name="Write synthesis now").click()

    concluded(page)


def test_a_team_is_taken_up_again_after_a_power_cut(
    upstream: ScriptedUpstream, new_page: NewPage, tmp_path: Path
) -> None:
    upstream.reply(statement("Tea."), model="ada")
    upstream.reply(statement("Still tea."), model="ada")
    upstream.reply(synthesis("Tea [2.1 Proposer]."), model="ada")
    upstream.reply("Cof", "fee.", hold_after=1, model="bob")
    upstream.reply(statement("Coffee."), model="bob")
    upstream.reply(statement("Water."), model="cid")
    models, port = models_file(upstream, tmp_path, MODELS), free_port()
    with serve(tmp_path / "data", models, port) as served:
        page = new_page(served.url)
        begin(page)
        expect(page.get_by_role("group", name="Critic, round 1")).to_contain_text("Cof")
        expect(page.get_by_role("group", name="Proposer, round 1")).to_contain_text("As I said.")
        served.kill()
    upstream.release()
    with serve(tmp_path / "data", models, port):
        concluded(page)
        assert [chat.json["model"] for chat in upstream.chats].count("ada") == 3


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
    page.get_by_role("region", name="Recommendation").get_by_role("link", name="2.2 Critic").focus()
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
        page.emulate_media(color_scheme=theme)
        page.wait_for_function(IN_THEME, arg=theme)
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
    page.get_by_role("radio", name="Role").click()
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
    saved = page.request.post(
        f"{team.url}/api/presets",
        data={"mode": "team", "name": "Judged", "seats": seats, "contestant": True},
        headers={"Origin": team.url},
    )
    begin(page)
    concluded(page)
    unknown = "Not known yet: none of its members has blind votes."
    expect(page.get_by_role("region", name="Team so far")).to_contain_text(unknown)
    page.goto(f"{team.url}/models/{saved.json()['model_id']}")
    expect(page.get_by_role("region", name="Was it worth it?")).to_contain_text(unknown)
    page.request.delete(f"{team.url}/api/presets/{saved.json()['id']}", headers={"Origin": team.url})
