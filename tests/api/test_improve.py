"""Improve over HTTP: a search that finds a planted better prompt, within its budget and cap, and survives a restart."""

import asyncio
import re
from collections import Counter
from typing import Any

import pytest

from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley
from tests.fakes.upstream import Request

PLANTED = "Add the numbers carefully."
CHECKS = [{"kind": "contains", "values": ["{{expected}}"], "label": "Right sum"}]
TRAINING, VALIDATION, HELD_OUT = 6, 6, 12


def answer(request: Request) -> str:
    """Add two numbers, rightly in one of three cases unless the planted words are there; reflect with these words."""
    prompt = request.json["messages"][-1]["content"]
    if "how they were judged" in prompt:
        return f"```\n{PLANTED} What is {{{{sum}}}}?\n```"
    one, other = map(int, re.findall(r"\d+", prompt)[:2])
    right = PLANTED in prompt or one % 3 == 0
    return f"It is {one + other if right else 'unknown'}."


def rows_of(first: int, count: int, split: str) -> list[dict[str, Any]]:
    return [
        {"fields": {"sum": f"{at} + 5000"}, "expected": str(at + 5000), "split": split}
        for at in range(first, first + count)
    ]


async def a_plan(parley: RunningParley, **more: Any) -> tuple[str, dict[str, Any]]:
    """Return a prompt's id and the plan of a search for a better one; the model is asked for sums."""
    parley.upstream.answers_by(answer)
    messages = [{"role": "user", "text": "What is {{sum}}?"}]
    prompt = await parley.post("/api/prompts", {"name": "Sums", "messages": messages, "checks": CHECKS})
    rows = [
        *rows_of(100, TRAINING, "train"),
        *rows_of(200, VALIDATION, "validation"),
        *rows_of(300, HELD_OUT, "holdout"),
    ]
    dataset = await parley.post("/api/lab/datasets", {"name": "Numbers", "rows": rows})
    plan = {"version": 1, "model": "ada", "reflector": "bob", "dataset": dataset["dataset"]["id"], **more}
    return prompt["prompt"]["id"], plan


async def ended(parley: RunningParley, improvement_id: str, within: float = 40) -> Any:
    """Return a search that has ended, with its candidates."""
    path = f"/api/lab/improvements/{improvement_id}"
    async with asyncio.timeout(within):
        while (detail := await parley.get(path))["improvement"]["status"] == "running":  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return detail


async def search(parley: RunningParley, prompt_id: str, plan: dict[str, Any]) -> Any:
    started = await parley.post(f"/api/prompts/{prompt_id}/improvements", plan)
    return await ended(parley, started["id"])


def asked(parley: RunningParley, model: str) -> list[str]:
    return [it.json["messages"][-1]["content"] for it in parley.upstream.chats if it.model == model]


@ON_EVERY_KIND
async def test_a_planted_better_prompt_is_found_measured_and_saved(parley: RunningParley) -> None:
    prompt_id, plan = await a_plan(parley, target=0.99)
    quote = await parley.post(f"/api/prompts/{prompt_id}/improvements/quote", plan)
    assert (quote["training"], quote["validation"], quote["holdout"]) == (TRAINING, VALIDATION, HELD_OUT)
    assert (quote["answers"], quote["least_answers"], quote["holdout_answers"]) == (84, 42, 24)
    assert not parley.upstream.chats
    detail = await search(parley, prompt_id, plan)
    view, (first, *others) = detail["improvement"], detail["candidates"]
    assert (view["status"], view["result"]["best"], first["state"]) == ("completed", 1, "first")
    assert (others[0]["state"], others[0]["parents"], others[0]["score"]) == ("best", [0], 1)
    assert others[0]["messages"] == [{"role": "user", "text": f"{PLANTED} What is {{{{sum}}}}?"}]
    assert view["result"]["rows"] == HELD_OUT
    assert re.match(r"\+66.7 points, 95% interval \d.*, on 12 unseen rows\.", view["result"]["sentence"])
    assert len(asked(parley, "ada")) <= quote["answers"] + quote["holdout_answers"]
    assert len(asked(parley, "bob")) <= quote["reflections"]
    saved = await parley.post(f"/api/lab/improvements/{view['id']}/save", {})
    newest = saved["versions"][0]
    assert (newest["number"], newest["parent"], newest["messages"]) == (2, 1, others[0]["messages"])
    assert newest["note"].startswith("Candidate 1 of improvement 1: +66.7 points")
    assert (await ended(parley, view["id"]))["candidates"][1]["version"] == 2
    # The answers of a search are those of runs: the saved version costs nothing more on these rows.
    run = {"versions": [1, 2], "models": ["ada"], "dataset": plan["dataset"], "splits": ["holdout"]}
    assert (await parley.post(f"/api/prompts/{prompt_id}/quote", run))["calls"] == 0


async def test_rows_held_out_are_in_no_reflectors_prompt(parley: RunningParley) -> None:
    prompt_id, plan = await a_plan(parley, target=0.99)
    await search(parley, prompt_id, plan)
    reflected = "\n".join(asked(parley, "bob"))
    numbers = {int(number) for number in re.findall(r"(\d+) \+ 5000", reflected)}
    assert numbers
    assert numbers <= set(range(100, 100 + TRAINING)), "only rows for training are shown"


