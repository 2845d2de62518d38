"""A team's discussion on the page: how it is begun, what is said in it, and its end."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import SETTINGS
from tests.browser.servers import Served
from tests.browser.test_battle import ask
from tests.fakes.team_texts import statement, synthesis
from tests.fakes.upstream import ScriptedUpstream

MODELS = ("ada", "bob", "cid")


QUESTION = "Tea or coffee?"


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
    page.get_by_role("button", name=SETTINGS).click()
    for label, choice in choices.items():
        page.get_by_label(label, exact=True).select_option(choice)
    page.keyboard.press("Escape")


def concluded(page: Page) -> Locator:
    """Wait until the synthesis stands in its parts, none of them Markdown's source any more; return it."""
    card = page.get_by_role("group", name="Synthesis", exact=True)
    expect(card.get_by_role("group", name="Recommendation").locator("p").first).to_be_visible(timeout=60_000)
    expect(card).not_to_contain_text("](#")
    return card
