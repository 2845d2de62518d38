"""One way through the whole contract, with texts and races that databases take differently."""

import asyncio

from parley.features.sessions.service import SessionsService
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley, kinds, read_all


@ON_EVERY_KIND
async def test_the_whole_way_of_a_session(parley: RunningParley) -> None:
    parley.upstream.reply("An ", "answer\x00.", reasoning=["Hm."])
    key = {"Idempotency-Key": "k"}
    events = await parley.events("POST", "/api/sessions", {"prompt": "Hi\x00 there"}, headers=key)
    assert kinds(events)[-2:] == ["ballot.opened", "turn.completed"]
    assert set(read_all(events).texts().values()) <= {"An answer\ufffd.", "An answer\x00."}
    match, turn = events[0]["match"], events[0]["turn"]
    same = await parley.post("/api/sessions", {"prompt": "Hi\x00 there"}, headers=key)
    assert same["turn_id"] == turn["id"]
    await parley.post("/api/sessions", {"prompt": "Other"}, 422, headers=key)
    await parley.post(f"/api/battles/{match['id']}/messages", {"content": "More"})
    path = f"/api/battles/{match['id']}/vote"
    votes = await asyncio.gather(
        *(parley.visitor().post(path, json={"vote": "left", "reason": "So\x00."}) for _ in range(6))
    )
    assert sorted(vote.status_code for vote in votes) == [200] + [409] * 5
    vote = next(vote.json() for vote in votes if vote.status_code == 200)
    assert (vote["left"]["elo_after"], vote["right"]["elo_after"]) == (1516.0, 1484.0)
    parent = {"turn_id": turn["id"], "seat": "left"}
    body = {"prompt": "Why?", "mode": "chat", "continue_from": parent, "brief": {"system_prompt": "\x00"}}
    await parley.post(f"/api/sessions/{match['session_id']}/matches", body)
    for number in range(4):
        await parley.chat(f"Chat {number}")
    seen, cursor = [], None
    while True:
        page = await parley.get(
            "/api/sessions", params={"limit": 2, **({"cursor": cursor} if cursor else {})}
        )
        seen += [card["title"] for card in page["sessions"]]
        if (cursor := page["next_cursor"]) is None:
            break
    assert seen == ["Chat 3", "Chat 2", "Chat 1", "Chat 0", "Hi\ufffd there"]
    found = await parley.get("/api/sessions", params={"search": "MORE"})
    assert [card["id"] for card in found["sessions"]] == [match["session_id"]]
    await parley.post("/api/sessions", {"prompt": "x", "mode": "m" * 300}, 422)
    await parley.get("/api/turns/%00", 404)
    await parley.get("/api/sessions/" + "x" * 300, 404)
    view = await parley.get(f"/api/sessions/{match['session_id']}")
    assert [len(record["turns"]) for record in view["matches"]] == [2, 1]
    await parley.client.delete(f"/api/sessions/{match['session_id']}")
    assert await parley.application[SessionsService].purge() == 0
    assert len((await parley.get("/api/sessions"))["sessions"]) == 4


@ON_EVERY_KIND
async def test_keys_and_follow_ups_that_race(parley: RunningParley) -> None:
    body = {"prompt": "Hi", "mode": "chat"}
    parley.upstream.reply("Slow ", "answer.", delay=0.05)
    first = await asyncio.gather(
        *(
            parley.visitor().post("/api/sessions", json=body, headers={"Idempotency-Key": "r"})
            for _ in range(5)
        )
    )
    assert {answer.json()["status"] for answer in first} == {"completed"}
    assert len({answer.json()["turn_id"] for answer in first}) == 1
    path = f"/api/matches/{first[0].json()['match_id']}/turns"
    following = await asyncio.gather(
        *(parley.visitor().post(path, json={"input": {"text": "On"}}) for _ in range(5))
    )
    assert sorted(answer.status_code for answer in following) == [200, 409, 409, 409, 409]
    assert len(parley.upstream.chats) == 2
