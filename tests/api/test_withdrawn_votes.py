"""Tests of votes that are taken back: for ten seconds, once and for all, and out of every count."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import text

from parley.features.standings import recount
from parley.features.standings.verification import verify_standings
from parley.features.voting import withdrawals
from parley.features.voting.withdrawals import Withdrawals
from parley.kernel.errors import Unavailable
from parley.settings import Settings
from parley.storage.audit_check import verify_audit
from parley.storage.database import Database
from tests.fakes import open_panel
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley, a_running_parley


@pytest.fixture
def time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not about the ten seconds does not hang on the machine's pace."""
    monkeypatch.setattr(withdrawals, "WINDOW_S", 600.0)


@pytest.fixture
async def parley(tmp_path: Path, time_enough: None) -> AsyncIterator[RunningParley]:
    async with a_running_parley(tmp_path, models=("ada", "bob")) as running:
        yield running


async def rows(parley: RunningParley, query: str) -> list[Any]:
    return await parley.application[Database].read(lambda session: list(session.execute(text(query)).all()))


async def elos(parley: RunningParley) -> dict[str, tuple[float, int]]:
    found = await rows(parley, "select model_id, rating, votes from elo")
    return {model: (round(rating, 9), votes) for model, rating, votes in found}


async def withdraw(parley: RunningParley, vote_id: str, status: int = 200) -> Any:
    return await parley.post(f"/api/votes/{vote_id}/withdraw", {}, status)


async def voted(parley: RunningParley, choice: str = "left", prompt: str = "Hello") -> Any:
    """Return a battle with its vote as `cast`."""
    battle = await parley.battle(prompt)
    return {**battle, "cast": await parley.vote(battle["battle_id"], choice)}


async def counted(parley: RunningParley, votes: int) -> Any:
    """Return the leaderboard once nothing waits and so many votes are in it."""
    for _ in range(1500):
        board = await parley.get("/api/leaderboard?min_votes=0")
        if board["worker"]["pending"] == 0 and board["votes"] == votes:
            return board
        await asyncio.sleep(0.02)
    raise AssertionError("votes were not counted")


async def in_order(parley: RunningParley) -> None:
    """Verify the audit log and all that is kept of the votes, as the commands do."""
    report = await verify_audit(parley.application[Settings].database_url, None, lambda _done, _all: None)
    assert report.ok, report.broken
    kept = await verify_standings(parley.application[Database])
    assert kept.ok, kept.wrong


async def test_a_vote_that_is_taken_back_moves_elo_back_and_stays_revealed(parley: RunningParley) -> None:
    parley.upstream.reply("Yes.")
    battle = await voted(parley)
    assert battle["cast"]["counted"] is True
    await counted(parley, 1)
    withdrawn = await withdraw(parley, battle["cast"]["vote_id"])
    assert (withdrawn["counted"], withdrawn["not_counted_reason"]) == (False, "withdrawn")
    assert {(seat["elo_before"], seat["elo_after"]) for seat in withdrawn["seats"].values()} == {
        (1500.0, 1500.0)
    }
    assert set((await elos(parley)).values()) == {(1500.0, 0)}
    match = (await parley.get(f"/api/sessions/{battle['session_id']}"))["matches"][0]["match"]
    assert (match["status"], match["blind"], match["vote"]) == ("voted", False, withdrawn)
    board = await counted(parley, 0)
    assert board["lines"] == []
    await in_order(parley)


async def test_taking_back_twice_is_taking_back_once(parley: RunningParley) -> None:
    parley.upstream.reply("Yes.")
    vote_id = (await voted(parley))["cast"]["vote_id"]
    answers = await asyncio.gather(*(withdraw(parley, vote_id) for _ in range(6)))
    assert all(answer == answers[0] for answer in answers)
    entries = await rows(parley, "select vote_id, content from audit_log where kind = 'exclusion'")
    assert [vote for vote, _ in entries] == [vote_id]
    assert msgspec.json.decode(entries[0][1])["reason"] == "withdrawn"
    assert set((await elos(parley)).values()) == {(1500.0, 0)}
    await in_order(parley)


