"""A chat in a real browser."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.servers import Served
from tests.browser.test_battle import ask
from tests.fakes.upstream import ScriptedUpstream


def test_a_chat_shows_reasoning_and_what_it_took_and_runs_nothing_of_an_answer(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("The answer is **42**.", reasoning=["Let me think."], model="up-alpha")
    page = new_page(f"{connected.url}/?mode=chat")
    expect(page.get_by_role("button", name="Model: Canary Alpha")).to_be_visible()
    ask(page, "What is it?")
    answer = page.get_by_role("article", name="Canary Alpha’s answer")
    expect(answer).to_contain_text("The answer is 42.")
    expect(answer.get_by_label("Metrics")).to_contain_text("First word")
    expect(answer).not_to_contain_text("Let me think.")
    answer.get_by_role("button", name="Thought").click()
    expect(answer).to_contain_text("Let me think.")

    upstream.drop("up-alpha")
    upstream.reply(
        "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
        "![pixel](http://192.0.2.1/p.png) [link](javascript:document.title='owned') done",
        model="up-alpha",
    )
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    ask(page, "Be evil")
    evil = page.get_by_role("article", name="Canary Alpha’s answer").last
    expect(evil).to_contain_text("done")
    expect(evil.get_by_label("Metrics")).to_be_visible()
    page.evaluate("() => new Promise(painted => requestAnimationFrame(() => setTimeout(painted)))")
    assert "owned" not in page.title()
    assert all(url.startswith((connected.url, "data:", "blob:")) for url in asked)
    assert evil.locator("script, img[src^='http'], a[href^='javascript']").count() == 0


def test_a_failed_answer_is_asked_again_and_another_model_carries_on(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.fail(401, model="up-alpha", times=1)
    upstream.reply("Now it works.", model="up-alpha")
    page = new_page(f"{connected.url}/?mode=chat")
    ask(page, "Hello?")
    answer = page.get_by_role("article", name="Canary Alpha’s answer")
    expect(answer).to_contain_text("key")
    assert "canary-key" not in page.content()
    answer.get_by_role("button", name="Retry").click()
    expect(answer).to_contain_text("Now it works.")
    upstream.reply("Beta here.", model="up-beta")
    page.get_by_role("button", name="Model: Canary Alpha").click()
    page.get_by_role("option", name="Canary Beta").click()
    ask(page, "And who now?")
    expect(page.get_by_text("Beta here.")).to_be_visible()
    assert heard_last(upstream) == ["Hello?", "Now it works.", "And who now?"]


def heard_last(upstream: ScriptedUpstream) -> list[str]:
    return [message["content"] for message in upstream.chats[-1].json["messages"]]


def test_a_question_is_edited_in_its_place_and_both_branches_are_browsed(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    for text in ("First.", "Second.", "Edited.", "Third."):
        upstream.reply(text, model="up-alpha", times=1)
    page = new_page(f"{connected.url}/?mode=chat")
    ask(page, "One?")
    expect(page.get_by_text("First.")).to_be_visible()
    ask(page, "Two?")
    expect(page.get_by_text("Second.")).to_be_visible()

    page.get_by_role("region", name="Turn 2").get_by_role(
        "button", name="More actions for your question"
    ).click()
    page.get_by_role("menuitem", name="Edit and ask again").click()
    field = page.get_by_role("textbox", name="Question")
    expect(field).to_be_focused()
    field.press("End")
    field.press_sequentially(" Or three?")
    field.press("Enter")
    expect(page.get_by_text("Edited.")).to_be_visible()
    expect(page.get_by_text("Second.")).to_have_count(0)
    assert heard_last(upstream) == ["One?", "First.", "Two? Or three?"]

    branches = page.get_by_role("group", name="Branches")
    expect(branches).to_contain_text("2 of 2")
    branches.get_by_role("button", name="Previous branch").click()
    expect(page.get_by_text("Second.")).to_be_visible()
    expect(page.get_by_text("Edited.")).to_have_count(0)
    page.reload()
    expect(page.get_by_text("Second.")).to_be_visible()
    # What is asked now goes on from the branch that is shown.
    ask(page, "Three?")
    expect(page.get_by_text("Third.")).to_be_visible()
    assert heard_last(upstream) == ["One?", "First.", "Two?", "Second.", "Three?"]


def test_an_edit_is_kept_until_it_is_sent_once_or_given_up(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("First.", model="up-alpha")
    page = new_page(f"{connected.url}/?mode=chat")
    ask(page, "One?")
    expect(page.get_by_text("First.")).to_be_visible()

    def edit() -> None:
        page.get_by_role("button", name="More actions for your question").click()
        page.get_by_role("menuitem", name="Edit and ask again").click()

    field = page.get_by_role("textbox", name="Question")
    edit()
    field.fill("Half of it")
    page.reload()
    expect(field).to_have_value("Half of it")
    field.press("Escape")
    expect(field).to_have_count(0)
    edit()
    expect(field).to_have_value("Half of it")
    page.get_by_role("button", name="Cancel").click()
    edit()
    expect(field).to_have_value("One?")
    # What could not be sent stands in its field again.
    field.fill("All of it?")
    page.route("**/matches", lambda route: route.abort())
    field.press("Enter")
    expect(page.get_by_text("Can’t reach Parley’s server").first).to_be_visible(timeout=30_000)
    expect(field).to_have_value("All of it?")
    page.unroute("**/matches")
    page.get_by_role("button", name="Ask", exact=True).dblclick()
    turn = page.get_by_role("region", name="Turn 1")
    expect(turn).to_contain_text("2 of 2")
    # The branch is shown before its model is asked.
    expect(turn.get_by_label("Metrics")).to_be_visible()
    assert [heard_last(upstream), len(upstream.chats)] == [["All of it?"], 2]


def first_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Turn 1")


def test_another_model_answers_the_first_question_and_a_branch_begins_at_an_answer(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Alpha here.", model="up-alpha")
    upstream.reply("Beta here.", model="up-beta")
    page = new_page(f"{connected.url}/?mode=chat")
    ask(page, "Who?")
    expect(page.get_by_text("Alpha here.")).to_be_visible()
    ask(page, "Still?")
    expect(page.get_by_role("region", name="Turn 2")).to_contain_text("Alpha here.")
    first = first_of(page)
    hidden = first.get_attribute("data-turn")
    first.get_by_role("button", name="More actions for Canary Alpha’s answer").click()
    page.get_by_role("menuitem", name="Answer with another model…").click()
    page.get_by_role("option", name="Canary Beta").click()
    expect(page.get_by_text("Beta here.")).to_be_visible()
    assert heard_last(upstream) == ["Who?"]
    expect(page.get_by_role("region", name="Turn 2")).to_have_count(0)
    # A link to the branch that is hidden now shows it, and a message goes on from there.
    other = new_page(f"{page.url.split('#')[0]}#{hidden}")
    expect(first_of(other)).to_contain_text("Alpha here.")
    expect(other.get_by_text("Beta here.")).to_have_count(0)
    ask(other, "And then?")
    expect(other.get_by_role("region", name="Turn 3")).to_contain_text("Alpha here.")
    assert heard_last(upstream) == ["Who?", "Alpha here.", "Still?", "Alpha here.", "And then?"]
    other.reload()
    expect(other.get_by_role("region", name="Turn 3")).to_contain_text("Alpha here.")
    other.close()

    page.get_by_role("button", name="Previous branch").click()
    first.get_by_role("button", name="More actions for Canary Alpha’s answer").click()
    page.get_by_role("menuitem", name="Branch from here").click()
    expect(page.get_by_role("button", name="Stop continuing from there")).to_be_visible()
    page.keyboard.type("Instead?")
    page.keyboard.press("Enter")
    turn = page.get_by_role("region", name="Turn 2")
    expect(turn).to_contain_text("2 of 2")
    expect(turn).to_contain_text("Alpha here.")
    assert heard_last(upstream) == ["Who?", "Alpha here.", "Instead?"]


def test_a_chat_has_settings_of_its_own_which_wait_there_until_they_are_sent(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Arr.", model="up-alpha")
    page = new_page(f"{connected.url}/?mode=chat")
    page.get_by_role("button", name="Settings", exact=True).last.click()
    page.get_by_role("textbox", name="System prompt").fill("Talk like a pirate.")
    page.get_by_role("spinbutton", name="Temperature").press_sequentially("0,3")
    expect(page.get_by_role("spinbutton", name="Temperature")).to_have_value("0.3")
    page.keyboard.press("Escape")
    ask(page, "Hello?")
    expect(page.get_by_text("Arr.")).to_be_visible()
    assert heard_last(upstream) == ["Talk like a pirate.", "Hello?"]
    assert upstream.chats[-1].json["temperature"] == 0.3
    ask(page, "Again?")
    expect(page.get_by_role("region", name="Turn 2")).to_contain_text("Arr.")
    assert heard_last(upstream) == ["Talk like a pirate.", "Hello?", "Arr.", "Again?"]
    # Settings chosen since count for an edited question too.
    page.get_by_role("button", name="Custom settings").last.click()
    page.get_by_role("textbox", name="System prompt").fill("Talk like a captain.")
    page.keyboard.press("Escape")
    turn = page.get_by_role("region", name="Turn 2")
    turn.get_by_role("button", name="More actions for your question").click()
    page.get_by_role("menuitem", name="Edit and ask again").click()
    page.get_by_role("textbox", name="Question").fill("Once more?")
    page.keyboard.press("Enter")
    expect(turn).to_contain_text("2 of 2")
    expect(turn.get_by_label("Metrics")).to_be_visible()
    assert heard_last(upstream) == ["Talk like a captain.", "Hello?", "Arr.", "Once more?"]
    # Those not sent yet stay with their chat.
    page.get_by_role("button", name="Custom settings").last.click()
    page.get_by_role("textbox", name="System prompt").fill("Between us.")
    page.keyboard.press("Escape")
    page.goto(f"{connected.url}/?mode=chat")
    ask(page, "Somebody else?")
    expect(page.get_by_role("region", name="Turn 1")).to_contain_text("Arr.")
    assert heard_last(upstream) == ["Somebody else?"]
    page.get_by_role("button", name="Settings", exact=True).last.click()
    page.get_by_role("textbox", name="System prompt").fill("Here only.")
    page.keyboard.press("Escape")
    page.get_by_role("complementary", name="Sessions").get_by_role("link", name="Hello?").click()
    ask(page, "Still there?")
    expect(page.get_by_role("region", name="Turn 3")).to_contain_text("Arr.")
    assert heard_last(upstream) == ["Between us.", "Hello?", "Arr.", "Once more?", "Arr.", "Still there?"]


def test_an_imported_question_is_edited_though_its_model_is_gone(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Alpha answers instead.", model="up-alpha")
    page = new_page(connected.url)
    page.evaluate(
        """async () => fetch("/api/sessions/import", {
          method: "POST", headers: { "Content-Type": "application/octet-stream" },
          body: JSON.stringify({ title: "Old talk", model: "gone-1", messages: [
            { role: "user", content: "One?" }, { role: "assistant", content: "First." },
            { role: "user", content: "Two?" }, { role: "assistant", content: "Second.", name: "gone-2" } ] }),
        })"""
    )
    page.reload()
    page.get_by_role("complementary").get_by_role("link", name="Old talk").click()
    answers = page.get_by_role("article")
    expect(answers.nth(0)).to_contain_text("gone-1")
    expect(answers.nth(1)).to_contain_text("gone-2")
    answers.nth(1).get_by_role("button", name="More actions for gone-2’s answer").click()
    expect(page.get_by_role("menuitem", name="Answer with another model…")).to_be_visible()
    expect(page.get_by_role("menuitem", name="Regenerate")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("region", name="Turn 2").get_by_role(
        "button", name="More actions for your question"
    ).click()
    page.get_by_role("menuitem", name="Edit and ask again").click()
    page.get_by_role("textbox", name="Question").fill("Two, edited?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Alpha answers instead.")).to_be_visible()
    heard = [message["content"] for message in upstream.chats[-1].json["messages"]]
    assert heard == ["One?", "First.", "Two, edited?"]
