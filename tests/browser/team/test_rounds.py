"""A team's rounds in a real browser: talked into, stopped, failed, asked again and taken up after a power cut."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.screens import SETTINGS
from tests.browser.servers import Served, serve_as_process
from tests.browser.team.discussion import MODELS, QUESTION, begin, begun, concluded, pausing, speak
from tests.browser.test_battle import ask
from tests.browser.test_consortium import models_file
from tests.fakes.ports import free_port
from tests.fakes.team_texts import statement, synthesis
from tests.fakes.upstream import ScriptedUpstream


def test_a_person_steps_in_between_the_rounds(
    team: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    speak(upstream)
    page = pausing(team, new_page)
    ask(page, QUESTION)
    expect(page.get_by_text("Your turn.")).to_be_visible()
    figures = page.get_by_role("group", name="Team so far")
    expect(figures).to_contain_text("Paused after round 1 of 2")

    page.get_by_role("button", name="Message type: Add a fact").click()
    page.get_by_role("button", name="Ask one expert: Critic · Bob").click()
    ask(page, "Which coffee?")
    asked = page.get_by_role("group", name="Round 2: your question to one expert")
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
    page.get_by_role("button", name=SETTINGS).click()
    page.get_by_label("Rounds", exact=True).fill("3")
    page.keyboard.press("Escape")
    ask(page, QUESTION)
    upstream.reply("Let us see.", model="bob")
    upstream.reply("Let us see.", model="cid")
    page.get_by_role("button", name="Run to the end").click()
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    expect(page.get_by_role("group", name="Synthesis", exact=True)).to_be_visible()
    expect(page.get_by_role("group", name="Round 3", exact=True)).to_be_visible()
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

    card = page.get_by_role("group", name="Synthesis", exact=True)
    expect(card).to_contain_text("Drink cocoa")
    expect(card).to_have_count(1)
    page.get_by_role("button", name="Earlier synthesis").click()
    expect(page.get_by_role("group", name="Recommendation").first).to_contain_text("Drink tea")
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
    expect(page.get_by_role("group", name="Team so far")).to_contain_text("round 1 of 2 · Critic is speaking")
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
    with serve_as_process(tmp_path / "data", models, port) as served:
        page = new_page(served.url)
        begin(page)
        expect(page.get_by_role("group", name="Critic, round 1")).to_contain_text("Cof")
        expect(page.get_by_role("group", name="Proposer, round 1")).to_contain_text("As I said.")
        served.kill()
    upstream.release()
    with serve_as_process(tmp_path / "data", models, port):
        concluded(page)
        assert [chat.json["model"] for chat in upstream.chats].count("ada") == 3