async def test_a_withdrawn_battle_cannot_be_voted_on_again(parley: RunningParley) -> None:
    parley.upstream.reply("Yes.")
    battle = await voted(parley)
    withdrawn = await withdraw(parley, battle["cast"]["vote_id"])
    again = await parley.post(f"/api/matches/{battle['battle_id']}/vote", {"vote": "right"}, 409)
    assert (again["code"], again["result"]) == ("already_voted", withdrawn)
    assert "withdrew" in again["title"]
    repeated = await voted(parley)
    assert repeated["cast"]["not_counted_reason"] == "duplicate_prompt"
    await in_order(parley)


@ON_EVERY_KIND
async def test_votes_between_a_vote_and_its_withdrawal_keep_what_they_gained(parley: RunningParley) -> None:
    parley.upstream.reply("Yes.")
    first = await voted(parley, prompt="One")
    second = await voted(parley, prompt="Two")
    before = await elos(parley)
    await withdraw(parley, first["cast"]["vote_id"])
    third = await voted(parley, "right", prompt="Three")
    await withdraw(parley, third["cast"]["vote_id"])
    await voted(parley, "tie", prompt="Four")
    await counted(parley, 2)
    assert {votes for _, votes in (await elos(parley)).values()} == {2}
    seat = second["cast"]["left"]
    gained = before[seat["model_id"]][0] - seat["elo_before"]
    assert 0 < gained < 32
    await in_order(parley)
    after = await elos(parley)
    await recount.confirm_elo(parley.application[Database])
    assert await elos(parley) == after


async def test_a_rebuild_finds_nothing_to_correct_after_a_withdrawal(parley: RunningParley) -> None:
    parley.upstream.reply("Yes.")
    await voted(parley, prompt="One")
    taken = await voted(parley, "tie", prompt="Two")
    await voted(parley, "right", prompt="Three")
    await withdraw(parley, taken["cast"]["vote_id"])
    await counted(parley, 2)
    rebuilt = await parley.post("/api/leaderboard/rebuild", {})
    assert (rebuilt["corrected"], rebuilt["restored"]) == (0, 0)


async def test_a_wrong_elo_is_put_right_with_withdrawals_left_out(parley: RunningParley) -> None:
    parley.upstream.reply("Yes.")
    taken = await voted(parley, prompt="One")
    await withdraw(parley, taken["cast"]["vote_id"])
    await voted(parley, prompt="Two")
    right = await elos(parley)
    await parley.application[Database].write(lambda it: it.execute(text("update elo set rating = 1234.5")))
    assert await recount.confirm_elo(parley.application[Database]) == 2
    assert await elos(parley) == right


async def test_a_vote_that_did_not_count_can_be_taken_back_and_moves_nothing(parley: RunningParley) -> None:
    parley.upstream.reply("A helper.")
    battle = await voted(parley, prompt="Which model are you?")
    assert battle["cast"]["not_counted_reason"] == "identity_question"
    withdrawn = await withdraw(parley, battle["cast"]["vote_id"])
    assert withdrawn["not_counted_reason"] == "withdrawn"
    assert set((await elos(parley)).values()) == {(1500.0, 0)}
    await in_order(parley)


