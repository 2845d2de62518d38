"""Votes on other ballots than a battle's: open ones, of two to four seats, for each turn or a whole match."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert, select, text, update
from sqlalchemy.exc import IntegrityError

from parley.features.accounts.service import AccountsService
from parley.features.standings.runtime import StandingsRuntime
from parley.features.standings.verification import verify_standings
from parley.features.voting import withdrawals
from parley.settings import Settings
from parley.storage.audit_check import verify_audit
from parley.storage.database import Database, Transaction
from parley.storage.tables.votes import VoteRow
from tests.fakes import open_panel
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley, a_running_parley

MODELS = ("ada", "bob", "cleo", "dora")
FOUR: dict[str, str] = dict(zip("abcd", MODELS, strict=True))


@pytest.fixture
async def parley(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningParley]:
    open_panel.install(monkeypatch)
    async with a_running_parley(tmp_path, models=MODELS) as running:
        yield running


async def panel(parley: RunningParley, seats: Mapping[str, str] = FOUR, mode: str = "panel") -> Any:
    return await parley.post("/api/sessions", {"prompt": "Why?", "mode": mode, "seats": seats})


async def say(parley: RunningParley, match_id: str, prompt: str = "And then?") -> Any:
    return await parley.post(f"/api/matches/{match_id}/turns", {"input": {"text": prompt}})


async def prefer(parley: RunningParley, match_id: str, vote: str, status: int = 200, **more: Any) -> Any:
    headers = more.pop("headers", {})
    path = f"/api/matches/{match_id}/vote"
    return await parley.post(path, {"vote": vote, **more}, status, headers=headers)


async def rows(parley: RunningParley, query: str) -> list[Any]:
    return await parley.application[Database].read(lambda session: list(session.execute(text(query)).all()))


def with_digits(rows: list[Any]) -> list[tuple[Any, ...]]:
    """Return rows that begin with a vote's id, which SQLite has as bytes."""
    return [(one.hex() if isinstance(one, bytes) else one, *more) for one, *more in rows]


async def counted(parley: RunningParley, votes: int = 0) -> Any:
    """Return the board once nothing waits and so many votes are in it."""
    for _ in range(1500):
        board = await parley.get("/api/leaderboard?min_votes=0")
        if board["worker"]["pending"] == 0 and board["votes"] == votes:
            return board
        await asyncio.sleep(0.02)
    raise AssertionError("votes were not counted")


async def in_order(parley: RunningParley) -> None:
    """Verify the audit log and all that is kept of the votes, as the command does."""
    report = await verify_audit(parley.application[Settings].database_url, None, lambda _done, _all: None)
    assert report.ok, report.broken
    kept = await verify_standings(parley.application[Database])
    assert kept.ok, kept.wrong


async def match_of(parley: RunningParley, session_id: str) -> Any:
    return (await parley.get(f"/api/sessions/{session_id}"))["matches"][-1]["match"]


async def test_a_preference_of_four_moves_no_rating_and_leaves_the_match_open(parley: RunningParley) -> None:
    begun = await panel(parley)
    vote = await prefer(parley, begun["match_id"], "c")
    assert {name: seat["model_id"] for name, seat in vote["seats"].items()} == FOUR
    assert {(seat["elo_before"], seat["elo_after"]) for seat in vote["seats"].values()} == {(None, None)}
    assert (vote["counted"], vote["not_counted_reason"], vote["turn_id"]) == (False, "open", begun["turn_id"])
    assert "left" not in vote
    match = await match_of(parley, begun["session_id"])
    assert (match["status"], match["vote"]["vote"], match["ballot"]["open"]) == ("open", "c", True)
    await say(parley, begun["match_id"])
    board = await counted(parley)
    assert (board["votes"], board["lines"]) == (0, [])
    assert await rows(parley, "select * from elo") == []
    assert await rows(parley, "select * from pair_counts") == []
    await in_order(parley)


