"""Tests of the public prior over HTTP: an operator sets it, everybody sees it on the board, and it goes again."""

from typing import Any

from tests.api.test_leaderboard import counted, settled, table_where
from tests.fakes.running import RunningParley

COUNTS = b"model_a,model_b,wins_a,wins_b,ties\nada,bob,90,10,0\nCleo!,bob,10,80,10\ncleo,zed,5,5,0\n"
FILE = {"Content-Type": "application/octet-stream"}
ADDRESS = "/api/leaderboard/prior"


async def put(parley: RunningParley, asked: str, content: bytes = COUNTS) -> tuple[int, Any]:
    response = await parley.client.put(f"{ADDRESS}?{asked}", content=content, headers=FILE)
    return response.status_code, response.json()


async def test_a_board_says_what_it_starts_from(parley: RunningParley) -> None:
    await counted(parley, 200)
    before = await parley.get("/api/leaderboard")
    assert before["prior"] is None
    assert (await parley.get(ADDRESS)) == {"prior": None}
    asked = "name=public.csv&weight=50&source=The%20arena&map=Cleo!%3Dcleo"
    status, found = await put(parley, asked)
    assert status == 200, found
    assert (found["prior"]["usable"], found["prior"]["published"]) == (200.0, 210.0)
    assert found["prior"]["unmatched"] == [{"name": "zed", "votes": 10.0}]
    await settled(parley)
    board = await table_where(parley, "", lambda table: (table["prior"] or {}).get("forecast") is not None)
    assert board["lines"] != before["lines"]
    assert (board["prior"]["source"], board["prior"]["weight"]) == ("The arena", 50.0)
    assert (board["prior"]["in_use"], board["prior"]["own_votes"]) == (50.0, board["votes"])
    assert board["prior"]["forecast"]["verdict"] in ("helps", "harms", "unclear")
    assert [line["votes"] for line in board["lines"]] != [0] * len(board["lines"])
    for other in ("category=coding", "method=elo", "style_control=true"):
        assert (await parley.get(f"/api/leaderboard?{other}"))["prior"] is None
    removed = await parley.client.delete(ADDRESS)
    assert (removed.status_code, removed.json()) == (200, {"prior": None})
    await settled(parley)
    after = await parley.get("/api/leaderboard")
    assert [line["rating"] for line in after["lines"]] == [line["rating"] for line in before["lines"]]
    again = await parley.client.delete(ADDRESS)
    assert (again.status_code, again.json()["code"]) == (404, "no_public_prior")


async def test_what_is_refused_changes_nothing(parley: RunningParley) -> None:
    await counted(parley, 20)
    refused: list[tuple[str, bytes, str, str]] = [
        ("name=x.csv&weight=500", COUNTS, "weight", "invalid_input"),
        ("name=x.csv&weight=0", COUNTS, "weight", "invalid_input"),
        ("name=x.csv", COUNTS, "weight", "invalid_input"),
        ("weight=5", COUNTS, "format", "invalid_input"),
        ("name=x.csv&weight=5&map=ada", COUNTS, "map", "invalid_input"),
        ("name=x.csv&weight=5&wait=1", COUNTS, "wait", "invalid_input"),
        ("name=x.csv&weight=5", COUNTS.replace(b"90", b"ninety"), "file", "bad_published_results"),
        ("name=x.csv&weight=5", COUNTS.replace(b"bob", b"eve"), "file", "no_published_results"),
    ]
    for asked, content, field, code in refused:
        status, problem = await put(parley, asked, content)
        assert (status, problem["field"], problem["code"]) == (422, field, code), problem
    assert (
        "x.csv:2: wins_a"
        in (await put(parley, "name=x.csv&weight=5", COUNTS.replace(b"90", b"no")))[1]["title"]
    )
    no_file = await parley.client.put(f"{ADDRESS}?name=x.csv&weight=5", json={})
    assert no_file.status_code == 415
    assert (await parley.get(ADDRESS)) == {"prior": None}
