"""The library over HTTP: answers of trials, exports with their session, and pages without a second count."""

from typing import Any

import pytest

from tests.api.test_prompt_lab import a_plan, run_to_end
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley

SCRIPT = 'Here:\n\n```python title="late.py"\nprint(1)\n```\n\n```csv title="late.csv"\na,b\n```\n'


async def one(parley: RunningParley, **query: str) -> Any:
    """Return the only thing of the library that meets a filter."""
    response = await parley.client.get("/api/library", params=query)
    (asset,) = response.json()["assets"]
    return await parley.get(f"/api/library/{asset['id']}")


@ON_EVERY_KIND
async def test_code_of_a_trial_is_found_and_read_where_it_was_made(parley: RunningParley) -> None:
    parley.upstream.reply(SCRIPT, model="ada")
    prompt_id, plan = await a_plan(parley, "ada", count=2, first_rows=1)
    run = await run_to_end(parley, prompt_id, plan)
    page = await parley.get("/api/library?search=row+1")
    assert {each["kind"]: each["count"] for each in page["kinds"]} == {"code": 1, "table": 1}
    view = await one(parley, kind="code")
    assert (view["asset"]["origin"], view["asset"]["title"], view["asset"]["excerpt"]) == (
        "trial",
        "late.py",
        "print(1)\n",
    )
    source = view["source"]
    assert (source["prompt"], source["model"]["id"], source["session_id"]) == ("Sum up: Row 1", "ada", None)
    assert source["cost_micros"] is not None
    cell = {
        "prompt_id": prompt_id,
        "prompt_name": "Sum up",
        "run_id": run["id"],
        "run": 1,
        "row": 1,
        "version": 1,
    }
    assert source["cell"] == cell
    assert (await parley.client.get(f"/api/library/{view['asset']['id']}/content")).text == "print(1)\n"

    await parley.client.patch(f"/api/prompts/{prompt_id}", json={"name": "Renamed"})
    assert (await one(parley, kind="code"))["source"]["cell"]["prompt_name"] == "Renamed"
    await run_to_end(parley, prompt_id, plan)
    assert (await parley.get("/api/library"))["total"] == 2, "the same trial is not collected again"


async def test_an_answer_that_is_kept_survives_its_run(parley: RunningParley) -> None:
    parley.upstream.reply("It was fine.", model="ada")
    prompt_id, plan = await a_plan(parley, "ada", count=1)
    run = await run_to_end(parley, prompt_id, plan)
    place = {"row": 1, "version": 1, "model": "ada"}
    kept = await parley.post(f"/api/lab/runs/{run['id']}/keep", place)
    assert (await parley.post(f"/api/lab/runs/{run['id']}/keep", place))["id"] == kept["id"]
    assert (kept["origin"], kept["kind"], kept["title"]) == ("trial", "text", "Sum up: Row 1")
    view = await one(parley, search="sum")
    assert view["asset"]["excerpt"] == "It was fine."
    await parley.client.delete(f"/api/lab/runs/{run['id']}")
    view = await one(parley)
    assert (view["source"]["cell"], view["source"]["model"]["id"]) == (None, "ada")
    content = await parley.client.get(f"/api/library/{kept['id']}/content")
    assert (content.text, "Sum%20up%3A%20Row%201.md" in content.headers["content-disposition"]) == (
        "It was fine.",
        True,
    )
    missing = await parley.post(f"/api/lab/runs/{run['id']}/keep", place, status=404)
    assert missing["code"] == "not_found"


@pytest.mark.databases("sqlite")
async def test_a_failed_answer_is_not_kept(parley: RunningParley) -> None:
    parley.upstream.fail(model="ada", status=400)
    prompt_id, plan = await a_plan(parley, "ada", count=1)
    run = await run_to_end(parley, prompt_id, plan)
    problem = await parley.post(
        f"/api/lab/runs/{run['id']}/keep", {"row": 1, "version": 1, "model": "ada"}, status=404
    )
    assert problem["title"] == "There is no answer here yet."
    assert (await parley.get("/api/library"))["total"] == 0


@ON_EVERY_KIND
async def test_an_export_leads_to_its_session_and_survives_it(parley: RunningParley) -> None:
    turn = await parley.chat("Write a script.")
    session = turn["session_id"]
    await parley.post("/api/library/exports", {"session_id": session})
    page = await parley.client.post(
        "/api/library",
        params={"name": "page.html", "origin": "export", "session": session},
        content=b"<p>Hi</p>",
        headers={"Content-Type": "application/octet-stream"},
    )
    assert page.status_code == 200, page.text
    assets = (await parley.get("/api/library"))["assets"]
    sources = [(await parley.get(f"/api/library/{each['id']}"))["source"] for each in assets]
    title = (await parley.get(f"/api/sessions/{session}"))["session"]["title"]
    assert [(it["session_id"], it["session_title"], it["turn_id"]) for it in sources] == [
        (session, title, None)
    ] * 2
    await parley.client.delete(f"/api/sessions/{session}")
    left = (await parley.get("/api/library"))["assets"]
    assert [each["id"] for each in left] == [each["id"] for each in assets]
    assert (await parley.get(f"/api/library/{assets[0]['id']}"))["source"] is None


@ON_EVERY_KIND
async def test_only_the_first_page_counts(parley: RunningParley) -> None:
    blocks = "".join(f'```python title="late_{number}.py"\nprint({number})\n```\n\n' for number in range(5))
    parley.upstream.reply(blocks + '```csv title="late.csv"\na,b\n```\n', model="ada")
    await parley.chat("Write scripts.")
    first = await parley.get("/api/library?limit=4&kind=code")
    assert (first["total"], first["kinds"]) == (
        5,
        [{"kind": "code", "count": 5}, {"kind": "table", "count": 1}],
    )
    rest = await parley.get(f"/api/library?limit=4&kind=code&cursor={first['next_cursor']}")
    assert (len(rest["assets"]), rest["total"], rest["size"], rest["kinds"]) == (1, None, None, [])
    # A page that is not full is counted itself: the same figures as of a search.
    whole = await parley.get("/api/library?kind=code&search=scripts")
    assert {each["kind"]: each["count"] for each in whole["kinds"]} == {"code": 5, "table": 1}
    assert (whole["total"], whole["size"]) == (first["total"], first["size"])
