"""Tests of battles over HTTP: how they begin, go on, and end with a vote."""

import asyncio
from collections import Counter

import pytest

from tests.fakes.draws import draw
from tests.fakes.running import RunningParley, kinds, read_all

BLIND_STREAM = ["turn.snapshot", "reply.delta", "reply.completed", "ballot.opened", "turn.completed"]


async def test_a_battle_as_json_waits_for_both_and_names_nobody(parley: RunningParley) -> None:
    parley.upstream.reply("An ", "answer.")
    battle = await parley.battle()
    assert set(battle) == {"session_id", "match_id", "battle_id", "turn_id", "status", "responses"}
    assert battle["battle_id"] == battle["match_id"]
    assert battle["status"] == "completed"
    said = {"content": "An answer.", "status": "completed"}
    assert battle["responses"] == {"left": said, "right": said}


async def test_a_battle_as_a_stream_opens_with_a_snapshot_and_has_one_end(parley: RunningParley) -> None:
    parley.upstream.reply("An ", "answer.", delay=0.05)
    events = await parley.events("POST", "/api/sessions", {"prompt": "Hi"})
    sequence = kinds(events)
    assert list(dict.fromkeys(kind for kind in sequence if kind in BLIND_STREAM)) == BLIND_STREAM
    assert sequence.count("turn.snapshot") == sequence.count("turn.completed") == 1
    assert sequence.count("reply.completed") == 2
    assert sequence[-1] == "turn.completed"
    reader = read_all(events)
    assert reader.texts() == {"left": "An answer.", "right": "An answer."}
    view = await parley.get(f"/api/turns/{events[-1]['turn_id']}")
    assert view["kind"] == "turn.snapshot"
    assert {reply["seat"]: reply["text"] for reply in view["turn"]["replies"]} == reader.texts()
    assert view["match"]["ballot"] == {
        "choices": ["left", "tie", "both_bad", "right"],
        "open": True,
        "each_turn": False,
        "rated": True,
        "ends_match": True,
        "needs": "all",
    }


async def test_frames_are_plain_data_lines(parley: RunningParley) -> None:
    raw = (
        await parley.client.post(
            "/api/sessions", json={"prompt": "Hi"}, headers={"Accept": "text/event-stream"}
        )
    ).content
    assert all(frame.startswith((b"data: {", b": ")) for frame in raw.split(b"\n\n") if frame)
    assert raw.endswith(b"\n\n")


async def test_a_follow_up_tells_each_model_its_own_sides_history(parley: RunningParley) -> None:
    for model in ("ada", "bob", "cleo"):
        parley.upstream.reply(f"First of {model}.", model=model)
        parley.upstream.reply(f"Second of {model}.", model=model)
        parley.upstream.reply(f"Third of {model}.", model=model)
    battle = await parley.battle("One")
    seats = await parley.seats(battle["session_id"])
    await parley.post(f"/api/battles/{battle['battle_id']}/messages", {"content": "Two"})
    prompt = {"input": {"type": "prompt", "text": "Three"}}
    third = await parley.post(f"/api/matches/{battle['match_id']}/turns", prompt)
    assert third["responses"]["left"]["content"] == f"Third of {seats['left']}."
    asked = {request.model: request.json["messages"] for request in parley.upstream.chats[-2:]}
    assert set(asked) == set(seats.values())
    for model, messages in asked.items():
        assert [(message["role"], message["content"]) for message in messages] == [
            ("user", "One"),
            ("assistant", f"First of {model}."),
            ("user", "Two"),
            ("assistant", f"Second of {model}."),
            ("user", "Three"),
        ]


async def test_every_battle_of_a_session_draws_anew(parley: RunningParley) -> None:
    first = await parley.battle()
    drawn = [await parley.seats(first["session_id"])]
    for _ in range(11):
        await parley.post(f"/api/sessions/{first['session_id']}/battles", {"prompt": "Again"})
        drawn.append(await parley.seats(first["session_id"]))
    view = await parley.get(f"/api/sessions/{first['session_id']}")
    assert [record["match"]["index"] for record in view["matches"]] == list(range(12))
    # Six ordered pairs, twelve draws: all the same has a chance of 6⁻¹¹.
    assert len({(seats["left"], seats["right"]) for seats in drawn}) > 1
    assert Counter(seats["left"] != seats["right"] for seats in drawn) == {True: 12}