async def test_an_open_vote_between_two_never_moves_elo(parley: RunningParley) -> None:
    begun = await panel(parley, {"a": "ada", "b": "bob"}, "pair")
    for choice in ("a", "same", "b"):
        assert (await prefer(parley, begun["match_id"], choice))["seats"]["a"]["elo_after"] is None
    assert await rows(parley, "select * from elo") == []
    await counted(parley)
    await in_order(parley)


async def test_each_turn_is_judged_by_itself_also_while_the_next_one_runs(parley: RunningParley) -> None:
    begun = await panel(parley)
    match_id, first = begun["match_id"], begun["turn_id"]
    for model in MODELS:
        parley.upstream.reply("Later.", model=model, hold_after=0)
    running = asyncio.create_task(say(parley, match_id))
    await parley.upstream.wait_for_requests(8)
    assert (await prefer(parley, match_id, "a", 409))["code"] == "replies_not_complete"
    vote = await prefer(parley, match_id, "a", turn_id=first)
    parley.upstream.release()
    second = await running
    later = await prefer(parley, match_id, "b")
    assert (vote["turn_id"], later["turn_id"]) == (first, second["turn_id"])
    match = await match_of(parley, begun["session_id"])
    assert [(it["turn_id"], it["vote"]) for it in match["votes"]] == [(first, "a"), (second["turn_id"], "b")]
    listed = (await parley.get("/api/votes"))["votes"]
    assert [(card["turn_id"], card["prompt"]) for card in listed] == [
        (second["turn_id"], "And then?"),
        (first, "Why?"),
    ]


@ON_EVERY_KIND
async def test_who_changes_their_mind_replaces_a_preference_and_the_earlier_one_stays_in_the_log(
    parley: RunningParley,
) -> None:
    begun = await panel(parley)
    first = await prefer(parley, begun["match_id"], "a", reason="Short.")
    again = await prefer(parley, begun["match_id"], "a", reason="Short.")
    other = await prefer(parley, begun["match_id"], "d")
    assert again == first, "the same once more is no other vote"
    kept = with_digits(await rows(parley, "select id, choice, excluded_reason from votes order by seq"))
    assert kept == [(first["vote_id"], "a", "replaced"), (other["vote_id"], "d", None)]
    assert [row.kind for row in await rows(parley, "select kind from audit_log order by seq")] == [
        *("vote", "exclusion", "vote")
    ]
    for query, shown in (
        ("", [("open", False)]),
        ("?reason=replaced", [("replaced", True)]),
        ("?counted=false", [("open", False), ("replaced", True)]),
    ):
        cards = (await parley.get(f"/api/votes{query}"))["votes"]
        assert [(card["not_counted_reason"], card["excluded"]) for card in cards] == shown
    assert len((await match_of(parley, begun["session_id"]))["votes"]) == 1
    await in_order(parley)


async def test_a_preference_says_which_attempts_it_judged_and_can_be_given_again_for_others(
    parley: RunningParley,
) -> None:
    begun = await panel(parley)
    first = await prefer(parley, begun["match_id"], "a")
    parley.upstream.reply("Another.", model=MODELS[1])
    await parley.post(f"/api/turns/{begun['turn_id']}/retry", {"seat": "b"})
    kept = (await match_of(parley, begun["session_id"]))["votes"]
    assert [{seat: it["attempt"] for seat, it in vote["seats"].items()} for vote in kept] == [
        {"a": 1, "b": 1, "c": 1, "d": 1}
    ]
    again = await prefer(parley, begun["match_id"], "a")
    assert again["vote_id"] != first["vote_id"]
    assert {seat: it["attempt"] for seat, it in again["seats"].items()} == {"a": 1, "b": 2, "c": 1, "d": 1}
    assert await prefer(parley, begun["match_id"], "a") == again


