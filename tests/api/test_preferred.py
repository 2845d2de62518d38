"""Which models a person prefers, over HTTP: from blind votes and preferences that stand, and nobody else's."""

from tests.fakes.running import RunningParley


async def test_votes_and_preferences_that_stand_are_counted(parley: RunningParley) -> None:
    assert await parley.get("/api/votes/preferred") == {"preferred": []}
    seats = {"one": "ada", "two": "bob"}
    for _ in range(7):
        outcome = await parley.post("/api/sessions", {"prompt": "Hi", "mode": "compare", "seats": seats})
        match = outcome["match_id"]
        await parley.post(f"/api/matches/{match}/vote", {"vote": "two"})
        await parley.post(f"/api/matches/{match}/vote", {"vote": "one"})  # a change of mind
    found = (await parley.get("/api/votes/preferred"))["preferred"]
    assert found[0] == {"category": "overall", "model_id": "ada", "preferred": 7, "of": 7}