async def test_a_vote_reveals_and_moves_the_elo(parley: RunningParley) -> None:
    parley.upstream.reply("a", "b")
    battle = await parley.battle()
    seats = await parley.seats(battle["session_id"])
    vote = await parley.vote(battle["battle_id"], "left", reason="Clearer.")
    assert set(vote) == {
        *("vote_id", "vote", "reason", "counted", "not_counted_reason", "created_at", "left", "right")
    }
    assert (vote["vote"], vote["reason"], vote["counted"]) == ("left", "Clearer.", True)
    for side, after in (("left", 1516.0), ("right", 1484.0)):
        assert vote[side]["model_id"] == seats[side]
        assert vote[side]["name"] == seats[side].capitalize()
        assert vote[side]["organization"] == f"{seats[side].capitalize()} Labs"
        assert vote[side]["license"] == "MIT"
        assert (vote[side]["elo_before"], vote[side]["elo_after"]) == (1500.0, after)
        metrics = vote[side]["metrics"]
        assert (metrics["input_tokens"], metrics["output_tokens"]) == (7, 2)
        assert metrics["cost_micros"] == 7 * 1 + 2 * 2
        assert metrics["estimated"] is False
    view = await parley.get(f"/api/sessions/{battle['session_id']}")
    match = view["matches"][0]["match"]
    assert (match["status"], match["blind"]) == ("voted", False)
    assert match["ballot"]["open"] is False
    assert {seat["name"]: seat["model"]["id"] for seat in match["seats"]} == seats
    sides = {side: vote.pop(side) for side in ("left", "right")}
    assert match["vote"] == {**vote, "seats": sides, "turn_id": battle["turn_id"]}
    assert all(reply["metrics"] for reply in view["matches"][0]["turns"][0]["replies"])


@pytest.mark.parametrize("choice", ["tie", "both_bad"])
async def test_equals_that_tie_keep_their_elo(parley: RunningParley, choice: str) -> None:
    battle = await parley.battle()
    vote = await parley.vote(battle["battle_id"], choice)
    assert {vote[side]["elo_after"] for side in ("left", "right")} == {1500.0}


async def test_a_win_of_the_right_side_counts_for_the_right_model(parley: RunningParley) -> None:
    battle = await parley.battle()
    vote = await parley.post(f"/api/matches/{battle['match_id']}/vote", {"vote": "right"})
    seats = vote["seats"]
    assert (seats["left"]["elo_after"], seats["right"]["elo_after"]) == (1484.0, 1516.0)


async def test_metrics_after_several_turns_are_those_of_the_whole_match(parley: RunningParley) -> None:
    parley.upstream.reply("a", "b", "c")
    battle = await parley.battle()
    await parley.post(f"/api/battles/{battle['battle_id']}/messages", {"content": "More"})
    vote = await parley.vote(battle["battle_id"])
    assert vote["left"]["metrics"]["input_tokens"] == 14
    assert vote["right"]["metrics"]["output_tokens"] == 6


async def test_nobody_votes_while_a_side_still_speaks(parley: RunningParley) -> None:
    parley.upstream.reply("One ", "two ", "three.", hold_after=2)
    async with parley.stream("POST", "/api/sessions", {"prompt": "Hi"}) as stream:
        snapshot = await stream.until("turn.snapshot")
        match_id, turn_id = snapshot["match"]["id"], snapshot["turn"]["id"]
        await stream.until_said()
        refused = await parley.vote(match_id, status=409)
        assert refused["code"] == "replies_not_complete"
        refused = await parley.post(f"/api/battles/{match_id}/messages", {"content": "Already?"}, status=409)
        assert refused["code"] == "turn_running"
        refused = await parley.post(f"/api/turns/{turn_id}/retry", status=409)
        assert refused["code"] == "turn_running"
        parley.upstream.release()
        await stream.rest()
    await parley.vote(match_id)