async def test_a_preference_can_be_withdrawn_at_any_time(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = await panel(parley)
    vote = await prefer(parley, begun["match_id"], "a")
    monkeypatch.setattr(withdrawals, "WINDOW_S", -60.0)
    withdrawn = await parley.post(f"/api/votes/{vote['vote_id']}/withdraw", {})
    assert withdrawn["not_counted_reason"] == "withdrawn"
    assert (await prefer(parley, begun["match_id"], "b"))["vote"] == "b"
    await in_order(parley)


@ON_EVERY_KIND
async def test_two_tabs_at_once_leave_one_preference_standing(parley: RunningParley) -> None:
    begun = await panel(parley)
    tabs = [prefer(parley, begun["match_id"], choice) for choice in ("a", "b", "c", "none", "a", "b")]
    await asyncio.gather(*tabs)
    standing = await rows(parley, "select choice from votes where excluded_reason is null")
    assert len(standing) == 1
    await in_order(parley)


async def test_an_idempotency_key_gives_the_same_vote_again(parley: RunningParley) -> None:
    begun = await panel(parley)
    key = {"Idempotency-Key": "once"}
    first = await prefer(parley, begun["match_id"], "a", headers=key)
    await prefer(parley, begun["match_id"], "b")
    assert await prefer(parley, begun["match_id"], "a", headers=key) == first
    assert (await match_of(parley, begun["session_id"]))["vote"]["vote"] == "b"


async def test_a_seat_that_failed_cannot_be_chosen_and_the_others_can(parley: RunningParley) -> None:
    parley.upstream.fail(400, model="dora")
    begun = await panel(parley)
    refused = await prefer(parley, begun["match_id"], "d", 409)
    assert refused["code"] == "replies_not_complete"
    assert "“d”" in refused["title"]
    match = await match_of(parley, begun["session_id"])
    assert (match["ballot"]["choices"], match["ballot"]["open"]) == (["none", "a", "b", "c"], True)
    await prefer(parley, begun["match_id"], "a")
    ((seats,),) = await rows(parley, "select seats from votes")
    assert set(msgspec.json.decode(seats) if isinstance(seats, str) else seats) == {"a", "b", "c"}
    table = await parley.get("/api/leaderboard/preferences")
    assert {line["model"]["id"] for line in table["lines"]} == {"ada", "bob", "cleo"}


async def test_fewer_complete_replies_than_the_ballot_needs_cannot_be_judged(parley: RunningParley) -> None:
    for model in ("bob", "cleo", "dora"):
        parley.upstream.fail(400, model=model)
    begun = await panel(parley)
    assert not (await match_of(parley, begun["session_id"]))["ballot"]["open"]
    assert (await prefer(parley, begun["match_id"], "a", 409))["code"] == "replies_not_complete"


async def test_errors_name_what_is_wrong(parley: RunningParley) -> None:
    begun = await panel(parley)
    other = await panel(parley)
    assert (await prefer(parley, begun["match_id"], "left", 422))["errors"][0]["field"] == "vote"
    wrong = await prefer(parley, begun["match_id"], "a", 422, turn_id=other["turn_id"])
    assert wrong["errors"][0]["field"] == "turn_id"
    pair = await panel(parley, {"a": "ada", "b": "bob"}, "pair")
    await say(parley, pair["match_id"])
    whole = await prefer(parley, pair["match_id"], "a", 422, turn_id=pair["turn_id"])
    assert "as a whole" in whole["title"]
    body = {"prompt": "Why?", "mode": "panel", "seats": {"a": "ada", "none": "bob"}}
    refused = await parley.post("/api/sessions", body, 422)
    assert refused["errors"][0]["field"] == "seats.none"


async def test_preferences_have_a_table_of_their_own(parley: RunningParley) -> None:
    empty = await parley.get("/api/leaderboard/preferences")
    assert (empty["votes"], empty["lines"]) == (0, [])
    begun = await panel(parley)
    await prefer(parley, begun["match_id"], "none")
    ties = await parley.get("/api/leaderboard/preferences")
    assert (ties["votes"], ties["ties"], ties["lines"]) == (0, 1, [])
    for choice in ("a", "a", "b"):
        await say(parley, begun["match_id"])
        await prefer(parley, begun["match_id"], choice)
    table = await parley.get("/api/leaderboard/preferences")
    assert (table["votes"], table["ties"], table["left_out"]) == (3, 1, 0)
    best = table["lines"][0]
    assert (best["model"]["id"], best["chosen"], best["shown"]) == ("ada", 2, 3)


async def test_the_table_of_preferences_is_made_once_for_the_same_votes(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = await panel(parley)
    await prefer(parley, begun["match_id"], "a")
    table = await parley.get("/api/leaderboard/preferences")
    with monkeypatch.context() as patch:
        patch.setattr("parley.features.standings.preferences._fit", None)
        assert await parley.get("/api/leaderboard/preferences") == table
    await prefer(parley, begun["match_id"], "b")
    best = (await parley.get("/api/leaderboard/preferences"))["lines"][0]
    assert (best["model"]["id"], best["chosen"]) == ("bob", 1), "what was replaced is out of it"


@pytest.mark.parametrize(("kind", "turn_id"), [("blind", "other"), ("open", None)])
@ON_EVERY_KIND
async def test_the_database_itself_lets_no_second_vote_stand(
    parley: RunningParley, kind: str, turn_id: str | None
) -> None:
    begun = await panel(parley)
    await prefer(parley, begun["match_id"], "a")

    def twice(transaction: Transaction) -> None:
        (vote,) = transaction.execute(select(VoteRow.table)).mappings().all()
        values = {**vote, "kind": kind, "turn_id": turn_id or vote["turn_id"]}
        del values["block"]  # the database computes it
        transaction.execute(update(VoteRow.table).values(kind=kind))
        transaction.execute(insert(VoteRow.table).values({**values, "seq": 99, "id": "f" * 32}))

    with pytest.raises(IntegrityError):
        await parley.application[Database].write(twice)


async def test_a_blind_vote_of_three_reveals_once_and_is_not_rated(parley: RunningParley) -> None:
    begun = await panel(parley, {"a": "ada", "b": "bob", "c": "cleo"}, "trio")
    shown = await match_of(parley, begun["session_id"])
    assert [seat["model"] for seat in shown["seats"]] == [None, None, None]
    vote = await prefer(parley, begun["match_id"], "b")
    assert vote["not_counted_reason"] in ("unrated", "too_fast")
    again = await prefer(parley, begun["match_id"], "a", 409)
    assert (again["code"], again["result"]) == ("already_voted", vote)
    assert await rows(parley, "select * from elo") == []
    assert (await parley.get("/api/votes?reason=unrated"))["votes"][0]["choice"] == "b"
    await in_order(parley)


async def test_a_rated_ballot_with_other_names_counts_as_a_battle_does(parley: RunningParley) -> None:
    begun = await parley.post("/api/sessions", {"prompt": "Why?", "mode": "duel"})
    vote = await prefer(parley, begun["match_id"], "second")
    assert (vote["seats"]["second"]["elo_after"], vote["seats"]["first"]["elo_after"]) == (1516.0, 1484.0)
    winner = vote["seats"]["second"]["model_id"]
    board = await counted(parley, 1)
    assert {line["model"]["id"]: line["wins"] for line in board["lines"]}.get(winner) == 1, board
    assert len((await parley.get(f"/api/votes?model={winner}&outcome=won"))["votes"]) == 1
    await in_order(parley)


async def test_my_votes_filters_and_exports_know_any_ballot(parley: RunningParley) -> None:
    begun = await panel(parley)
    await prefer(parley, begun["match_id"], "c")
    pair = await panel(parley, {"a": "ada", "b": "bob"}, "pair")
    await prefer(parley, pair["match_id"], "b")
    cards = (await parley.get("/api/votes"))["votes"]
    assert [[(it["seat"], it["model"]["id"]) for it in card["seats"]] for card in cards] == [
        [("a", "ada"), ("b", "bob")],
        [*FOUR.items()],
    ]
    for query, found in {
        "model=cleo&outcome=won": ["c"],
        "model=ada&outcome=lost": ["b", "c"],
        "model=dora": ["c"],
        "model=bob&outcome=won": ["b"],
        "outcome=tie": [],
        "choice=c": ["c"],
    }.items():
        assert [card["choice"] for card in (await parley.get(f"/api/votes?{query}"))["votes"]] == found, query
    answer = await parley.client.get("/api/votes/export?texts=true")
    (row,) = [msgspec.json.decode(line) for line in answer.content.splitlines()]
    assert (row["model_a"], row["model_b"], row["winner"]) == ("ada", "bob", "model_b")
    assert (row["anony"], row["parley_elo"], len(row["conversation_b"])) == (False, None, 2)
    assert answer.headers["x-parley-left-out"] == "1"
    replay = await parley.get(f"/api/turns/{begun['turn_id']}/replay")
    assert [reply["seat"] for reply in replay["replies"]] == [*"abcd"]


async def test_a_deleted_session_leaves_its_preference_in_order(parley: RunningParley) -> None:
    begun = await panel(parley)
    await prefer(parley, begun["match_id"], "a", reason="Mine.")
    await parley.client.delete(f"/api/sessions/{begun['session_id']}")
    assert (await prefer(parley, begun["match_id"], "b", 404))["code"] == "not_found"
    (card,) = (await parley.get("/api/votes"))["votes"]
    assert (card["session_id"], card["turn_id"], card["choice"]) == (None, None, "a")
    assert (await parley.get("/api/leaderboard/preferences"))["votes"] == 1
    await in_order(parley)


async def test_counting_anew_leaves_preferences_out(parley: RunningParley) -> None:
    begun = await panel(parley)
    await prefer(parley, begun["match_id"], "a")
    battle = await parley.battle()
    await parley.vote(battle["match_id"])
    await counted(parley, 1)
    rebuilt = await parley.application[StandingsRuntime].rebuild(AccountsService.owner("command"))
    assert (rebuilt.votes, rebuilt.corrected) == (2, 0)
    await counted(parley, 1)
    await in_order(parley)


async def test_who_follows_hears_which_choices_there_are(parley: RunningParley) -> None:
    parley.upstream.fail(400, model="dora")
    body = {"prompt": "Why?", "mode": "panel", "seats": FOUR}
    events = await parley.events("POST", "/api/sessions", body)
    (opened,) = [event for event in events if event["kind"] == "ballot.opened"]
    assert opened["choices"] == ["none", "a", "b", "c"]
    assert events[0]["match"]["ballot"] == {
        "choices": ["none", "a", "b", "c", "d"],
        "open": False,
        "each_turn": True,
        "rated": False,
        "ends_match": False,
        "needs": "two",
    }


async def test_who_joins_or_leaves_is_on_the_ballot_of_the_turns_in_which_it_was_asked(
    parley: RunningParley,
) -> None:
    begun = await panel(parley, {"a": "ada", "b": "bob", "c": "cleo"})
    path = f"/api/matches/{begun['match_id']}/turns"
    change = {"add": {"d": "dora"}, "leave": ["a"]}
    await parley.post(path, {"input": {"text": "And then?"}, "seats": change})
    shown = await match_of(parley, begun["session_id"])
    assert (shown["ballot"]["open"], shown["ballot"]["choices"]) == (True, ["none", "b", "c", "d"])
    await prefer(parley, begun["match_id"], "a", 422)
    vote = await prefer(parley, begun["match_id"], "d")
    earlier = await prefer(parley, begun["match_id"], "a", turn_id=begun["turn_id"])
    await prefer(parley, begun["match_id"], "d", 422, turn_id=begun["turn_id"])
    stored = dict(with_digits(await rows(parley, "select id, seats from votes")))
    between = {one["vote_id"]: str(stored[one["vote_id"]]) for one in (vote, earlier)}
    named = {which: [model for model in MODELS if model in said] for which, said in between.items()}
    assert named == {vote["vote_id"]: ["bob", "cleo", "dora"], earlier["vote_id"]: ["ada", "bob", "cleo"]}
    refused = await parley.post(
        path, {"input": {"text": "Well?"}, "seats": {"add": {"none": "ada"}, "leave": ["b"]}}, 422
    )
    assert refused["field"] == "seats.add.none"
    await in_order(parley)
