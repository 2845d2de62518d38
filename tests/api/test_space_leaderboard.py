"""Tests of the leaderboard of a workspace: the votes in its sessions alone."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.api.test_workspaces import a_workspace, enter, leave
from tests.fakes.people import Person, SharedParley, a_shared_parley, hash_quickly

BOARD = "/api/leaderboard/space?min_votes=1"


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncGenerator[SharedParley]:
    async with a_shared_parley(tmp_path) as shared:
        yield shared


async def vote(person: Person, choice: str, prompt: str) -> dict[str, Any]:
    """Vote in a new battle; return the model that sat on each side."""
    battle = await person.send("POST", "/api/sessions", {"prompt": prompt, "mode": "battle"})
    voted = await person.send("POST", f"/api/matches/{battle['match_id']}/vote", {"vote": choice})
    return {side: seat["model_id"] for side, seat in voted["seats"].items()}


async def test_a_workspace_has_a_table_of_its_own_votes(shared: SharedParley) -> None:
    ana, jonas, mei = shared.administrator, await shared.person("Jonas"), await shared.person("Mei")
    space = await a_workspace(ana, Jonas="viewer")
    await vote(ana, "right", "Mine alone")
    enter(ana, space)
    enter(jonas, space)
    seats = await vote(ana, "left", "Ours")
    board = await jonas.get(BOARD)
    lines = {line["model"]["id"]: line for line in board["lines"]}
    assert (board["votes"], set(lines)) == (1, set(seats.values()))
    assert lines[seats["left"]]["rating"] > lines[seats["right"]]["rating"]
    assert all(line["provisional"] for line in lines.values()), "one vote decides nothing"
    overall = next(each for each in board["categories"] if each["id"] == "overall")
    assert (overall["votes"], board["worker"]["pending"]) == (1, 0)
    leave(ana)
    assert (await ana.get(BOARD))["votes"] == 1, "her own space"
    assert (await mei.get(BOARD))["lines"] == []
    enter(mei, space)
    await mei.get(BOARD, status=403)


async def test_a_session_takes_its_votes_to_the_workspace_that_it_moves_to(shared: SharedParley) -> None:
    ana = shared.administrator
    battle = await ana.send("POST", "/api/sessions", {"prompt": "Whose?", "mode": "battle"})
    await ana.send("POST", f"/api/matches/{battle['match_id']}/vote", {"vote": "tie"})
    space = await a_workspace(ana)
    await ana.send("POST", f"/api/workspaces/of/{battle['session_id']}", {"workspace_id": space}, status=204)
    assert (await ana.get(BOARD))["votes"] == 0
    enter(ana, space)
    assert (await ana.get(BOARD))["votes"] == 1


async def test_votes_that_do_not_count_are_named_beside_the_table(shared: SharedParley) -> None:
    ana = shared.administrator
    seats = await vote(ana, "left", "Which one are you?")
    voted = (await ana.get("/api/votes"))["votes"][0]
    await ana.send("POST", f"/api/votes/{voted['vote_id']}/withdraw")
    board = await ana.get(BOARD)
    assert (board["votes"], board["lines"], len(seats)) == (0, [], 2)
    assert board["uncounted"] == [{"reason": "withdrawn", "votes": 1}]


async def test_an_unknown_category_is_named(shared: SharedParley) -> None:
    refused = await shared.administrator.get(f"{BOARD}&category=codding", status=422)
    assert "coding" in refused["title"]
