"""Tests of search in answers over HTTP: what is found, where, how soon, and what stays hidden while blind."""

import asyncio
import threading
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update

from parley.features.library.repository import LibraryRepository
from parley.features.sessions import search_repository
from parley.features.sessions.indexing import SearchIndexing
from parley.storage.database import Database, Transaction
from parley.storage.tables.conversations import TurnRow
from parley.storage.tables.search import SearchReplyRow
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley

pytestmark = ON_EVERY_KIND


async def found(parley: RunningParley, search: str, **more: str) -> list[dict]:
    return (await parley.get("/api/sessions", params={"search": search, **more}))["sessions"]


async def make_all_searchable(parley: RunningParley) -> None:
    """Do now what is done soon: a search itself waits for a few turns only."""
    while await parley.application[SearchIndexing].catch_up():
        pass


async def test_a_search_shows_where_in_an_answer_it_was_found(parley: RunningParley) -> None:
    parley.upstream.reply("Trees grow upwards.")
    parley.upstream.reply("Much  longer,\nand about the Große Eiche of the village" + " and so on" * 40)
    begun = await parley.chat("About trees")
    first = begun["turn_id"]
    more = await parley.post(f"/api/matches/{begun['match_id']}/turns", {"input": {"text": "More, please"}})
    (card,) = await found(parley, "GROSSE eiche")
    assert card["id"] == begun["session_id"]
    assert "about the Große Eiche of the village" in card["excerpt"]
    assert card["excerpt_turn_id"] == more["turn_id"]
    (card,) = await found(parley, "upwards")
    assert (card["excerpt"], card["excerpt_turn_id"]) == ("Trees grow upwards.", first)
    (card,) = await found(parley, "please")
    assert card["excerpt_turn_id"] == more["turn_id"]
    (card,) = await found(parley, "trees")
    assert (card["excerpt"], card["excerpt_turn_id"]) == (None, None)


FINDS = {
    "the word is xylophone": ("YLOPH",),
    "北京是中国的首都": ("中国的", "中国", "首都"),
    "ends with qz": ("qz",),
    "Ω": ("ω",),
    'a "quote"': ('"q',),
    'say "hi" OR NOT *': ('"hi" or',),
    "100%_moss": ("%_m",),
    "it's a\nnew   line": ("A new line",),
    "the **Rayleigh** scattering of `blue` light": ("rayleigh scattering of blue",),
    "- *One*\n- ~~two~~\n\n## Three\n> four": ("three four",),
    "pass **kwargs on": ("**kwargs",),
    "2 * 3 is 6": ("2 * 3",),
    "a*b*c stays": ("a*b",),
}
"""Answers, and searches that find each of them and no other."""


@pytest.mark.parametrize("latest", [0, 1000])
async def test_whatever_an_answer_says_is_found(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch, latest: int
) -> None:
    monkeypatch.setattr(search_repository, "LATEST", latest)
    for number, answer in enumerate(FINDS):
        parley.upstream.forget()
        parley.upstream.reply(answer)
        await parley.chat(f"Q{number}")
    await make_all_searchable(parley)
    for number, (answer, searches) in enumerate(FINDS.items()):
        for search in searches:
            titles = [card["title"] for card in await found(parley, search)]
            assert titles == [f"Q{number}"], (answer, search)


PHRASES = (
    "a raven that speaks of the sea",
    "thewordsarealltogether",
    "the sea, the sea and the sea",
    "x" * 40,
)


async def test_of_a_long_phrase_every_letter_counts(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_repository, "LATEST", 0)
    for number, phrase in enumerate(PHRASES):
        answers = {
            "whole": f"He has{phrase}- again",
            "without its end": f"He has{phrase[:-1]}- again",
            "without its beginning": f"He has-{phrase[1:]}- again",
        }
        for name, answer in answers.items():
            parley.upstream.forget()
            parley.upstream.reply(answer)
            await parley.chat(f"{number} {name}")
    await make_all_searchable(parley)
    for number, phrase in enumerate(PHRASES):
        assert [card["title"] for card in await found(parley, phrase)] == [f"{number} whole"]


