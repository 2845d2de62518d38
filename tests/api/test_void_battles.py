"""A void battle is listed as void, and names who failed once the next battle has been voted on."""

from tests.fakes.draws import draw
from tests.fakes.running import RunningParley


async def test_a_void_battle_names_who_failed_once_the_next_one_is_revealed(parley: RunningParley) -> None:
    parley.upstream.fail(400, "No such thing", model="ada")
    draw(parley, "ada", "bob")
    void = (await parley.client.post("/api/sessions", json={"prompt": "Hi"})).json()
    session, turn = void["session_id"], void["turn_id"]
    assert (await parley.get("/api/sessions"))["sessions"][0]["void"] is True
    failures = f"/api/turns/{turn}/failures"
    assert (await parley.get(failures, 409))["code"] == "still_blind"
    parley.upstream.forget()
    parley.upstream.reply("Well.")
    draw(parley, "bob", "cleo")
    again = (await parley.client.post(f"/api/sessions/{session}/battles", json={"prompt": "Hi"})).json()
    assert (await parley.get("/api/sessions"))["sessions"][0]["void"] is False
    assert (await parley.get(failures, 409))["code"] == "still_blind", "the next battle is blind"
    await parley.post(f"/api/battles/{again['battle_id']}/vote", {"vote": "left"})
    (failure,) = (await parley.get(failures))["failures"]
    assert failure["model"]["id"] == "ada"
    assert "No such thing" in f"{failure['problem']['title']} {failure['problem']['detail']}"
    assert (await parley.get(f"/api/turns/{again['turn_id']}/failures", 409))["code"] == "not_void"
