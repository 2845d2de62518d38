"""Tests of how the models of a battle are drawn, as it is set."""

from pathlib import Path

import pytest
from sqlalchemy import select

from parley.engine.breaker import FAILURES
from parley.features.standings.runtime import StandingsRuntime
from parley.storage.database import Database
from parley.storage.tables.conversations import MatchRow
from parley.storage.tables.votes import VoteRow
from tests.fakes.running import RunningParley, a_running_parley


async def chance_of(parley: RunningParley, match_id: str) -> float | None:
    query = select(MatchRow.c.propensity).where(MatchRow.c.id == match_id)
    return await parley.application[Database].read(lambda session: session.scalar(query))


async def test_informative_draws_follow_the_votes_so_far_and_their_chance_is_stored(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, battle_sampling="informative") as parley:
        chances = parley.application[StandingsRuntime].chances
        assert chances is not None
        for number in range(12):
            battle = await parley.battle(f"Question {number}?")
            await parley.vote(battle["battle_id"], "left")
        await parley.application[StandingsRuntime].worker.run(due=False)
        await chances.refresh()
        assert chances.current is not None
        assert sum(chances.current.values()) == pytest.approx(1.0)
        battle = await parley.battle("And now?")
        vote = await parley.vote(battle["battle_id"])
        pair = sorted((vote["left"]["model_id"], vote["right"]["model_id"]))
        expected = (0.9 * chances.current[pair[0], pair[1]] + 0.1 / 3) / 2
        assert await chance_of(parley, battle["match_id"]) == pytest.approx(expected)
        query = select(VoteRow.c.propensity).where(VoteRow.c.id == vote["vote_id"])
        stored = await parley.application[Database].read(lambda session: session.scalar(query))
        assert stored == pytest.approx(expected)


async def test_a_model_that_keeps_failing_is_not_drawn_and_those_beside_it_are(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=("ada", "bob", "cleo")) as parley:
        battle = await parley.battle("Before?")
        assert await chance_of(parley, battle["match_id"]) == pytest.approx(1 / 6)
        parley.upstream.fail(503, retry_after="0", model="cleo", times=FAILURES)
        for number in range(2):
            await parley.chat(f"Question {number}?", model="cleo")
        battle = await parley.battle("Which of the two?")
        assert await chance_of(parley, battle["match_id"]) == pytest.approx(1 / 2)
        assert "cleo" not in (await parley.seats(battle["session_id"])).values()


async def test_where_all_rest_a_battle_is_refused_with_what_to_do(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=("ada", "bob")) as parley:
        parley.upstream.fail(503, retry_after="0", times=2 * FAILURES)
        for model in ("ada", "ada", "bob", "bob"):
            await parley.chat("Are you there?", model=model)
        refused = await parley.post("/api/sessions", {"prompt": "And now?"}, status=503)
        assert refused["code"] == "models_resting"
        assert "Ask again then" in refused["detail"]