async def test_an_answer_that_was_asked_again_is_found_by_what_it_says_now(parley: RunningParley) -> None:
    parley.upstream.reply("about walruses")
    parley.upstream.reply("about penguins")
    begun = await parley.chat("Which animal?")
    assert len(await found(parley, "walrus")) == 1
    await parley.post(f"/api/turns/{begun['turn_id']}/retry", {"seat": "assistant"})
    assert await found(parley, "walrus") == []
    assert len(await found(parley, "penguin")) == 1


async def test_answers_of_before_an_upgrade_are_found(parley: RunningParley) -> None:
    parley.upstream.reply("about walruses")
    for number in range(3):
        await parley.chat(f"Number {number}")
    assert len(await found(parley, "walrus")) == 3

    def as_before(transaction: Transaction) -> None:
        transaction.execute(delete(SearchReplyRow.table))
        transaction.execute(update(TurnRow.table).values(searchable=False))

    await parley.application[Database].write(as_before)
    assert len(await found(parley, "walrus")) == 3


async def test_search_finds_nothing_of_a_deleted_session(parley: RunningParley) -> None:
    parley.upstream.reply("about walruses")
    parley.upstream.reply("about penguins")
    begun = await parley.chat("Which animal?")
    assert len(await found(parley, "walrus")) == 1
    await parley.client.delete(f"/api/sessions/{begun['session_id']}")
    assert await found(parley, "walrus") == []
    assert (await parley.client.delete("/api/data?confirm=delete")).status_code == 200

    def left(transaction: Transaction) -> int | None:
        return transaction.scalar(select(func.count()).select_from(SearchReplyRow.table))

    assert await parley.application[Database].read(left) == 0
    await parley.chat("And now?")
    assert len(await found(parley, "penguin")) == 1


async def test_an_excerpt_leaves_out_the_marks_of_markdown(parley: RunningParley) -> None:
    text = "| Oak | Elm |\n|---|---|\n\n### Why\n\n1. **Roots** drink `rain` - a lot of it.\n> So it *is*."
    parley.upstream.reply(text)
    await parley.chat("About trees")
    (card,) = await found(parley, "roots")
    assert card["excerpt"].endswith("Why 1. Roots drink rain - a lot of it. So it is.")
    (card,) = await found(parley, "**roots**")
    assert "1. Roots drink" in card["excerpt"]


WAYS = (
    "paris is nice",
    "[Paris](https://city.example/paris_(x)) is",
    "city.example/paris_(x)",
    "5 * 6",
    r"5 \* 6",
    "the so_called pi",
    "first second",
    "istanbul",
    "İSTANBUL",
)


@pytest.mark.parametrize("latest", [0, 1000])
async def test_an_answer_is_found_as_it_is_read_and_as_it_is_written(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch, latest: int
) -> None:
    monkeypatch.setattr(search_repository, "LATEST", latest)
    parley.upstream.reply(
        "[Paris](https://city.example/paris_(x)) is nice, 5 \\* 6 is the so\\_called _pi_.\n\n"
        "- first\n- second\n\nİstanbul"
    )
    parley.upstream.reply("Nothing of the kind.")
    await parley.chat("A question")
    await parley.chat("Another one")
    for search in WAYS:
        cards = await found(parley, search)
        assert [(card["title"], bool(card["excerpt"])) for card in cards] == [("A question", True)], search


