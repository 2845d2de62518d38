"""Tests of blindness over HTTP: before the vote nothing tells which model sits where."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.fakes.house import ModelSpec, RunningParley, a_running_parley, kinds
from tests.fakes.upstream import HangUp, Script, ScriptedUpstream, delta, event

ERROR_TEXT = "CANARY-ERROR the key of the provider was refused"
CANARIES = (
    ModelSpec("canary-one", "Canarius Primus", "Serinus Society", "Canary Licence", provider="canary-cage"),
    ModelSpec("canary-two", "Canaria Secunda", "Serinus Society", "Canary Licence", provider="canary-cage"),
)


def traces(parley: RunningParley) -> list[bytes]:
    """What would betray a model, wherever it stood."""
    names = [getattr(spec, field) for spec in CANARIES for field in ("id", "name", "organization", "license")]
    address = f"127.0.0.1:{parley.upstream.port}"
    return [word.lower().encode() for word in (*names, "canary", "serinus", "cage", address, "s3cret")]


async def everything_shown(parley: RunningParley, session_id: str, turn_id: str) -> bytes:
    """Return all that a viewer can be told of a session: bodies and headers."""
    shown = b""
    for path in (
        f"/api/turns/{turn_id}",
        f"/api/turns/{turn_id}/events",
        f"/api/sessions/{session_id}",
        "/api/sessions",
        "/api/sessions?search=canary",
        "/api/sessions?archived=true",
        "/api/about",
    ):
        answer = await parley.client.get(path)
        shown += answer.content + str(answer.headers.multi_items()).encode()
    return shown


async def test_nothing_names_a_model_before_the_vote_and_all_does_after(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=CANARIES, pacing="even") as parley:
        parley.upstream.reply("Tweet ", "tweet.", reasoning=["I am thinking. "])
        request: dict[str, Any] = {
            "json": {"prompt": "Who are you?"},
            "headers": {"Accept": "text/event-stream"},
        }
        answer = await parley.client.post("/api/sessions", **request)
        first = msgspec.json.decode(answer.content.split(b"\n\n")[0].removeprefix(b"data: "))
        session_id, turn_id, match_id = first["turn"]["session_id"], first["turn"]["id"], first["match"]["id"]
        shown = answer.content + str(answer.headers.multi_items()).encode()
        shown += await everything_shown(parley, session_id, turn_id)
        wrong = await parley.client.post(f"/api/battles/{match_id}/vote", json={"vote": "best"})
        json = await parley.client.post(f"/api/sessions/{session_id}/battles", json={"prompt": "More"})
        shown += wrong.content + json.content
        assert [trace for trace in traces(parley) if trace in shown.lower()] == []
        assert b"thinking" not in shown
        assert b'"metrics":{' not in shown
        vote = msgspec.json.encode(await parley.vote(match_id))
        after = await everything_shown(parley, session_id, turn_id)
        for spec in CANARIES:
            assert spec.id.encode() in vote
            assert spec.id.encode() in after
        assert b"I am thinking." in after
        assert b'"metrics":{' in after
        assert b"s3cret" not in after + vote


def breaks_off(upstream: ScriptedUpstream, model: str) -> None:
    steps = (event(delta(content="The beginning ")), HangUp())
    upstream.script(Script(steps, framed=False), model=model)


FAULTS: dict[str, Callable[[ScriptedUpstream, str], object]] = {
    "it is refused": lambda upstream, model: upstream.fail(400, ERROR_TEXT, model=model),
    "its key is rejected": lambda upstream, model: upstream.fail(401, ERROR_TEXT, model=model),
    "it breaks off": breaks_off,
    "it ends without a finish reason": lambda upstream, model: upstream.reply(
        "The beginning ", finish=None, done=False, model=model
    ),
    "it is empty": lambda upstream, model: upstream.reply(model=model),
    "an error comes in the stream": lambda upstream, model: upstream.stream(
        delta(content="The beginning "), {"error": {"message": ERROR_TEXT}}, model=model
    ),
}


async def voided_battle(folder: Path, fault: str, side: str) -> tuple[list[dict[str, Any]], bytes]:
    """Return the events and everything shown of a battle whose one side fails."""
    async with a_running_parley(folder, models=CANARIES) as parley:
        failing = "canary-one"
        FAULTS[fault](parley.upstream, failing)
        parley.upstream.reply("A whole ", "answer.", first_delay=0.05, model="canary-two")
        events: list[dict[str, Any]] = []
        for _ in range(40):
            events = await parley.events("POST", "/api/sessions", {"prompt": "Hi"})
            if (await parley.seats(events[0]["match"]["session_id"]))[side] == failing:
                break
        match, turn = events[0]["match"], events[0]["turn"]
        shown = msgspec.json.encode(events)
        shown += await everything_shown(parley, match["session_id"], turn["id"])
        for path, body in (
            (f"/api/battles/{match['id']}/vote", {"vote": "left"}),
            (f"/api/battles/{match['id']}/messages", {"content": "More"}),
            (f"/api/turns/{turn['id']}/retry", None),
        ):
            refused = await parley.client.post(path, json=body) if body else await parley.client.post(path)
            assert (refused.status_code, refused.json()["code"]) == (409, "battle_void")
            shown += refused.content
        assert [trace for trace in traces(parley) if trace in shown.lower()] == []
        view = await parley.get(f"/api/sessions/{match['session_id']}")
        record = view["matches"][0]
        assert record["match"]["status"] == "void"
        assert record["match"]["void"]["code"] == record["turns"][0]["error"]["code"] == "battle_void"
        again = await parley.post(f"/api/sessions/{match['session_id']}/battles", {"prompt": "Hi"})
        assert again["match_id"] != match["id"]
        return [*events, record], shown


def without_ids(value: Any, known: dict[str, str]) -> Any:
    """Replace ids and times, which are random, by what can be compared."""
    if isinstance(value, dict):
        return {key: without_ids(item, known) for key, item in value.items()}
    if isinstance(value, list):
        return [without_ids(item, known) for item in value]
    if isinstance(value, str) and len(value) == 32 and set(value) <= set("0123456789abcdef"):
        return known.setdefault(value, f"id {len(known)}")
    if isinstance(value, str) and value[:2] == "20" and value.endswith("+00:00"):
        return "a time"
    return value


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_void_battle_has_no_side(tmp_path: Path, fault: str) -> None:
    """The same fault on the left and on the right shows the same, apart from random ids and times."""
    left, _ = await voided_battle(tmp_path / "left", fault, "left")
    right, _ = await voided_battle(tmp_path / "right", fault, "right")
    assert kinds(left[:-1])[-1] == "turn.failed"
    assert left[-2]["error"]["code"] == "battle_void"
    assert "reply.failed" not in kinds(left[:-1])
    # The snapshot may come a moment earlier or later; what it leads to may not differ.
    assert without_ids(_final(left), {}) == without_ids(_final(right), {})


def _final(events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [events[-2], events[-1]]


async def test_the_json_answer_of_a_void_battle_names_nobody(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=CANARIES) as parley:
        parley.upstream.fail(403, ERROR_TEXT)
        answer = await parley.client.post("/api/sessions", json={"prompt": "Hi"})
        outcome = answer.json()
        assert (outcome["status"], outcome["error"]["code"]) == ("failed", "battle_void")
        assert {reply["status"] for reply in outcome["responses"].values()} <= {"stopped"}
        assert [trace for trace in traces(parley) if trace in answer.content.lower()] == []


async def test_two_models_that_say_the_same_look_the_same(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=CANARIES) as parley:
        parley.upstream.reply("Same ", "words.", reasoning=["Much thought."], model="canary-one")
        parley.upstream.reply("Same words.", usage=False, model="canary-two")
        shown: dict[tuple[str, str], Any] = {}
        for _ in range(40):
            battle = await parley.battle("Hi")
            seats = await parley.seats(battle["session_id"])
            view = await parley.get(f"/api/sessions/{battle['session_id']}")
            stream = await parley.events("GET", f"/api/turns/{battle['turn_id']}/events")
            shown[seats["left"], seats["right"]] = without_ids([battle, view, stream], {})
            if len(shown) == 2:
                break
        one, other = shown.values()
        assert one == other


async def test_a_stopped_blind_turn_shows_no_more_than_was_released(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=("ada", "bob"), pacing="even") as parley:
        parley.upstream.reply("x" * 3000, "y", hold_after=1, model="ada")
        parley.upstream.reply("x" * 900, "y", hold_after=1, model="bob")
        async with parley.stream("POST", "/api/sessions", {"prompt": "Hi"}) as stream:
            turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
            await stream.until_said()
            view = await parley.post(f"/api/turns/{turn_id}/stop")
            assert (await stream.rest())[-1]["kind"] == "turn.stopped"
        texts = [reply["text"] for reply in view["turn"]["replies"]]
        assert view["turn"]["status"] == "stopped"
        assert texts[0] == texts[1]
        assert 0 < len(texts[0]) < 900
        assert [reply["status"] for reply in view["turn"]["replies"]] == ["stopped"] * 2
        assert (await parley.get(f"/api/turns/{turn_id}"))["turn"] == view["turn"]
