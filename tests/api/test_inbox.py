"""A mode that a person pauses and talks into, over HTTP: what is said is stored once, heard once, and never lost."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.panel import a_panel_plugin
from tests.fakes.running import Client, RunningParley, a_running_parley, kinds

SEATS = {"chair": "cleo", "a": "ada", "b": "bob"}


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    with a_panel_plugin(tmp_path / "plugins"):
        async with a_running_parley(tmp_path) as running:
            yield running


def asking(prompt: str = "Tea or coffee?", **brief: Any) -> dict[str, Any]:
    return {"prompt": prompt, "mode": "panel", "seats": SEATS, "brief": brief}


def speaks(parley: RunningParley) -> None:
    """Let bob's first answer wait for `release`; the others answer at once."""
    parley.upstream.reply("Tea.", model="ada").reply("Tea, again.", model="ada")
    parley.upstream.reply("Cof", "fee.", hold_after=1, model="bob").reply("Coffee, again.", model="bob")
    parley.upstream.reply("Both.", model="cleo")


def lines(parley: RunningParley, model: str) -> list[str]:
    """What a model was told last in each of its calls."""
    asked = [request for request in parley.upstream.chats if request.model == model]
    return [request.json["messages"][-1]["content"] for request in asked]


async def begin(parley: RunningParley, **brief: Any) -> tuple[str, asyncio.Task[list[dict[str, Any]]]]:
    """Begin a panel; return its turn once both members speak, and what is being streamed."""
    began: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def read() -> list[dict[str, Any]]:
        async with parley.stream("POST", "/api/sessions", asking(**brief)) as stream:
            began.set_result((await stream.until("turn.snapshot"))["turn"]["id"])
            return await stream.rest()

    reading = asyncio.create_task(read())
    turn_id = await began
    await parley.upstream.wait_for_requests(2)
    return turn_id, reading


async def say(parley: RunningParley, turn_id: str, said: Any, status: int = 200, **more: Any) -> Any:
    return await parley.post(f"/api/turns/{turn_id}/interject", {"input": said}, status, **more)


def steer(text: str) -> dict[str, str]:
    return {"type": "steer", "text": text}


async def test_what_is_said_while_a_turn_runs_is_heard_live_and_read_back_the_same(
    parley: RunningParley,
) -> None:
    speaks(parley)
    turn_id, reading = await begin(parley)
    given = await say(parley, turn_id, steer("Be brief."))
    assert (given["input"], given["round"]) == (steer("Be brief."), None)
    await say(parley, turn_id, {"type": "add", "text": "Or water?"})
    live = await parley.get(f"/api/turns/{turn_id}")
    assert [said["round"] for said in live["turn"]["interjections"]] == [None, None]
    parley.upstream.release()
    events = await reading
    assert kinds(events)[-1] == "turn.completed"
    assert lines(parley, "ada")[1] == "Round 2. Tea or coffee? [a: Tea. | b: Coffee.] (Be brief. / Or water?)"
    shown = (await parley.get(f"/api/turns/{turn_id}"))["turn"]["interjections"]
    assert [(said["input"]["text"], said["round"]) for said in shown] == [("Be brief.", 2), ("Or water?", 2)]
    added = [event["interjection"] for event in events if event["kind"] == "input.added"]
    assert added == [{**said, "round": None} for said in shown]
    heard = [event["heard"] for event in events if event["kind"] == "round.started" and event["round"] == 2]
    assert heard == [[said["id"] for said in shown]]
    late = await parley.events("GET", f"/api/turns/{turn_id}/events")
    assert late[0]["turn"]["interjections"] == shown


async def test_a_team_that_pauses_goes_on_from_the_round_before(parley: RunningParley) -> None:
    parley.upstream.reply("Tea.", model="ada").reply("Tea!", model="ada").reply("Well, tea.", model="ada")
    parley.upstream.reply("Coffee.", model="bob").reply("Coffee!", model="bob").reply("Both.", model="bob")
    parley.upstream.reply("In sum: both.", model="cleo")
    first = await parley.post("/api/sessions", asking(pause="each_round"))
    path = f"/api/matches/{first['match_id']}/turns"
    second = await parley.post(path, {"input": {"type": "continue"}})
    third = await parley.post(path, {"input": steer("Agree!")})
    last = await parley.post(path, {"input": {"type": "synthesise"}})
    assert [turn["status"] for turn in (first, second, third, last)] == ["completed"] * 4
    shown = await parley.get(f"/api/turns/{third['turn_id']}")
    assert {(reply["round"], reply["seat"]) for reply in shown["turn"]["replies"]} == {(3, "a"), (3, "b")}
    assert shown["turn"]["round"] == 3
    assert shown["turn"]["input"] == steer("Agree!")
    assert lines(parley, "ada") == [
        "Round 1. Tea or coffee? [] ()",
        "Round 2. Tea or coffee? [a: Tea. | b: Coffee.] ()",
        "Round 3. Tea or coffee? [a: Tea! | b: Coffee!] (Agree!)",
        "Round 4. Tea or coffee? [a: Well, tea. | b: Both.] ()",
    ]
    assert lines(parley, "cleo") == ["Sum up Tea or coffee? [a: Well, tea. | b: Both.]"]
    asked = [request for request in parley.upstream.chats if request.model == "bob"][3]
    said = [message["content"] for message in asked.json["messages"][:-1]]
    assert said == ["Tea or coffee?", "Coffee.", "Continue.", "Coffee!", "Agree!", "Both."]
    found = await parley.get("/api/sessions", params={"search": "agree"})
    assert len(found["sessions"]) == 1, "what the person says is found, however they say it"


