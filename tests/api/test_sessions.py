"""Tests of the sidebar over HTTP: list, search, rename, archive, delete, restore, purge, events."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from parley.engine.hub import Hub
from parley.features.sessions import search_repository
from parley.features.sessions.service import SessionsService
from parley.settings import Settings
from parley.storage.database import Database, Transaction
from parley.storage.tables.conversations import MatchRow, ReplyRow, SessionRow, TurnEventRow, TurnRow
from parley.storage.tables.rows import select_rows
from parley.storage.tables.search import SearchTextRow
from parley.storage.tables.votes import EloRow, VoteRow
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley, kinds


async def titles(parley: RunningParley, query: str = "") -> list[str]:
    return [card["title"] for card in (await parley.get(f"/api/sessions{query}"))["sessions"]]


async def test_a_session_is_named_after_its_first_prompt(parley: RunningParley) -> None:
    await parley.chat("\n  Why is the   sky blue?\nAnd the sea?")
    await parley.chat("word " * 40)
    named = await titles(parley)
    assert named[1] == "Why is the sky blue?"
    assert named[0].endswith("word…")
    assert len(named[0]) <= 81


async def test_the_latest_activity_comes_first(parley: RunningParley) -> None:
    first = await parley.chat("First")
    await parley.chat("Second")
    assert await titles(parley) == ["Second", "First"]
    await parley.post(f"/api/matches/{first['match_id']}/turns", {"input": {"text": "More"}})
    assert await titles(parley) == ["First", "Second"]


@ON_EVERY_KIND
async def test_pages_follow_each_other_without_a_gap(parley: RunningParley) -> None:
    for number in range(7):
        await parley.chat(f"Number {number}")

    def change(transaction: Transaction):
        # Four with one and the same time: the id decides.
        newest = transaction.select(SessionRow, select_rows(SessionRow).order_by(SessionRow.c.updated_at))
        for session in newest[:4]:
            session.updated_at = newest[0].updated_at

    await parley.application[Database].write(change)
    whole = await titles(parley)
    seen: list[str] = []
    cursor = ""
    while cursor is not None:
        page = await parley.get(
            "/api/sessions", params={"limit": 2, **({"cursor": cursor} if cursor else {})}
        )
        seen += [card["title"] for card in page["sessions"]]
        cursor = page["next_cursor"]
    assert seen == whole
    assert len(set(seen)) == 7


@pytest.mark.parametrize("cursor", ["x", "é", "MjAyNi0wMS0wMQ==", "MDAwMS0wMS0wMVQwMDowMDowMCsxNDowMCBhYg=="])
async def test_a_made_up_cursor_is_refused(parley: RunningParley, cursor: str) -> None:
    problem = await parley.get("/api/sessions", 422, params={"cursor": cursor})
    assert problem["field"] == "cursor"


async def test_limits_of_the_list_are_named(parley: RunningParley) -> None:
    assert (await parley.get("/api/sessions?limit=0", 422))["field"] == "limit"
    assert (await parley.get("/api/sessions?limit=x", 422))["field"] == "limit"
    assert (await parley.get("/api/sessions?search=" + "x" * 201, 422))["field"] == "search"


async def test_search_looks_into_titles_prompts_and_answers(parley: RunningParley) -> None:
    parley.upstream.reply("The secret word is xylophone.")
    parley.upstream.reply("Nothing to see.")
    begun = await parley.chat("About trees")
    await parley.post(f"/api/matches/{begun['match_id']}/turns", {"input": {"text": "And about 100%_moss?"}})
    await parley.chat("About the sea")
    assert await titles(parley, "?search=TREES") == ["About trees"]
    assert await titles(parley, "?search=moss") == ["About trees"]
    assert await titles(parley, "?search=%25_m") == ["About trees"]
    assert await titles(parley, "?search=about") == ["About the sea", "About trees"]
    assert await titles(parley, "?search=%25x") == []
    assert await titles(parley, "?search=XYLOphone") == ["About trees"]


async def test_a_session_is_found_by_the_title_that_it_was_given_last(parley: RunningParley) -> None:
    begun = await parley.chat("About trees")
    path = f"/api/sessions/{begun['session_id']}"
    for title in ("Größe  der Bäume", "Its height"):
        await parley.client.patch(path, json={"title": title})
    assert await titles(parley, "?search=HEIGHT") == ["Its height"]
    assert await titles(parley, "?search=BÄUME") == []
    assert await titles(parley, "?search=about%20trees") == ["Its height"]
    await parley.client.patch(path, json={"archived": True})
    assert await titles(parley) == []
    assert await titles(parley, "?search=height") == ["Its height"]
    assert await titles(parley, "?search=height&archived=false") == []
    assert await titles(parley, "?search=height&archived=true") == ["Its height"]
    await parley.client.delete(path)
    assert await titles(parley, "?search=height&archived=true") == []
    await parley.post(f"{path}/restore")
    assert await titles(parley, "?search=height&archived=true") == ["Its height"]


async def test_spaces_and_new_lines_do_not_matter_to_search(parley: RunningParley) -> None:
    await parley.chat("First line\n\n  second   line")
    assert len(await titles(parley, "?search=LINE%20%20second%20line")) == 1
    assert len(await titles(parley, "?search=%20%20")) == 1


async def test_pages_of_a_search_follow_each_other(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both ways of searching take part: the latest sessions one by one, then every text.
    monkeypatch.setattr(search_repository, "LATEST", 3)
    for number in range(9):
        await parley.chat(f"{'Odd' if number % 2 else 'Even'} {number}")
    for limit in (1, 2, 3, 5):
        seen: list[str] = []
        cursor = ""
        while cursor is not None:
            params = {"search": "even", "limit": limit, **({"cursor": cursor} if cursor else {})}
            page = await parley.get("/api/sessions", params=params)
            seen += [card["title"] for card in page["sessions"]]
            cursor = page["next_cursor"]
        assert seen == ["Even 8", "Even 6", "Even 4", "Even 2", "Even 0"]


async def test_a_session_can_be_renamed_and_archived(parley: RunningParley) -> None:
    begun = await parley.chat("Before")
    path = f"/api/sessions/{begun['session_id']}"
    card = (await parley.client.patch(path, json={"title": "  After \n all "})).json()
    assert card["title"] == "After all"
    card = (await parley.client.patch(path, json={"archived": True})).json()
    assert (card["title"], card["archived"]) == ("After all", True)
    assert await titles(parley) == []
    assert await titles(parley, "?archived=true") == ["After all"]
    await parley.client.patch(path, json={"archived": False})
    assert await titles(parley) == ["After all"]
    for wrong, field in (
        ({"title": " "}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"archived": "yes"}, "archived"),
        ({"starred": True}, "starred"),
        ({"pinned": "yes"}, "pinned"),
        ({}, "body"),
    ):
        refused = await parley.client.patch(path, json=wrong)
        assert (refused.status_code, refused.json()["field"]) == (422, field)


async def test_a_deleted_session_is_gone_and_can_come_back(parley: RunningParley) -> None:
    begun = await parley.chat("Here")
    path = f"/api/sessions/{begun['session_id']}"
    assert (await parley.client.delete(path)).status_code == 204
    await parley.get(path, 404)
    assert (await parley.client.delete(path)).status_code == 404
    await parley.post(f"/api/matches/{begun['match_id']}/turns", {"input": {"text": "x"}}, 404)
    assert await titles(parley) == []
    card = await parley.post(f"{path}/restore")
    assert card["title"] == "Here"
    assert (await parley.get(path))["session"] == card


async def test_deleting_stops_what_runs(parley: RunningParley) -> None:
    parley.upstream.reply("One ", "two.", hold_after=1)
    body = {"prompt": "Hi", "mode": "chat"}
    async with parley.stream("POST", "/api/sessions", body) as stream:
        snapshot = await stream.until("turn.snapshot")
        await stream.until_said()
        assert (
            await parley.client.delete(f"/api/sessions/{snapshot['turn']['session_id']}")
        ).status_code == 204
        assert kinds(await stream.rest())[-1] == "turn.stopped"
    await parley.upstream.wait_until_idle(1.0)


@ON_EVERY_KIND
async def test_purging_removes_texts_and_keeps_votes(parley: RunningParley) -> None:
    parley.upstream.reply("A text to forget.")
    battle = await parley.battle("A prompt to forget")
    path = f"/api/battles/{battle['battle_id']}/vote"
    body = {"vote": "left", "reason": "A reason to forget"}
    await parley.post(path, body, headers={"Idempotency-Key": "k"})
    kept = await parley.chat("A prompt to keep")
    await parley.client.delete(f"/api/sessions/{battle['session_id']}")
    assert await parley.application[SessionsService].purge() == 0

    def change(transaction: Transaction):
        session = transaction.one(SessionRow, SessionRow.c.id == battle["session_id"])
        assert session.deleted_at is not None
        session.deleted_at -= timedelta(minutes=61)
        transaction.update(session)

    await parley.application[Database].write(change)
    assert await parley.application[SessionsService].purge() == 1
    await parley.post(f"/api/sessions/{battle['session_id']}/restore", status=404)

    def look(transaction: Transaction):
        for kind in (SessionRow, MatchRow, TurnRow, ReplyRow, SearchTextRow):
            assert transaction.scalar(select(func.count()).select_from(kind.table)) == 1
        assert set(transaction.scalars(select(TurnEventRow.c.turn_id))) == {kept["turn_id"]}
        (vote,) = transaction.select(VoteRow, select_rows(VoteRow))
        assert (vote.owner_id, vote.session_id, vote.reason, vote.choice) == (None, None, None, "left")
        assert len(vote.voter_id) == 32
        assert sorted(transaction.scalars(select(EloRow.c.rating))) == [1484.0, 1516.0]

    await parley.application[Database].read(look)
    if parley.application[Database].is_sqlite:
        await parley.application[Database].close()
        folder = parley.application[Settings].data_dir
        left = b"".join(file.read_bytes() for file in folder.iterdir() if file.name == "parley.db")
        assert b"to keep" in left or b"to keep" in (folder / "parley.db-wal").read_bytes()

    def look_at_receipts(transaction: Transaction):
        from parley.storage.tables.bookkeeping import ReceiptRow

        assert "to forget" not in str(
            [row.result for row in transaction.select(ReceiptRow, select_rows(ReceiptRow))]
        )

    await parley.application[Database].read(look_at_receipts)


async def test_a_sessions_stream_tells_what_happens_in_another_tab(parley: RunningParley) -> None:
    battle = await parley.battle()
    session = f"/api/sessions/{battle['session_id']}"
    async with parley.stream("GET", f"{session}/events", client=parley.visitor()) as stream:
        added = await parley.post(f"{session}/battles", {"prompt": "Again"})
        event = await stream.until("turn.added")
        assert {key: added[key] for key in ("session_id", "match_id", "turn_id")}.items() <= event.items()
        vote = await parley.vote(battle["battle_id"], "right")
        event = await stream.until("match.revealed")
        assert event["match_id"] == battle["match_id"]
        assert event["vote"]["vote_id"] == vote["vote_id"]
        assert all(seat["model"] for seat in event["match"]["seats"])
        assert event["match"]["status"] == "voted"
        await parley.client.patch(session, json={"title": "New"})
        event = await stream.until("session.changed")
        assert event == {"kind": "session.changed", "session_id": battle["session_id"], "deleted": False}
        await parley.client.delete(session)
        assert (await stream.until("session.changed"))["deleted"] is True


async def test_a_sessions_stream_that_is_left_is_forgotten(parley: RunningParley) -> None:
    begun = await parley.chat()
    client = parley.visitor()
    async with parley.stream("GET", f"/api/sessions/{begun['session_id']}/events", client=client):
        assert parley.application[Hub]._session_feeds
    await client.aclose()
    async with asyncio.timeout(40):
        while parley.application[Hub]._session_feeds:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_session_is_read_whole(parley: RunningParley) -> None:
    begun = await parley.chat("One")
    await parley.post(f"/api/matches/{begun['match_id']}/turns", {"input": {"text": "Two"}})
    await parley.post(f"/api/sessions/{begun['session_id']}/battles", {"prompt": "Three"})
    view = await parley.get(f"/api/sessions/{begun['session_id']}")
    asked = [[turn["input"]["text"] for turn in record["turns"]] for record in view["matches"]]
    assert asked == [["One", "Two"], ["Three"]]
    assert view["session"]["title"] == "One"
    assert view["session"]["mode"] == "battle"


async def test_a_pinned_session_is_listed_apart(parley: RunningParley) -> None:
    begun = await parley.chat("First")
    await parley.chat("Second")
    path = f"/api/sessions/{begun['session_id']}"
    pinned = await parley.client.patch(path, json={"pinned": True})
    assert pinned.json()["pinned"] is True
    assert await titles(parley, "?pinned=true") == ["First"]
    assert await titles(parley, "?pinned=false") == ["Second"]
    assert await titles(parley) == ["Second", "First"]
    await parley.client.patch(path, json={"pinned": False})
    assert await titles(parley, "?pinned=true") == []


async def test_sessions_are_listed_by_mode(parley: RunningParley) -> None:
    await parley.chat("A chat")
    await parley.battle("A battle")
    assert await titles(parley, "?mode=battle") == ["A battle"]
    assert await titles(parley, "?mode=chat") == ["A chat"]
    assert await titles(parley, "?mode=unknown") == []


async def test_a_finished_battle_is_unvoted_until_the_vote(parley: RunningParley) -> None:
    battle = await parley.battle()
    await parley.chat("A chat")
    path = f"/api/sessions/{battle['session_id']}"
    assert [card["unvoted"] for card in (await parley.get("/api/sessions"))["sessions"]] == [False, True]
    assert (await parley.get(path))["session"]["unvoted"]
    await parley.vote(battle["match_id"])
    assert not (await parley.get(path))["session"]["unvoted"]


async def test_a_search_shows_where_in_a_prompt_it_was_found(parley: RunningParley) -> None:
    begun = await parley.chat("About trees")
    long = "Please tell me in a few words and with  examples how the Große Eiche of the village grew so tall"
    await parley.post(f"/api/matches/{begun['match_id']}/turns", {"input": {"text": long + " over" * 40}})
    (card,) = (await parley.get("/api/sessions?search=eiche"))["sessions"]
    assert card["excerpt"].startswith("…")
    assert "the Große Eiche of the village" in card["excerpt"]
    assert card["excerpt"].endswith("…")
    assert len(card["excerpt"]) < 120
    (card,) = (await parley.get("/api/sessions?search=trees"))["sessions"]
    assert card["excerpt"] is None
