"""A consortium in a real browser: chosen, watched round by round, saved, stopped, read again."""

import re
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import SETTINGS, check_screen, set_theme
from tests.browser.servers import Served, get, post, serve
from tests.browser.test_battle import ask
from tests.fakes.consortium_talk import arbiter, member
from tests.fakes.upstream import ScriptedUpstream

MODELS = ("ada", "bob", "cid", "judge")
WAVES = "Move the tenants in waves. Rehearse the way back."
NIGHT = "Move the tenants in one night. Rehearse the way back."


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Served, ScriptedUpstream]]:
    """A Parley whose four models live on a scripted server; the dearest of them is the usual arbiter."""
    folder = tmp_path_factory.mktemp("council")
    server = ScriptedUpstream.start_in_thread()
    path = models_file(server, folder, MODELS)
    with serve(folder / "data", path) as served:
        yield served, server
    server.stop_thread()


def models_file(server: ScriptedUpstream, folder: Path, models: Sequence[str], *battle: str) -> Path:
    """Write a model list, each dearer than the one before it; those named in `battle` alone are drawn."""
    path = folder / "models.yaml"
    path.write_text(
        "providers:\n"
        f"  - {{id: near, connector: openai, base_url: {server.url}, api_key: key}}\n"
        "models:\n"
        + "".join(
            f"  - {{id: {name}, name: {name.title()}, organization: Org {name}, license: MIT, "
            f"tags: [{'battle' if name in battle else ''}], "
            f"routes: [{{provider: near, model: {name}}}], prices: {{input: 1, output: {price}}}}}\n"
            for price, name in enumerate(models, 2)
        ),
        encoding="utf-8",
    )
    return path


@pytest.fixture
def council(scripted: tuple[Served, ScriptedUpstream]) -> Served:
    return scripted[0]


@pytest.fixture
def upstream(scripted: tuple[Served, ScriptedUpstream]) -> ScriptedUpstream:
    """The scripted server, which has heard and said nothing yet."""
    scripted[1].forget()
    return scripted[1]


def speak(upstream: ScriptedUpstream) -> None:
    """Let the members disagree once, and the arbiter be sure in the second round."""
    upstream.reply(member(NIGHT, 0.6), model="ada")
    upstream.reply(member(WAVES, 0.9), model="ada")
    upstream.reply(member(WAVES, 0.8), model="bob")
    upstream.reply(member(f"{WAVES} Freeze the schema.", "quite sure"), model="cid")
    upstream.reply(
        arbiter(
            "Move in waves, smallest first.",
            0.58,
            more=True,
            areas=["size of the first wave"],
            dissent="Member 1 would rather move in one night.",
        ),
        model="judge",
    )
    upstream.reply(
        arbiter("Move in **waves**, smallest first, and rehearse.", 0.91, areas=["who rolls back"]),
        model="judge",
    )


def begin(page: Page, question: str = "One night or waves?") -> None:
    page.get_by_role("radio", name="Consortium").click()
    expect(page.get_by_role("button", name="Arbiter: ")).to_be_visible()
    ask(page, question)


def final(page: Page, synthesis: str) -> str:
    """Return the text of the last card, once it shows this synthesis as rendered Markdown."""
    card = page.get_by_role("group", name="Final synthesis")
    # Until it is laid out it stands as plain text, which has no paragraphs.
    expect(card.locator("p").filter(has_text=synthesis).first).to_be_visible(timeout=60_000)
    expect(card.locator(".plain-text")).to_have_count(0)
    return card.inner_text()