async def test_two_tabs_speak_at_once_and_all_of_it_is_heard_once_in_one_order(
    parley: RunningParley,
) -> None:
    speaks(parley)
    turn_id, reading = await begin(parley)
    other = parley.visitor()

    async def speak(client: Client, words: str) -> None:
        answer = await client.post(f"/api/turns/{turn_id}/interject", json={"input": steer(words)})
        assert answer.status_code == 200, answer.text

    tabs = ((parley.client, "one"), (other, "two"))
    await asyncio.gather(*(speak(client, f"{tab} {n}") for n in range(6) for client, tab in tabs))
    parley.upstream.release()
    events = await reading
    streamed = [event["interjection"]["input"]["text"] for event in events if event["kind"] == "input.added"]
    shown = (await parley.get(f"/api/turns/{turn_id}"))["turn"]["interjections"]
    assert [said["input"]["text"] for said in shown] == streamed
    assert Counter(streamed) == Counter(f"{tab} {n}" for tab in ("one", "two") for n in range(6))
    assert {said["round"] for said in shown} == {2}
    assert lines(parley, "bob")[1].endswith(f"({' / '.join(streamed)})")


async def test_in_the_moment_a_turn_ends_what_is_said_is_kept_or_refused_and_never_lost(
    parley: RunningParley,
) -> None:
    speaks(parley)
    turn_id, reading = await begin(parley)
    kept: list[str] = []
    refused: dict[str, Any] = {}

    async def speak(tab: int) -> None:
        client = parley.visitor()
        for number in range(2000):
            answer = await client.post(
                f"/api/turns/{turn_id}/interject", json={"input": steer(f"{tab}.{number}")}
            )
            if answer.status_code != 200:
                assert answer.status_code == 409
                refused.update(answer.json())
                return
            kept.append(answer.json()["id"])

    tabs = [asyncio.create_task(speak(tab)) for tab in range(3)]
    await asyncio.sleep(0.1)
    parley.upstream.release()
    await asyncio.gather(*tabs)
    events = await reading
    shown = (await parley.get(f"/api/turns/{turn_id}"))["turn"]["interjections"]
    assert sorted(said["id"] for said in shown) == sorted(kept)
    streamed = [event["interjection"]["id"] for event in events if event["kind"] == "input.added"]
    assert streamed == [said["id"] for said in shown], "what is kept is told before the end"
    assert refused["code"] == "turn_not_running"
    assert "next turn" in refused["detail"]


async def test_words_sent_twice_under_one_key_are_said_once(parley: RunningParley) -> None:
    speaks(parley)
    turn_id, reading = await begin(parley)
    key = {"Idempotency-Key": "k"}
    same = await asyncio.gather(*(say(parley, turn_id, steer("Once."), headers=key) for _ in range(3)))
    await say(parley, turn_id, steer("Other."), 422, headers=key)
    parley.upstream.release()
    await reading
    assert len({said["id"] for said in same}) == 1
    again = await say(parley, turn_id, steer("Once."), headers=key)
    assert again["id"] == same[0]["id"], "also when the turn has ended"
    assert len((await parley.get(f"/api/turns/{turn_id}"))["turn"]["interjections"]) == 1


async def test_after_stop_and_retry_the_same_is_heard_in_the_same_round(parley: RunningParley) -> None:
    parley.upstream.reply("Tea.", model="ada").reply("Tea, again.", model="ada")
    parley.upstream.reply("Coffee.", hold_after=0, model="bob")
    parley.upstream.reply("Cof", "fee, again.", delay=600.0, model="bob")
    parley.upstream.reply("Coffee, at last.", model="bob")
    parley.upstream.reply("Both.", model="cleo")
    turn_id, reading = await begin(parley)
    await say(parley, turn_id, steer("Be brief."))
    parley.upstream.release()
    await parley.upstream.wait_for_requests(4)
    await say(parley, turn_id, steer("Or long."))
    stopped = (await parley.post(f"/api/turns/{turn_id}/stop"))["turn"]
    assert stopped["status"] == "stopped"
    assert [said["round"] for said in stopped["interjections"]] == [2, None]
    await reading
    assert (await say(parley, turn_id, steer("Too late."), 409))["code"] == "turn_not_running"
    events = await parley.events("POST", f"/api/turns/{turn_id}/retry")
    assert kinds(events)[-1] == "turn.completed"
    first, second, third = lines(parley, "bob")
    assert first.startswith("Round 1.")
    assert second == third == "Round 2. Tea or coffee? [a: Tea. | b: Coffee.] (Be brief.)"
    assert len(lines(parley, "ada")) == 2, "what was finished is not asked again"
    shown = (await parley.get(f"/api/turns/{turn_id}"))["turn"]["interjections"]
    assert [said["round"] for said in shown] == [2, None]


