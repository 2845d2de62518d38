"""Tests of a person's own votes: listed, filtered, read back, replayed."""

from typing import Any

import pytest
from sqlalchemy import Engine, event

from parley.storage.database import Database, Transaction
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley


async def cast(parley: RunningParley, prompt: str, vote: str) -> tuple[dict[str, Any], dict[str, Any]]:
    parley.upstream.reply("Fine.")
    battle = await parley.battle(prompt)
    return battle, await parley.vote(battle["battle_id"], vote)


async def listed(parley: RunningParley, **wanted: Any) -> list[str]:
    page = await parley.get("/api/votes", params=wanted)
    return [vote["prompt"] for vote in page["votes"]]


async def test_votes_are_listed_newest_first_with_what_they_were_about(parley: RunningParley) -> None:
    battle, _ = await cast(parley, "Which is the tallest mountain?", "left")
    await cast(parley, "And now a poem. " * 40, "tie")
    page = await parley.get("/api/votes")
    newest, oldest = page["votes"]
    assert page["next_cursor"] is None
    assert len(newest["prompt"]) <= 280
    assert newest["prompt"].endswith("…")
    seats = await parley.seats(battle["session_id"])
    assert {it["seat"]: it["model"]["id"] for it in oldest["seats"]} == seats
    assert (oldest["session_id"], oldest["turn_id"]) == (battle["session_id"], battle["turn_id"])
    assert oldest["seats"][0]["elo"] == {"before": 1500.0, "after": 1516.0}
    assert (oldest["choice"], oldest["counted"], oldest["kind"], oldest["origin"]) == (
        *("left", True, "blind", "here"),
    )
    assert await parley.get(f"/api/votes/{oldest['vote_id']}") == oldest
    assert (await parley.get("/api/votes/" + "0" * 32, 404))["code"] == "not_found"