async def test_a_side_that_has_finished_looks_as_unfinished_as_the_other(parley: RunningParley) -> None:
    parley.upstream.reply("Done.", model="ada")
    parley.upstream.reply("Still ", "speaking.", hold_after=1, model="bob")
    draw(parley, "ada", "bob")
    async with parley.stream("POST", "/api/sessions", {"prompt": "Hi"}) as stream:
        snapshot = await stream.until("turn.snapshot")
        await stream.until_said()
        async with asyncio.timeout(40):
            while parley.upstream.streaming > 1:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        path = f"/api/turns/{snapshot['turn']['id']}"
        view = (await parley.get(path))["turn"]
        assert view["status"] == "running"
        assert [reply["status"] for reply in view["replies"]] == ["streaming"] * 2
        assert (await parley.vote(snapshot["match"]["id"], status=409))["code"] == "replies_not_complete"
        parley.upstream.release()
        assert kinds(await stream.rest())[-5:-2] == ["reply.delta", "reply.completed", "reply.completed"]


async def test_a_second_vote_gets_the_first_ones_result(parley: RunningParley) -> None:
    battle = await parley.battle()
    first = await parley.vote(battle["battle_id"], "left")
    refused = await parley.vote(battle["battle_id"], "right", status=409)
    assert (refused["code"], refused["result"]) == ("already_voted", first)


async def test_votes_that_race_are_stored_once(parley: RunningParley) -> None:
    battle = await parley.battle()
    path = f"/api/battles/{battle['battle_id']}/vote"
    answers = await asyncio.gather(
        *(parley.visitor().post(path, json={"vote": choice}) for choice in ["left", "right"] * 4)
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    won = next(answer.json() for answer in answers if answer.status_code == 200)
    assert all(answer.json()["result"] == won for answer in answers if answer.status_code == 409)


async def test_after_the_vote_a_battle_is_over(parley: RunningParley) -> None:
    battle = await parley.battle()
    await parley.vote(battle["battle_id"])
    refused = await parley.post(f"/api/battles/{battle['battle_id']}/messages", {"content": "x"}, status=409)
    assert refused["code"] == "battle_over"
    refused = await parley.post(f"/api/turns/{battle['turn_id']}/retry", status=409)
    assert refused["code"] == "battle_over"


async def test_a_chat_has_nothing_to_vote_on(parley: RunningParley) -> None:
    chat = await parley.chat()
    assert "battle_id" not in chat
    assert (await parley.vote(chat["match_id"], status=409))["code"] == "no_ballot"


async def test_the_winner_can_be_spoken_to_after_the_vote_and_knows_what_it_said(
    parley: RunningParley,
) -> None:
    for model in ("ada", "bob", "cleo"):
        parley.upstream.reply(f"I, {model}, say so.", model=model)
    battle = await parley.battle("Say something")
    path = f"/api/sessions/{battle['session_id']}/matches"
    parent = {"turn_id": battle["turn_id"], "seat": "right"}
    wanted = {"prompt": "Why?", "mode": "chat", "seats": {"assistant": "cleo"}, "continue_from": parent}
    refused = await parley.post(path, wanted, status=409)
    assert refused["code"] == "still_blind"
    await parley.vote(battle["battle_id"], "right")
    seats = await parley.seats(battle["session_id"])
    await parley.post(path, wanted)
    heard = parley.upstream.chats[-1]
    assert heard.model == "cleo"
    assert [message["content"] for message in heard.json["messages"]] == [
        "Say something",
        f"I, {seats['right']}, say so.",
        "Why?",
    ]
    view = await parley.get(f"/api/sessions/{battle['session_id']}")
    assert [record["match"]["mode"] for record in view["matches"]] == ["battle", "chat"]
    assert view["session"]["mode"] == "chat"


async def test_a_chat_goes_on_with_another_model(parley: RunningParley) -> None:
    parley.upstream.reply("From ada.", model="ada")
    chat = await parley.chat("One", "ada")
    parent = {"turn_id": chat["turn_id"], "seat": "assistant"}
    body = {"prompt": "Two", "mode": "chat", "seats": {"assistant": "bob"}, "continue_from": parent}
    await parley.post(f"/api/sessions/{chat['session_id']}/matches", body)
    heard = parley.upstream.chats[-1]
    assert heard.model == "bob"
    assert [message["content"] for message in heard.json["messages"]] == ["One", "From ada.", "Two"]