async def test_after_ten_seconds_and_a_grace_a_vote_stays(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    parley.upstream.reply("Yes.")
    vote_id = (await voted(parley))["cast"]["vote_id"]
    monkeypatch.setattr(withdrawals, "WINDOW_S", -60.0)
    late = await withdraw(parley, vote_id, 409)
    assert late["code"] == "undo_too_late"
    assert {votes for _, votes in (await elos(parley)).values()} == {1}
    assert await rows(parley, "select * from audit_log where kind = 'exclusion'") == []


@pytest.mark.parametrize(("aged_s", "status"), [(9, 200), (13, 409), (-60, 409)])
async def test_after_a_restart_the_time_that_is_stored_decides(
    tmp_path: Path, aged_s: int, status: int
) -> None:
    async with a_running_parley(tmp_path) as parley:
        parley.upstream.reply("Yes.")
        vote_id = (await voted(parley))["cast"]["vote_id"]
        monotonic = vars(parley.application[Withdrawals])["_saved_at"]
        assert list(monotonic) == [vote_id]
        monotonic.clear()

        def age(session: Any) -> None:
            from parley.storage.tables.votes import VoteRow

            vote = session.one(VoteRow)
            vote.created_at -= timedelta(seconds=aged_s)
            session.update(vote)

        await parley.application[Database].write(age)
        await withdraw(parley, vote_id, status)


async def test_nobody_else_can_take_a_vote_back(parley: RunningParley) -> None:
    parley.upstream.reply("Yes.")
    vote_id = (await voted(parley))["cast"]["vote_id"]
    await parley.application[Database].write(lambda it: it.execute(text("update votes set owner_id = null")))
    assert (await withdraw(parley, vote_id, 404))["code"] == "not_found"
    assert (await withdraw(parley, "0" * 32, 404))["code"] == "not_found"
    assert {votes for _, votes in (await elos(parley)).values()} == {1}


async def test_what_fails_in_between_leaves_the_vote_as_it_was(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    parley.upstream.reply("Yes.")
    vote_id = (await voted(parley))["cast"]["vote_id"]
    await counted(parley, 1)
    before = await elos(parley)

    def breaks(*_: Any) -> None:
        raise Unavailable("The disk went away.", code="disk_unusable")

    with monkeypatch.context() as patched:
        patched.setattr(withdrawals, "recount", breaks)
        await withdraw(parley, vote_id, 503)
    assert await elos(parley) == before
    assert await rows(parley, "select * from audit_log where kind = 'exclusion'") == []
    await in_order(parley)
    await withdraw(parley, vote_id)
    await counted(parley, 0)
    await in_order(parley)


async def test_lists_filters_and_files_name_a_withdrawn_vote(parley: RunningParley) -> None:
    parley.upstream.reply("Yes.")
    kept, taken = await voted(parley, prompt="One"), await voted(parley, prompt="Two")
    vote_id = taken["cast"]["vote_id"]
    await withdraw(parley, vote_id)
    page = await parley.get("/api/votes?reason=withdrawn")
    (card,) = page["votes"]
    assert (card["vote_id"], card["excluded"], card["counted"]) == (vote_id, True, False)
    assert [seat["elo"] for seat in card["seats"]] == [None, None]
    assert [it["vote_id"] for it in (await parley.get("/api/votes?counted=true"))["votes"]] == [
        kept["cast"]["vote_id"]
    ]
    replay = await parley.get(f"/api/turns/{taken['turn_id']}/replay")
    assert replay["turn_id"] == taken["turn_id"]
    for uncounted, number in (("false", 1), ("true", 2)):
        answer = await parley.client.get(f"/api/votes/export?format=jsonl&include_uncounted={uncounted}")
        lines = [msgspec.json.decode(line) for line in answer.text.splitlines()]
        assert len(lines) == number
        assert ({it["parley_excluded"] for it in lines} == {None, "withdrawn"}) is (number == 2)


@pytest.mark.usefixtures("time_enough")
@ON_EVERY_KIND
async def test_an_open_preference_can_be_taken_back_and_cast_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_panel.install(monkeypatch)
    models = ("ada", "bob", "cleo", "dora")
    async with a_running_parley(tmp_path, models=models) as parley:
        parley.upstream.reply("Yes.")
        seats = dict(zip("abcd", models, strict=True))
        begun = await parley.post("/api/sessions", {"prompt": "Why?", "mode": "panel", "seats": seats})
        path = f"/api/matches/{begun['match_id']}/vote"
        first = await parley.post(path, {"vote": "c"})
        assert (await parley.get("/api/leaderboard/preferences"))["votes"] == 1
        await withdraw(parley, first["vote_id"])
        assert (await parley.get("/api/leaderboard/preferences"))["votes"] == 0
        again = await parley.post(path, {"vote": "c"})
        assert again["vote_id"] != first["vote_id"]
        assert (await parley.get("/api/leaderboard/preferences"))["votes"] == 1
        assert (await withdraw(parley, first["vote_id"], 409))["code"] == "vote_excluded"
        match = (await parley.get(f"/api/sessions/{begun['session_id']}"))["matches"][0]["match"]
        assert [vote["vote_id"] for vote in match["votes"]] == [again["vote_id"]]
        await in_order(parley)
