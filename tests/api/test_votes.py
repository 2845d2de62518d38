"""Tests of votes that can be trusted: once, answered the same again, kept but not counted, and in the audit log."""

import asyncio
import threading
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import text

from parley.features.sessions.service import SessionsService
from parley.features.voting import blindness
from parley.ratings import elo as ratings_elo
from parley.settings import Settings
from parley.storage.audit_check import verify_audit
from parley.storage.database import Database
from parley.text.identity.leak import find_leak
from tests.fakes.commands import carry_out
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.process import processes
from tests.fakes.running import Client, ModelSpec, RunningParley, a_running_parley, write_models
from tests.fakes.upstream import ScriptedUpstream

pytestmark = ON_EVERY_KIND

CLAUDE = ModelSpec("claude-x", name="Claude X", organization="Anthropic")
GPT = ModelSpec("gpt-x", name="GPT X", organization="OpenAI")


class Routed(ModelSpec):
    """A model whose name here says nothing; its name at the provider does."""

    def entry(self) -> dict[str, Any]:
        return {**super().entry(), "routes": [{"provider": self.provider, "model": "google/gemma-3-1b"}]}


@pytest.fixture
async def stored(tmp_path: Path) -> AsyncIterator[RunningParley]:
    async with a_running_parley(tmp_path, models=(CLAUDE, GPT)) as running:
        yield running


async def rows(parley: RunningParley, query: str) -> list[Any]:
    return await parley.application[Database].read(lambda session: list(session.execute(text(query)).all()))


def elo(vote: dict[str, Any]) -> dict[str, tuple[float, float]]:
    return {side: (vote[side]["elo_before"], vote[side]["elo_after"]) for side in ("left", "right")}


async def in_order(parley: RunningParley, votes: int) -> None:
    """Verify as the command does, with connections of its own, while the server runs."""
    url = parley.application[Settings].database_url
    report = await verify_audit(url, None, lambda _done, _all: None)
    assert (report.ok, report.votes) == (True, votes), report.broken


async def test_a_vote_whose_answer_names_its_own_model_is_kept_and_not_counted(
    stored: RunningParley,
) -> None:
    stored.upstream.reply("Hello! I'm **Claude**, ", "made by Anthropic.", model="claude-x")
    stored.upstream.reply("Hello!", model="gpt-x")
    battle = await stored.battle()
    vote = await stored.vote(battle["battle_id"], "left", reason="Friendlier.")
    assert (vote["counted"], vote["not_counted_reason"]) == (False, "identity_leak")
    assert elo(vote) == {"left": (1500.0, 1500.0), "right": (1500.0, 1500.0)}
    view = await stored.get(f"/api/sessions/{battle['session_id']}")
    kept = view["matches"][0]["match"]["vote"]
    assert (kept["counted"], kept["not_counted_reason"]) == (False, "identity_leak")
    assert view["matches"][0]["match"]["status"] == "voted"
    again = await stored.vote(battle["battle_id"], "right", status=409)
    assert (again["code"], again["result"]) == ("already_voted", vote)
    await in_order(stored, 1)


async def test_an_answer_that_names_another_model_is_no_more_blind(stored: RunningParley) -> None:
    stored.upstream.reply("I am ChatGPT, made by OpenAI.", model="claude-x")
    stored.upstream.reply("Anthropic was founded in 2021.", model="gpt-x")
    battle = await stored.battle()
    vote = await stored.vote(battle["battle_id"], "left")
    assert (vote["counted"], vote["not_counted_reason"]) == (False, "identity_leak")


async def test_an_answer_that_only_mentions_a_model_leaves_the_vote_counted(stored: RunningParley) -> None:
    stored.upstream.reply("Claude Monet painted it.", model="claude-x")
    stored.upstream.reply("Anthropic was founded in 2021 by former members of OpenAI.", model="gpt-x")
    battle = await stored.battle("Tell me two facts.")
    vote = await stored.vote(battle["battle_id"], "left")
    assert (vote["counted"], vote["not_counted_reason"]) == (True, None)
    assert elo(vote) == {"left": (1500.0, 1516.0), "right": (1500.0, 1484.0)}


async def test_a_battle_that_asks_who_answers_is_kept_and_not_counted(stored: RunningParley) -> None:
    stored.upstream.reply("A helper.")
    battle = await stored.battle("Hello")
    await stored.post(f"/api/battles/{battle['battle_id']}/messages", {"content": "Quién eres?"})
    vote = await stored.vote(battle["battle_id"], "left")
    assert (vote["counted"], vote["not_counted_reason"]) == (False, "identity_question")
    assert elo(vote) == {"left": (1500.0, 1500.0), "right": (1500.0, 1500.0)}
    await in_order(stored, 1)