async def test_pages_follow_each_other_without_a_gap(parley: RunningParley) -> None:
    prompts = [f"question {number}" for number in range(5)]
    for prompt in prompts:
        await cast(parley, prompt, "right")
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = await parley.get("/api/votes", params={"limit": 2, **cursor})
        seen += [vote["prompt"] for vote in page["votes"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert seen == prompts[::-1]
    for wrong in ("x", "-1", "9" * 30):
        assert (await parley.get("/api/votes", 422, params={"cursor": wrong}))["field"] == "cursor"


@ON_EVERY_KIND
async def test_search_looks_into_the_voters_own_words_too(parley: RunningParley) -> None:
    for number in range(5):
        parley.upstream.reply("Fine.")
        battle = await parley.battle(f"Question {number}")
        await parley.vote(
            battle["battle_id"], "left" if number % 2 else "tie", reason=f"Ganz GROẞ,  {number}%"
        )
    await cast(parley, "Is grossness a word?", "left")
    assert await listed(parley, search="gross") == ["Is grossness a word?", *_questions(4, 3, 2, 1, 0)]
    assert await listed(parley, search="ganz groß, 3%") == _questions(3)
    assert await listed(parley, search="ganz", choice="tie") == _questions(4, 2, 0)
    assert await listed(parley, search="klein") == []
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        asked = {"search": "gross", "limit": 2, **({"cursor": cursor} if cursor else {})}
        page = await parley.get("/api/votes", params=asked)
        seen += [vote["prompt"] for vote in page["votes"]]
        cursor = page["next_cursor"]
    assert seen == ["Is grossness a word?", *_questions(4, 3, 2, 1, 0)]


def _questions(*numbers: int) -> list[str]:
    return [f"Question {number}" for number in numbers]


@pytest.mark.databases("sqlite")
async def test_a_persons_votes_are_found_by_an_index(parley: RunningParley) -> None:
    """Else a million votes of others are looked through for them."""
    await cast(parley, "Mine", "left")
    asked: list[tuple[str, Any]] = []

    def hear(_c: object, _d: object, statement: str, values: Any, *_: object) -> None:
        asked.append((statement, values))

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        assert await listed(parley, choice="left") == ["Mine"]
    finally:
        event.remove(Engine, "before_cursor_execute", hear)
    ((statement, values),) = [it for it in asked if "ORDER BY votes.seq DESC" in it[0]]

    def plan(transaction: Transaction) -> str:
        rows = transaction.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        return str(rows.all())

    assert "USING INDEX ix_votes_block_voter_id (block=? AND voter_id=?)" in await parley.application[
        Database
    ].read(plan)


@ON_EVERY_KIND
async def test_filters_narrow_the_list_and_unknown_ones_are_refused(parley: RunningParley) -> None:
    battle, vote = await cast(parley, "Straße in Köln?", "left")
    await cast(parley, "Something else", "both_bad")
    seats = await parley.seats(battle["session_id"])
    assert await listed(parley, choice="left") == ["Straße in Köln?"]
    assert await listed(parley, outcome="both_bad") == ["Something else"]
    assert await listed(parley, model=seats["left"], opponent=seats["right"], outcome="won") == [
        "Straße in Köln?"
    ]
    assert await listed(parley, model=seats["right"], outcome="won") == []
    assert "Straße in Köln?" in await listed(parley, model=seats["right"], outcome="lost")
    assert await listed(parley, search="STRASSE") == ["Straße in Köln?"]
    assert await listed(parley, search="%") == []
    assert len(await listed(parley, counted="true", category="overall")) == 2
    assert await listed(parley, counted="false") == []
    assert await listed(parley, category="no-such-category") == []
    assert await listed(parley, reason="identity_leak") == []
    assert await listed(parley, reason="open") == []
    assert len(await listed(parley, since=vote["created_at"])) == 2
    assert await listed(parley, until=vote["created_at"]) == []
    assert (await parley.get("/api/votes", 422, params={"colour": "red"}))["field"] == "colour"
    assert (await parley.get("/api/votes", 422, params={"since": "2026-01-01T00:00"}))["field"] == "since"


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ("model=%00", "model"),
        ("opponent=a%00", "opponent"),
        ("category=%00", "category"),
        ("reason=%00", "reason"),
        ("until=9999-12-31T23:59:59-14:00", "until"),
        ("since=0001-01-01T00:00:00%2B14:00", "since"),
        ("model=ada&opponent=ada", "opponent"),
        ("cursor=9223372036854775808", "cursor"),
    ],
)
async def test_what_no_vote_can_hold_is_refused_by_name(
    asked: str, field: str, parley: RunningParley
) -> None:
    assert (await parley.get(f"/api/votes?{asked}", 422))["field"] == field


async def test_a_deleted_session_leaves_its_vote_without_its_text(parley: RunningParley) -> None:
    battle, vote = await cast(parley, "Secret", "tie")
    await parley.client.delete(f"/api/sessions/{battle['session_id']}")
    card = await parley.get(f"/api/votes/{vote['vote_id']}")
    assert (card["prompt"], card["session_id"], card["turn_id"], card["match_id"]) == (None,) * 4
    assert len(card["seats"]) == 2


async def test_a_past_battle_is_replayed_at_its_own_pace_but_not_before_the_vote(
    parley: RunningParley,
) -> None:
    parley.upstream.reply("One, ", "two, ", "three.")
    battle = await parley.battle("Count")
    path = f"/api/turns/{battle['turn_id']}/replay"
    assert (await parley.get(path, 409))["code"] == "still_blind"
    await parley.vote(battle["battle_id"])
    replay = await parley.get(path)
    assert replay["prompt"] == "Count"
    assert {reply["seat"] for reply in replay["replies"]} == {"left", "right"}
    for reply in replay["replies"]:
        assert reply["text"] == "One, two, three."
        assert reply["timeline"][-1][1] == len(reply["text"])
        assert reply["timeline"] == sorted(reply["timeline"])
        assert reply["metrics"]["duration_ms"] >= 0
        assert reply["model"]["name"]
    assert (await parley.get("/api/turns/" + "0" * 32 + "/replay", 404))["code"] == "not_found"


@pytest.mark.databases("sqlite")
async def test_a_chat_is_replayed_too(parley: RunningParley) -> None:
    parley.upstream.reply("Hello.")
    chat = await parley.chat("Hi")
    replay = await parley.get(f"/api/turns/{chat['turn_id']}/replay")
    assert [reply["seat"] for reply in replay["replies"]] == ["assistant"]