async def test_a_search_without_success_says_so_and_leaves_the_rows_held_out_alone(
    parley: RunningParley,
) -> None:
    prompt_id, plan = await a_plan(parley, patience=2)
    parley.upstream.answers_by(lambda request: "```\nWhat is it?\n```" if request.model == "bob" else "?")
    detail = await search(parley, prompt_id, plan)
    result = detail["improvement"]["result"]
    assert (result["best"], result["rows"], result["difference"]) == (0, 0, None)
    assert result["sentence"].startswith("No better prompt was found with ")
    assert not any(f"{at} + 5000" in each for at in range(300, 312) for each in asked(parley, "ada"))
    problem = await parley.post(f"/api/lab/improvements/{detail['improvement']['id']}/save", {}, status=422)
    assert problem["title"] == "This search has found no better prompt."


@pytest.mark.parametrize(
    ("more", "splits", "code", "title"),
    [
        ({"answers": 41}, {}, "budget_too_small", "41 answers are too few: 42 are the least"),
        ({"checks": []}, {}, "invalid_input", "Improve needs a check that decides without a person."),
        ({}, {"train": 1.0, "validation": 0.0, "holdout": 0.0}, "invalid_input", "“Numbers” has 24 rows"),
        ({"reflector": "nobody"}, {}, "model_not_found", "There is no model “nobody”."),
    ],
)
async def test_what_makes_no_sense_is_refused_in_words_and_asks_nothing(
    parley: RunningParley, more: dict[str, Any], splits: dict[str, float], code: str, title: str
) -> None:
    prompt_id, plan = await a_plan(parley, **more)
    if splits:
        await parley.post(f"/api/lab/datasets/{plan['dataset']}/split", splits)
    for path in ("improvements/quote", "improvements"):
        problem = await parley.post(f"/api/prompts/{prompt_id}/{path}", plan, status=422)
        assert problem["code"] == code
        assert problem["title"].startswith(title)
    assert (await parley.get("/api/lab/improvements"))["improvements"] == []
    assert not parley.upstream.chats


async def test_a_cap_holds_and_a_higher_one_goes_on_without_asking_again(parley: RunningParley) -> None:
    prompt_id, plan = await a_plan(parley, target=0.99, cap_usd=0.012)
    capped = await search(parley, prompt_id, plan)
    view = capped["improvement"]
    assert view["status"] == "capped"
    assert view["spent_usd"] <= 0.012
    assert "cap" in view["problem"]["title"]
    resumed = await parley.post(f"/api/lab/improvements/{view['id']}/resume", {"cap_usd": None})
    after = (await ended(parley, resumed["id"]))["improvement"]
    assert (after["status"], after["result"]["best"]) == ("completed", 1)
    assert Counter(asked(parley, "ada")).most_common(1)[0][1] == 1, "nothing recorded is asked again"


async def test_a_paused_search_lets_calls_end_and_goes_on_where_it_stopped(parley: RunningParley) -> None:
    prompt_id, plan = await a_plan(parley, target=0.99, parallel=2)
    parley.upstream.reply("It is unknown.", model="ada", hold_after=0)
    started = await parley.post(f"/api/prompts/{prompt_id}/improvements", plan)
    path = f"/api/lab/improvements/{started['id']}"
    await parley.upstream.wait_for_requests(2)
    assert (await parley.post(f"{path}/pause"))["status"] == "paused"
    parley.upstream.release()
    async with asyncio.timeout(40):
        while (await parley.get(path))["improvement"]["progress"]["running"]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert len(parley.upstream.chats) == 2
    parley.upstream.drop("ada")
    await parley.post(f"{path}/resume", {})
    assert (await ended(parley, started["id"]))["improvement"]["status"] == "completed"
    assert Counter(asked(parley, "ada")).most_common(1)[0][1] == 1


async def test_a_cancelled_search_keeps_its_candidates_and_a_deleted_one_is_gone(
    parley: RunningParley,
) -> None:
    prompt_id, plan = await a_plan(parley)
    parley.upstream.reply("Never ", "whole.", model="bob", hold_after=1)
    started = await parley.post(f"/api/prompts/{prompt_id}/improvements", plan)
    path = f"/api/lab/improvements/{started['id']}"
    async with asyncio.timeout(40):
        while not (await parley.get(path))["candidates"]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert (await parley.post(f"{path}/cancel"))["status"] == "cancelled"
    await parley.upstream.wait_until_idle(20)
    detail = await parley.get(path)
    assert [it["state"] for it in detail["candidates"]] == ["first"]
    listed = (await parley.get("/api/lab/improvements", params={"prompt": prompt_id}))["improvements"]
    assert [(it["number"], it["status"]) for it in listed] == [(1, "cancelled")]
    assert (await parley.client.delete(path)).status_code == 204
    await parley.get(path, status=404)
    parley.upstream.release()


async def test_an_outage_ends_a_search_with_its_cause(parley: RunningParley) -> None:
    prompt_id, plan = await a_plan(parley)
    parley.upstream.fail(400, "no such model here", model="ada")
    view = (await search(parley, prompt_id, plan))["improvement"]
    assert view["status"] == "failed"
    assert view["problem"]["title"].startswith("5 answers in a row failed: ")
    assert view["result"]["sentence"].startswith("The search stopped early: 5 answers in a row failed")


async def test_calls_of_a_search_are_in_the_ledger_with_their_purpose(parley: RunningParley) -> None:
    prompt_id, plan = await a_plan(parley, target=0.99)
    await search(parley, prompt_id, plan)
    from sqlalchemy import func, select

    from parley.storage.database import Database, Transaction
    from parley.storage.tables.bookkeeping import CallRow

    def read(transaction: Transaction) -> dict[str, int]:
        query = select(CallRow.c.purpose, func.count()).group_by(CallRow.c.purpose)
        return {row[0]: row[1] for row in transaction.execute(query)}

    purposes = await parley.application[Database].read(read)
    assert purposes == {"lab": len(asked(parley, "ada")), "lab_reflect": len(asked(parley, "bob"))}