async def test_a_long_answer_is_looked_through_outside_the_transaction_and_the_loop(
    stored: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []

    def spied(*given: Any) -> Any:
        threads.append(threading.current_thread().name)
        return find_leak(*given)

    monkeypatch.setattr(blindness, "find_leak", spied)
    stored.upstream.reply("Water boils. " * 1000 + "I am Claude.", model="claude-x")
    stored.upstream.reply("Hello!", model="gpt-x")
    battle = await stored.battle()
    vote = await stored.vote(battle["battle_id"], "left")
    assert vote["not_counted_reason"] == "identity_leak"
    (thread,) = threads
    assert thread not in (threading.main_thread().name, "parley-writer")


async def test_the_name_at_the_provider_tells_too_and_so_does_an_earlier_turn(tmp_path: Path) -> None:
    hidden = Routed("own-blend", organization="Us")
    async with a_running_parley(tmp_path, models=(hidden, ModelSpec("plain"))) as parley:
        parley.upstream.reply("As Gemma, I disagree.", model="google/gemma-3-1b")
        parley.upstream.reply("Fine.", model="google/gemma-3-1b")
        battle = await parley.battle()
        await parley.post(f"/api/battles/{battle['battle_id']}/messages", {"content": "And now?"})
        vote = await parley.vote(battle["battle_id"])
        assert vote["not_counted_reason"] == "identity_leak"
        assert await rows(parley, "select sum(votes) from elo") == [(0,)]


async def test_votes_that_race_have_one_answer_under_one_key_and_one_result_without(
    stored: RunningParley,
) -> None:
    stored.upstream.reply("Yes.")
    battle = await stored.battle()
    path = f"/api/battles/{battle['battle_id']}/vote"
    keyed: dict[str, Any] = {"headers": {"Idempotency-Key": "mine"}, "json": {"vote": "left"}}
    bare: dict[str, Any] = {"json": {"vote": "left"}}
    answers = await asyncio.gather(
        *(stored.visitor().post(path, **given) for _ in range(8) for given in (keyed, bare))
    )
    results = []
    for answer in answers:
        body = answer.json()
        if answer.status_code == 409:
            assert body["code"] == "already_voted"
        else:
            assert answer.status_code == 200
        results.append(body["result"] if answer.status_code == 409 else body)
    assert all(result == results[0] for result in results)
    assert set(elo(results[0]).values()) == {(1500.0, 1516.0), (1500.0, 1484.0)}
    await in_order(stored, 1)


async def test_all_who_repeat_one_request_get_identical_bytes(stored: RunningParley) -> None:
    stored.upstream.reply("Yes.")
    battle = await stored.battle()
    path = f"/api/battles/{battle['battle_id']}/vote"
    keyed: dict[str, Any] = {
        "headers": {"Idempotency-Key": "mine"},
        "json": {"vote": "tie", "reason": "Both."},
    }
    answers = await asyncio.gather(*(stored.visitor().post(path, **keyed) for _ in range(16)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    await in_order(stored, 1)


async def test_votes_on_many_battles_at_once_are_rated_in_the_order_of_the_log(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path) as parley:
        parley.upstream.reply("Yes.")
        battles = [(await parley.battle(f"Question {it}?"))["battle_id"] for it in range(24)]
        choices = [("left", "right", "tie")[number % 3] for number in range(24)]
        posts = (
            parley.visitor().post(f"/api/battles/{battle}/vote", json={"vote": choice})
            for battle, choice in zip(battles, choices, strict=True)
        )
        assert {answer.status_code for answer in await asyncio.gather(*posts)} == {200}
        await in_order(parley, 24)
        ratings: dict[str, float] = {}
        query = "select left_model_id, right_model_id, choice from votes order by seq"
        for left, right, choice in await rows(parley, query):
            before = (ratings.get(left, ratings_elo.INITIAL), ratings.get(right, ratings_elo.INITIAL))
            score = {"left": 1.0, "right": 0.0}.get(choice, 0.5)
            ratings[left], ratings[right] = ratings_elo.update(*before, score)
        assert dict(tuple(row) for row in await rows(parley, "select model_id, rating from elo")) == ratings


async def test_a_deleted_session_forgets_texts_and_the_chain_stays_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_running_parley(tmp_path) as parley:
        battle = await parley.battle()
        await parley.vote(battle["battle_id"], "left", reason="A secret reason.")
        other = await parley.battle()
        await parley.vote(other["battle_id"], "right")
        await parley.client.delete(f"/api/sessions/{battle['session_id']}")
        monkeypatch.setattr("parley.features.sessions.service.UNDO", -timedelta(hours=1))
        assert await parley.application[SessionsService].purge() == 1
        ((session, owner, reason, voter),) = await rows(
            parley, "select session_id, owner_id, reason, voter_id from votes order by seq limit 1"
        )
        assert (session, owner, reason) == (None, None, None)
        assert len(voter) in (16, 32), "as bytes or as digits"
        await in_order(parley, 2)
        assert "secret" not in str(await rows(parley, "select content from audit_log"))


def verify(folder: Path, *arguments: str) -> tuple[int, Any]:
    done = carry_out("audit", "verify", "--json", "--data-dir", str(folder / "data"), *arguments)
    return done.status, msgspec.json.decode(done.stdout)


@pytest.mark.databases("sqlite")
async def test_a_key_is_remembered_across_a_restart_and_the_log_is_verified_while_serving(
    tmp_path: Path,
) -> None:
    async with ScriptedUpstream() as upstream:
        models = write_models(tmp_path / "models.yaml", upstream.url, ("ada", "bob"))
        with processes(tmp_path, models) as start:
            first = start()
            await asyncio.to_thread(first.wait_until_ready)
            async with Client(base_url=first.base_url, timeout=50, trust_env=False, verify=False) as client:
                battle = (await client.post("/api/sessions", json={"prompt": "Hi"})).json()
                path = f"/api/battles/{battle['battle_id']}/vote"
                key = {"Idempotency-Key": "k"}
                answer = await client.post(path, json={"vote": "left"}, headers=key)
                assert answer.status_code == 200
                code, before = await asyncio.to_thread(verify, tmp_path)
                assert (code, before["ok"], before["votes"]) == (0, True, 1)
            await asyncio.to_thread(first.kill)
            second = start()
            await asyncio.to_thread(second.wait_until_ready)
            async with Client(base_url=second.base_url, timeout=50, trust_env=False, verify=False) as client:
                again = await client.post(path, json={"vote": "left"}, headers=key)
                assert (again.status_code, again.content) == (200, answer.content)
                other = await client.post(path, json={"vote": "right"}, headers=key)
                assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
            code, after = await asyncio.to_thread(verify, tmp_path, "--head", before["head"])
            assert (code, after["noted_at"], after["head"]) == (0, 1, before["head"])