def test_a_demo_consortium_runs_to_its_end_and_can_go_on(demo: Served, new_page: NewPage) -> None:
    page = new_page(demo.url)
    begin(page, "What is 17% of 2,340?")
    expect(page.get_by_role("group", name="Round 1", exact=True)).to_be_visible(timeout=20_000)

    synthesis = final(page, "397.8")

    expect(page.get_by_role("group", name="Cost and time")).to_contain_text("Total")
    page.reload()
    assert final(page, "397.8") == synthesis
    for width in (820, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.get_by_role("button", name="Message type: ")).to_be_visible()
        name = page.get_by_role("button", name="Arbiter: ").locator("span").first
        expect(name).to_be_visible()
        assert name.evaluate("name => name.scrollWidth <= name.clientWidth"), name.bounding_box()


@pytest.mark.slow
def test_two_rounds_are_shown_read_the_same_after_a_reload_and_are_accessible(
    council: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    speak(upstream)
    page = new_page(council.url)
    begin(page)
    synthesis = final(page, "Move in waves, smallest first, and rehearse.")

    assert "confidence 0.91 (threshold 0.80) · settled" in synthesis.replace("\n", " ")
    line = page.get_by_role("img", name="Arbiter confidence")
    expect(line).to_have_attribute(
        "aria-label", "Arbiter confidence, threshold 0.80. round 1: 0.58, round 2: 0.91"
    )
    assert float(page.get_by_role("meter", name="Consensus").get_attribute("aria-valuenow") or 0) > 0.5
    second = page.get_by_role("group", name="Round 2", exact=True)
    expect(second.get_by_role("group", name="Cid’s answer")).to_contain_text("not given")
    expect(second.get_by_role("group", name="Ada’s answer")).to_contain_text("0.90")
    assert "answer>" not in second.inner_text()

    first = page.get_by_role("group", name="Round 1", exact=True)
    expect(first.get_by_role("group", name="Ada’s answer")).to_have_count(0)
    first.get_by_role("button", name="Round 1").click()
    expect(first.get_by_role("group", name="Ada’s answer")).to_contain_text("in one night")
    expect(first.get_by_role("group", name="Minority report")).to_contain_text(
        "would rather move in one night"
    )
    first.get_by_role("button", name="Show as table").click()
    expect(first.get_by_role("row", name="Cid one only Freeze the schema.")).to_be_visible()

    page.get_by_role("button", name="who rolls back").click()
    expect(page.get_by_role("textbox", name="Message")).to_have_value("who rolls back")
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    page.get_by_role("textbox", name="Message").fill("")
    page.reload()
    assert final(page, "Move in waves, smallest first, and rehearse.") == synthesis

    page.get_by_role("button", name="Show figures as table").click()
    page.get_by_role("button", name="Go to round 1").click()
    expect(page.get_by_role("group", name="Round 1", exact=True)).to_be_focused()
    # The table was chosen above, and is remembered for every round.
    page.get_by_role("button", name="Hide table").last.click()
    for theme in ("dark", "light"):
        set_theme(page, theme)
        check_screen(page, f"consortium, {theme}")
    page.set_viewport_size({"width": 390, "height": 844})
    check_screen(page, "consortium on a phone")
    page.get_by_role("radio", name="Word clouds").first.click()
    expect(page.get_by_role("list", name="Words of Ada").first).to_be_visible()
    check_screen(page, "words on a phone")
    composer = page.locator("form", has=page.get_by_role("textbox", name="Message")).bounding_box()
    assert composer
    assert composer["height"] <= 0.25 * 844, "models and settings take the room of what is read"
    page.get_by_role("button", name="Models and settings").click()
    expect(page.get_by_role("dialog", name="Models and settings")).to_be_visible()
    check_screen(page, "models and settings on a phone")
    page.get_by_role("button", name=SETTINGS).click()
    expect(page.get_by_label("Strategy")).to_be_visible()
    check_screen(page, "settings on a phone")


def test_each_round_says_why_it_goes_on_or_ends(
    council: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    for name, total in (("ada", "397.8"), ("bob", "398"), ("cid", "397.8")):
        upstream.reply(member(f"The total comes to {total} euros.", 0.8), model=name)
    upstream.reply(arbiter("397.8 euros.", 0.84, more=True), model="judge")
    upstream.reply(arbiter("398 euros, rounded.", 0.9), model="judge")
    page = new_page(council.url)
    begin(page, "What is the total?")
    assert "Settled: confidence 0.90 meets the threshold of 0.80" in final(page, "398 euros, rounded.")
    first = page.get_by_role("group", name="Round 1", exact=True)
    expect(first).to_contain_text(
        "confidence 0.84 meets the threshold of 0.80, but the arbiter asked for another round"
    )
    second = page.get_by_role("group", name="Round 2", exact=True)
    expect(second.get_by_role("list", name="Legend")).to_contain_text("other number")
    second.get_by_role("button", name="Show as table").click()
    expect(second.get_by_role("row", name="Bob other number The total comes to 398 euros.")).to_be_visible()
    expect(second.get_by_role("row", name="all agree")).to_have_count(0)


def test_settings_are_saved_used_and_changed_between_turns(
    council: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    speak(upstream)
    page = new_page(f"{council.url}/?mode=consortium")
    page.get_by_role("button", name="Member: Cid").click()
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name=SETTINGS).click()
    page.get_by_role("spinbutton", name="Confidence threshold").fill("0.5")
    page.get_by_label("Max rounds").fill("1")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Estimate: 3 calls")).to_be_visible()
    page.get_by_role("button", name="Saved consortia").click()
    page.get_by_label("Name", exact=True).fill("Review board")
    page.get_by_role("button", name="Save line-up").click()
    expect(page.get_by_role("button", name="Saved consortium: Review board")).to_be_visible()
    page.get_by_role("button", name="Add a member").click()
    page.get_by_role("option", name="Cid").click()
    page.reload()
    expect(page.get_by_role("button", name="Member: Cid")).to_be_visible()
    page.get_by_role("region", name="Saved consortia").get_by_role("button", name="Review board").click()
    expect(page.get_by_role("button", name="Member: Cid")).to_have_count(0)

    ask(page, "One night or waves?")
    final(page, "smallest first")
    ask(page, "And then?")
    expect(
        page.get_by_role("region", name="Turn 2").get_by_role("group", name="Final synthesis")
    ).to_be_visible()
    page.get_by_role("button", name=SETTINGS).click()
    page.get_by_label("Strategy").select_option("role")
    page.get_by_label("Role of Ada").fill("You doubt.")
    page.keyboard.press("Escape")
    ask(page, "And at last?")
    expect(
        page.get_by_role("region", name="Turn 3").get_by_role("group", name="Final synthesis")
    ).to_be_visible()

    session = page.url.rsplit("/", 1)[1].split("#")[0].split("?")[0]
    read = page.evaluate("async (id) => (await fetch('/api/sessions/' + id)).json()", session)
    turns = [len(record["turns"]) for record in read["matches"]]
    briefs = [record["match"]["brief"] for record in read["matches"]]
    assert turns == [2, 1]
    assert [(brief["confidence_threshold"], brief["max_iterations"]) for brief in briefs] == [(0.5, 1)] * 2
    assert [brief["roles"] for brief in briefs] == [None, {"a": "You doubt."}]


def test_a_saved_line_up_is_starred_removed_and_brought_back(council: Served, new_page: NewPage) -> None:
    page = new_page(f"{council.url}/?mode=consortium")
    seats = {"arbiter": "cid", "a": "judge"}
    pair = post(council, "/api/presets", {"mode": "consortium", "name": "Pair", "seats": seats})["id"]
    page.reload()
    page.get_by_role("button", name="Saved consortia").click()
    star = page.get_by_role("button", name="Start new sessions with Pair")
    expect(star).to_have_attribute("aria-pressed", "false")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("New sessions start with “Pair”.")).to_be_visible()

    other = new_page(f"{council.url}/?mode=consortium")

    expect(other.get_by_role("button", name="Saved consortium: Pair")).to_be_visible()
    with other.expect_response(lambda each: each.request.method == "POST") as sent:
        ask(other, "Who is right?")
    body = sent.value.request.post_data_json
    assert body is not None
    assert body["seats"] == {"arbiter": "cid", "a": "judge"}

    star.click()
    expect(page.get_by_text("New sessions no longer start with “Pair”.")).to_be_visible()
    page.goto(f"{council.url}/?mode=consortium")
    expect(page.get_by_role("button", name="Saved consortia")).to_be_visible()

    # Undo brings a removed one back as the same one.
    saved = get(council, f"/api/presets/{pair}")
    page.get_by_role("button", name="Saved consortia").click()
    page.get_by_role("button", name="Delete Pair").click()
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    assert get(council, f"/api/presets/{pair}")["status"] == 404
    with page.expect_response(re.compile(".*/restore$")):
        undo.click()
    assert get(council, f"/api/presets/{pair}") == saved
    page.keyboard.press("Escape")
    expect(page.get_by_role("region", name="Saved consortia").get_by_text("Pair")).to_be_visible()


def test_a_stopped_consortium_keeps_what_came_and_goes_on(
    council: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply(member(WAVES), model="ada")
    for name in ("bob", "cid"):
        upstream.reply("<answer>\nMove the ", "tenants.\n</answer>", hold_after=1, model=name)
        upstream.reply(member(WAVES), model=name)
    upstream.reply(arbiter("Waves.", 0.9), model="judge")
    page = new_page(council.url)
    begin(page)
    expect(page.get_by_role("group", name="Bob’s answer")).to_contain_text("Move the")
    expect(page.get_by_role("group", name="Ada’s answer")).to_contain_text("Rehearse")

    page.get_by_role("button", name="Stop", exact=True).click()

    expect(page.get_by_text("Consortium stopped.")).to_be_visible()
    expect(page.get_by_role("group", name="Bob’s answer")).to_contain_text("Move the")
    upstream.release()
    page.get_by_role("button", name="Resume").click()
    final(page, "Waves.")
    assert [chat.json["model"] for chat in upstream.chats].count("ada") == 1


def test_a_consortium_in_a_battle_tells_after_the_vote_how_its_answer_came_about(
    upstream: ScriptedUpstream, new_page: NewPage, tmp_path: Path
) -> None:
    for name in ("ada", "bob"):
        upstream.reply(member(f"So says {name}."), model=name)
    upstream.reply(arbiter("Both agree.", 0.95), model="judge")
    with serve(tmp_path / "data", models_file(upstream, tmp_path, ("ada", "bob", "judge"), "ada")) as served:
        page = new_page(served.url)
        saved = page.request.post(
            f"{served.url}/api/presets",
            data={
                "mode": "consortium",
                "name": "Review board",
                "seats": {"arbiter": "judge", "a": "ada", "b": "bob"},
                "contestant": True,
            },
            headers={"Origin": served.url},
        )
        assert saved.ok, saved.text()
        ask(page, "Who is right?")
        tie = page.get_by_role("button", name="Tie")
        expect(tie).to_be_visible(timeout=30_000)
        how = page.get_by_role("button", name="How this answer was made")
        expect(how).to_have_count(0)
        assert "Review board" not in page.get_by_role("main").inner_text()
        key = page.get_by_role("button", name="New", exact=True).get_by_text("N", exact=True)
        expect(key).to_be_visible()

        tie.click()

        expect(page.get_by_role("region", name="Result")).to_be_visible()
        expect(key).to_be_hidden()
        how.click()
        said = page.get_by_role("listitem", name="Round 1")
        expect(said.get_by_role("button")).to_have_text(
            [re.compile(each) for each in ("Ada", "Bob", "Judge")]
        )
        said.get_by_role("button", name="Bob").click()
        expect(said).to_contain_text("So says bob.")
        assert "answer>" not in said.inner_text()
