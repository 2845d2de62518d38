"""One seat asked again without the others, over HTTP: the latest words count, earlier ones stay readable."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.consortium_talk import SEATS as CONSORTIUM
from tests.fakes.consortium_talk import arbiter, member
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.joinable_panel import installed
from tests.fakes.running import RunningParley, a_running_parley
from tests.fakes.upstream import ScriptedUpstream

MODELS = ("ada", "bob", "cid", "judge")
SEATS = {"a": "ada", "b": "bob"}


@pytest.fixture
async def parley(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[RunningParley]:
    installed(monkeypatch)
    async with a_running_parley(tmp_path, models=MODELS) as running:
        yield running


async def panel(parley: RunningParley, **more: Any) -> Any:
    return await parley.post("/api/sessions", {"prompt": "Hello", "mode": "panel", "seats": SEATS, **more})


async def again(parley: RunningParley, turn: Any, seat: str, status: int = 200) -> Any:
    return await parley.post(f"/api/turns/{turn['turn_id']}/retry", {"seat": seat}, status)


async def replies(parley: RunningParley, turn: Any) -> dict[str, tuple[int, str, str]]:
    view = (await parley.get(f"/api/turns/{turn['turn_id']}"))["turn"]
    return {reply["seat"]: (reply["attempt"], reply["status"], reply["text"]) for reply in view["replies"]}


async def attempts(parley: RunningParley, turn: Any) -> list[tuple[str, int, str, str]]:
    body = await parley.get(f"/api/turns/{turn['turn_id']}/attempts")
    return [(each["seat"], each["attempt"], each["status"], each["text"]) for each in body["attempts"]]


def asked(upstream: ScriptedUpstream, model: str) -> list[Any]:
    return [request.json for request in upstream.chats if request.model == model]


async def test_one_seat_is_asked_again_and_the_others_stay(parley: RunningParley) -> None:
    for text in ("One.", "Two.", "Three."):
        parley.upstream.reply(text, model="ada")
    parley.upstream.reply("Bob.", model="bob", times=2)
    turn = await panel(parley)
    assert await attempts(parley, turn) == []
    for _ in range(2):
        assert (await again(parley, turn, "a"))["status"] == "completed"
    assert await replies(parley, turn) == {"a": (3, "completed", "Three."), "b": (1, "completed", "Bob.")}
    assert await attempts(parley, turn) == [("a", 1, "completed", "One."), ("a", 2, "completed", "Two.")]
    assert (len(asked(parley.upstream, "ada")), len(asked(parley.upstream, "bob"))) == (3, 1)
    await parley.post(f"/api/matches/{turn['match_id']}/turns", {"input": {"text": "And?"}})
    heard = [message["content"] for message in asked(parley.upstream, "ada")[-1]["messages"]]
    assert heard == ["Hello", "Three.", "And?"], "the latest word is what the history keeps"
    problem = await again(parley, turn, "a", 409)
    assert problem["code"] == "nothing_to_retry", "a later turn has heard it"


async def test_a_failure_beside_it_is_left_as_it_is_and_kept_when_asked_again(parley: RunningParley) -> None:
    parley.upstream.reply("One.", model="ada").reply("Two.", model="ada")
    parley.upstream.fail(401, model="bob")
    turn = await panel(parley)
    await again(parley, turn, "a")
    seen = await replies(parley, turn)
    assert (seen["a"], seen["b"][:2]) == ((2, "completed", "Two."), (1, "failed"))
    assert len(asked(parley.upstream, "bob")) == 1
    parley.upstream.drop("bob")
    parley.upstream.reply("Bob.", model="bob")
    await parley.post(f"/api/turns/{turn['turn_id']}/retry")
    seen = await replies(parley, turn)
    assert (seen["a"], seen["b"]) == ((2, "completed", "Two."), (2, "completed", "Bob."))
    assert await attempts(parley, turn) == [("a", 1, "completed", "One."), ("b", 1, "failed", "")]


async def test_what_follows_from_it_is_asked_anew_too(parley: RunningParley) -> None:
    upstream = parley.upstream
    upstream.reply(member("Paris."), model="ada").reply(member("Rome."), model="ada")
    for model in ("bob", "cid"):
        upstream.reply(member("It is Paris."), model=model)
    upstream.reply(arbiter("Paris.", 0.9), model="judge").reply(arbiter("Rome?", 0.9), model="judge")
    body = {"prompt": "Which city?", "mode": "consortium", "seats": CONSORTIUM}
    turn = await parley.post("/api/sessions", body)
    assert (await again(parley, turn, "a"))["status"] == "completed"
    counts = {model: len(asked(upstream, model)) for model in MODELS}
    assert counts == {"ada": 2, "bob": 1, "cid": 1, "judge": 2}
    assert [(seat, attempt) for seat, attempt, _, _ in await attempts(parley, turn)] == [
        ("a", 1),
        ("arbiter", 1),
    ]


async def test_an_ensemble_that_is_asked_again_asks_its_own_seats_anew(parley: RunningParley) -> None:
    preset = {"mode": "chat", "name": "Inner", "seats": {"assistant": "ada"}, "contestant": True}
    model = (await parley.post("/api/presets", preset))["model_id"]
    parley.upstream.reply("One.", model="ada").reply("Two.", model="ada")
    turn = await panel(parley, seats={"a": model, "b": "bob"})
    await again(parley, turn, "a")
    assert (await replies(parley, turn))["a"] == (2, "completed", "Two.")
    assert await attempts(parley, turn) == [("a", 1, "completed", "One.")]


@ON_EVERY_KIND
async def test_of_two_retries_at_once_one_is_refused_and_nothing_is_lost(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    installed(monkeypatch)
    async with a_running_parley(tmp_path, models=MODELS, database_url=url) as parley:
        for seats in (("a", "a"), ("a", "b"), ("b", "a", "a", "b")):
            for model in ("ada", "bob"):
                parley.upstream.reply("Well.", model=model)
                parley.upstream.reply("We", "ll.", hold_after=1, model=model, times=4)
            turn = await panel(parley)
            path = f"/api/turns/{turn['turn_id']}"
            sent = [
                asyncio.create_task(parley.client.post(f"{path}/retry", json={"seat": seat}))
                for seat in seats
            ]
            while sum(task.done() for task in sent) < len(seats) - 1:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            parley.upstream.release()
            answers = await asyncio.gather(*sent)
            codes = sorted(answer.status_code for answer in answers)
            assert codes == [200] + [409] * (len(seats) - 1), codes
            assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {
                "turn_running"
            }
            assert (await parley.get(path))["turn"]["status"] == "completed"
            kept = (await replies(parley, turn)).values()
            assert [each[1:] for each in kept] == [("completed", "Well.")] * 2
            assert sorted(each[0] for each in kept) == [1, 2]
            parley.upstream.forget()
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_a_server_that_ends_meanwhile_goes_on_with_that_seat_alone(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch)
    async with ScriptedUpstream() as upstream:
        kept = {"models": MODELS, "upstream": upstream, "database_url": url}
        upstream.reply("One.", model="ada").reply("Bob.", model="bob")
        upstream.reply("Two ", "now.", hold_after=1, model="ada", times=2)
        async with a_running_parley(tmp_path, **kept) as parley:
            turn = await panel(parley)
            path = f"/api/turns/{turn['turn_id']}"
            async with parley.stream("POST", f"{path}/retry", {"seat": "a"}) as stream:
                await stream.until_said()
        upstream.release()
        async with a_running_parley(tmp_path, **kept) as parley:
            await parley.events("GET", f"{path}/events")
            assert (await replies(parley, turn))["a"][1:] == ("completed", "Two now.")
            assert (await replies(parley, turn))["b"] == (1, "completed", "Bob.")
            assert await attempts(parley, turn) == [("a", 1, "completed", "One.")]
        assert len(asked(upstream, "bob")) == 1


async def test_nobody_is_asked_alone_in_a_blind_match(parley: RunningParley) -> None:
    battle = await parley.battle()
    assert (await again(parley, battle, "left", 409))["code"] == "seats_together"
    path = f"/api/turns/{battle['turn_id']}/attempts"
    assert (await parley.get(path, 409))["code"] == "still_blind"
    await parley.vote(battle["match_id"])
    assert (await parley.get(path))["attempts"] == []
    assert (await parley.get(f"/api/turns/{'0' * 32}/attempts", 404))["code"] == "not_found"


async def test_a_seat_that_said_nothing_cannot_be_asked_again(parley: RunningParley) -> None:
    turn = await panel(parley)
    assert (await again(parley, turn, "z", 422))["field"] == "seat"
    assert (await again(parley, turn, "Z!", 422))["errors"][0]["field"] == "seat"
    whole = await parley.post(f"/api/turns/{turn['turn_id']}/retry", {}, 409)
    assert whole["code"] == "nothing_to_retry"