async def test_a_mode_tells_what_it_takes_and_refuses_the_rest_by_name(parley: RunningParley) -> None:
    modes = {mode["name"]: mode for mode in (await parley.get("/api/modes"))["modes"]}
    assert (modes["chat"]["inputs"], modes["chat"]["listens"]) == (["prompt"], [])
    assert modes["panel"]["listens"] == ["steer", "add", "ask", "skip", "synthesise"]
    chat = await parley.chat()
    path = f"/api/matches/{chat['match_id']}/turns"
    problem = await parley.post(path, {"input": steer("Be brief.")}, 422)
    assert (problem["field"], problem["title"]) == (
        "input.type",
        "input.type: this mode accepts prompt now, not steer.",
    )
    problem = await say(parley, chat["turn_id"], steer("Be brief."), 422)
    assert problem["title"] == "input.type: this mode accepts no input now, not steer."
    panel = await parley.post("/api/sessions", asking(rounds=1))
    assert (await say(parley, "nowhere", steer("x"), 404))["code"] == "not_found"
    wrong: list[tuple[Any, str]] = [
        ({"type": "sing"}, "input.type"),
        ({"type": "prompt", "text": "Why?"}, "input.type"),
        ({"type": "steer"}, "input.text"),
        ({"type": "steer", "text": " "}, "input.text"),
        ({"type": "steer", "text": 7}, "input.text"),
        ({"type": "ask", "text": "Why?"}, "input.seat"),
        ({"type": "ask", "seat": "z", "text": "Why?"}, "input.seat"),
        ({"type": "skip", "seat": "z"}, "input.seat"),
        ({"type": "skip", "seat": "Ü"}, "input.seat"),
        ({"type": "synthesise", "text": "Why?"}, "input.text"),
        ("steer", "input"),
        ({}, "input.text"),
    ]
    for given, field in wrong:
        problem = await say(parley, panel["turn_id"], given, 422)
        assert problem["field"] == field, given
    for given, field in wrong:
        if given != {"type": "prompt", "text": "Why?"}:
            problem = await parley.post(f"/api/matches/{panel['match_id']}/turns", {"input": given}, 422)
            assert problem["field"] == field, given


async def test_one_seat_that_is_asked_again_hears_again_what_was_said_to_it(parley: RunningParley) -> None:
    speaks(parley)
    turn_id, reading = await begin(parley)
    await say(parley, turn_id, steer("Be brief."))
    parley.upstream.release()
    await reading
    for model in SEATS.values():
        parley.upstream.drop(model)
    parley.upstream.reply("Green tea.", model="ada").reply("Green tea, again.", model="ada")
    parley.upstream.reply("Coffee, then.", model="bob").reply("Both, then.", model="cleo")
    await parley.post(f"/api/turns/{turn_id}/retry", {"seat": "a"})
    assert lines(parley, "ada")[2:] == [
        "Round 1. Tea or coffee? [] ()",
        "Round 2. Tea or coffee? [a: Green tea. | b: Coffee.] (Be brief.)",
    ]
    shown = (await parley.get(f"/api/turns/{turn_id}"))["turn"]
    assert [(said["input"]["text"], said["round"]) for said in shown["interjections"]] == [("Be brief.", 2)]
    assert [note["data"]["heard"] for note in shown["notes"]] == [0, 1]
    first = [reply["text"] for reply in shown["replies"] if reply["round"] == 1]
    assert first == ["Green tea.", "Coffee."]


async def test_only_a_seat_of_the_match_can_be_asked_alone(parley: RunningParley) -> None:
    begun = await parley.post("/api/sessions", {**asking(rounds=1), "seats": {**SEATS, "c": "ada"}})
    path = f"/api/matches/{begun['match_id']}/turns"
    asked_c = {"type": "ask", "seat": "c", "text": "And you?"}
    await parley.post(path, {"input": asked_c, "seats": {"leave": ["c"]}}, 422)
    await parley.post(path, {"input": steer("On."), "seats": {"leave": ["c"]}})
    await parley.post(path, {"input": asked_c}, 422)
    joined = await parley.post(path, {"input": {**asked_c, "seat": "d"}, "seats": {"add": {"d": "ada"}}})
    shown = (await parley.get(f"/api/turns/{joined['turn_id']}"))["turn"]
    assert [reply["seat"] for reply in shown["replies"] if reply["purpose"] == "answer"] == ["d"]