async def test_a_blind_viewer_finds_answers_but_no_models(parley: RunningParley) -> None:
    parley.upstream.reply("It is about walruses.", model="ada")
    parley.upstream.reply("It is about penguins.", model="bob")
    parley.upstream.reply("It is about ospreys.", model="cleo")
    battle = await parley.battle("Which animal?")
    words = ("walruses", "penguins", "ospreys")
    cards = [card for word in words for card in await found(parley, word)]
    assert len(cards) == 2
    for card in cards:
        assert set(card["excerpt"].split()) < {"It", "is", "about", "walruses.", "penguins.", "ospreys."}
    for name in ("ada", "bob", "cleo", "Labs", "left", "right", "Assistant"):
        assert await found(parley, name) == []
    await parley.vote(battle["match_id"])
    assert await found(parley, "Labs") == []


async def test_a_blind_viewer_finds_only_what_was_shown_of_a_stopped_battle(parley: RunningParley) -> None:
    parley.upstream.reply("Visible walrus. ", "Hidden penguin.", hold_after=1)
    async with parley.stream("POST", "/api/sessions", {"prompt": "Which animal?"}) as stream:
        first = await anext(stream)
        await stream.until_said()
        assert await found(parley, "walrus") == []
        assert await found(parley, "penguin") == []
        await parley.post(f"/api/turns/{first['turn']['id']}/stop")
        await stream.rest()
    shown = (await parley.get(f"/api/turns/{first['turn']['id']}"))["turn"]["replies"]
    for reply in shown:
        for word in filter(None, reply["text"].split()):
            assert len(await found(parley, word)) == 1
    assert await found(parley, "penguin") == []


async def test_search_in_votes_looks_only_into_questions(parley: RunningParley) -> None:
    parley.upstream.reply("about walruses")
    battle = await parley.battle("Which animal?")
    await parley.vote(battle["match_id"])
    assert len(await found(parley, "walrus")) == 1
    assert (await parley.get("/api/votes?search=walrus"))["votes"] == []


async def test_what_was_asked_long_ago_is_shown_too(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_repository, "PROMPTS", 2)
    begun = await parley.chat("A beginning")
    first = await parley.post(
        f"/api/matches/{begun['match_id']}/turns", {"input": {"text": "About a walrus"}}
    )
    for _ in range(3):
        await parley.post(f"/api/matches/{begun['match_id']}/turns", {"input": {"text": "And then?"}})
    (card,) = await found(parley, "walrus")
    assert (card["excerpt"], card["excerpt_turn_id"]) == ("About a walrus", first["turn_id"])


async def test_an_excerpt_shows_the_match_behind_signs_that_fold_to_several(parley: RunningParley) -> None:
    parley.upstream.reply("… wait … " * 60 + "the walrus sings " + "and on " * 60)
    await parley.chat("A question")
    (card,) = await found(parley, "WALRUS")
    assert "the walrus sings" in card["excerpt"]


async def test_a_search_says_how_many_answers_it_has_not_read(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def later(_self: SearchIndexing, _limit: int = 0) -> int:
        return 0

    with monkeypatch.context() as patch:
        patch.setattr(SearchIndexing, "catch_up", later)
        for _ in range(2):
            await parley.chat("Why?")
        assert (await parley.get("/api/sessions?search=x"))["unsearched"] == 2
        assert (await parley.get("/api/sessions"))["unsearched"] == 0
    await make_all_searchable(parley)
    assert (await parley.get("/api/sessions?search=x"))["unsearched"] == 0


@pytest.mark.databases("sqlite")
async def test_searches_of_the_library_leave_readers_to_everything_else(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended, page = threading.Event(), LibraryRepository.page

    def slow_page(*arguments: Any, **options: Any) -> Any:
        ended.wait(40)
        return page(*arguments, **options)

    monkeypatch.setattr(LibraryRepository, "page", slow_page)
    searches = [asyncio.create_task(parley.get("/api/library?search=x")) for _ in range(12)]
    try:
        for _ in range(4):
            async with asyncio.timeout(30):
                assert await parley.get("/api/presets") == {"presets": []}
    finally:
        ended.set()
    assert [(await search)["total"] for search in searches] == [0] * 12
