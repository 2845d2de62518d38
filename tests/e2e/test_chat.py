"""A chat in a real browser."""

from playwright.sync_api import expect

from tests.e2e.conftest import NewPage, Served
from tests.e2e.test_battle import ask
from tests.fakes.upstream import ScriptedUpstream


def test_a_chat_shows_reasoning_and_what_it_took(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("The answer is **42**.", reasoning=["Let me think."], model="up-alpha")
    page = new_page(f"{connected.url}/?mode=chat")
    expect(page.get_by_role("button", name="Model: Canary Alpha")).to_be_visible()
    ask(page, "What is it?")
    answer = page.get_by_role("article", name="Canary Alpha’s answer")
    expect(answer).to_contain_text("The answer is 42.", timeout=15_000)
    expect(answer.get_by_label("Metrics")).to_contain_text("TTFT")
    expect(answer).not_to_contain_text("Let me think.")
    answer.get_by_role("button", name="Thought").click()
    expect(answer).to_contain_text("Let me think.")


def test_a_failed_answer_says_why_and_can_be_asked_again(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.fail(401, model="up-alpha", times=1)
    upstream.reply("Now it works.", model="up-alpha")
    page = new_page(f"{connected.url}/?mode=chat")
    ask(page, "Hello?")
    answer = page.get_by_role("article", name="Canary Alpha’s answer")
    expect(answer).to_contain_text("key", timeout=15_000)
    assert "canary-key" not in page.content()
    answer.get_by_role("button", name="Retry").click()
    expect(answer).to_contain_text("Now it works.", timeout=15_000)


def test_another_model_carries_on_the_same_conversation(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Alpha here.", model="up-alpha")
    upstream.reply("Beta here.", model="up-beta")
    page = new_page(f"{connected.url}/?mode=chat")
    ask(page, "Who?")
    expect(page.get_by_text("Alpha here.")).to_be_visible(timeout=15_000)
    page.get_by_role("button", name="Model: Canary Alpha").click()
    page.get_by_role("option", name="Canary Beta").click()
    ask(page, "And who now?")
    expect(page.get_by_text("Beta here.")).to_be_visible(timeout=15_000)
    heard = [message["content"] for message in upstream.chats[-1].json["messages"]]
    assert heard == ["Who?", "Alpha here.", "And who now?"]


def test_text_of_a_model_cannot_run_or_load_anything(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply(
        "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
        "![pixel](http://192.0.2.1/p.png) [link](javascript:document.title='owned') done",
        model="up-alpha",
    )
    page = new_page(f"{connected.url}/?mode=chat")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    ask(page, "Be evil")
    answer = page.get_by_role("article", name="Canary Alpha’s answer")
    expect(answer).to_contain_text("done", timeout=15_000)
    page.wait_for_timeout(300)
    assert "owned" not in page.title()
    assert all(url.startswith((connected.url, "data:", "blob:")) for url in asked)
    assert answer.locator("script, img[src^='http'], a[href^='javascript']").count() == 0
