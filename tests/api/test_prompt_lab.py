"""The Prompt Lab over HTTP: prompts in versions, data sets, and runs that ask only for what is missing."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from parley.features.lab.improve import from_battles, improving, loading
from tests.api.test_callers import add_somebody, everyone_is
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley
from tests.fakes.upstream import Request

CHECKS = [{"kind": "contains", "values": ["{{expected}}"], "ignore_case": True}]


async def a_prompt(parley: RunningParley, name: str = "Sum up", text: str = "Sum up: {{text}}") -> Any:
    body = {"name": name, "messages": [{"role": "user", "text": text}], "checks": CHECKS}
    return await parley.post("/api/prompts", body)


async def a_dataset(parley: RunningParley, count: int = 3, name: str = "Weather") -> Any:
    rows = [{"fields": {"text": f"Row {number}"}, "expected": "fine"} for number in range(1, count + 1)]
    return await parley.post("/api/lab/datasets", {"name": name, "rows": rows})


async def a_plan(
    parley: RunningParley, *models: str, count: int = 3, **more: Any
) -> tuple[str, dict[str, Any]]:
    """Return a new prompt's id, and a plan of a run."""
    prompt, dataset = await a_prompt(parley), await a_dataset(parley, count)
    plan = {"versions": [1], "models": list(models or ("ada",)), "dataset": dataset["dataset"]["id"], **more}
    return prompt["prompt"]["id"], plan


async def ended(parley: RunningParley, run_id: str, within: float = 30) -> Any:
    """Return a run that has ended."""
    async with asyncio.timeout(within):
        while (run := await parley.get(f"/api/lab/runs/{run_id}"))["status"] == "running":  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return run


async def run_to_end(parley: RunningParley, prompt_id: str, plan: dict[str, Any]) -> Any:
    run = await parley.post(f"/api/prompts/{prompt_id}/runs", plan)
    return await ended(parley, run["id"])


def asked(parley: RunningParley) -> Counter[str | None]:
    return Counter(request.model for request in parley.upstream.chats)


@ON_EVERY_KIND
async def test_versions_are_saved_compared_labelled_restored_and_forked(parley: RunningParley) -> None:
    first = await a_prompt(parley)
    path = f"/api/prompts/{first['prompt']['id']}"
    second = await parley.post(
        f"{path}/versions", {"messages": [{"role": "user", "text": "Briefly: {{text}}"}], "note": "Shorter"}
    )
    assert [(it["number"], it["parent"], it["note"]) for it in second["versions"]] == [
        (2, 1, "Shorter"),
        (1, None, ""),
    ]
    assert second["prompt"]["text"] == "Briefly: {{text}}"
    again = await parley.post(
        f"{path}/versions", {"messages": [{"role": "user", "text": "Briefly: {{text}}"}]}
    )
    assert again["prompt"]["newest"] == 2, "the same body is no new version"
    labelled = (await parley.client.put(f"{path}/labels/production", json={"version": 1})).json()
    assert (labelled["prompt"]["labels"], labelled["prompt"]["text"]) == (
        {"production": 1},
        "Sum up: {{text}}",
    )
    restored = await parley.post(f"{path}/restore", {"version": 1})
    hashes = [it["sha256"] for it in restored["versions"]]
    assert (restored["prompt"]["newest"], hashes[0]) == (3, hashes[2])
    fork = await parley.post(f"{path}/fork", {"name": "Other", "version": 2})
    assert fork["versions"][0]["note"] == "Forked from Sum up v2"
    assert fork["prompt"]["checks"] == first["prompt"]["checks"] != []
    assert (await parley.client.delete(path)).status_code == 204
    assert [it["name"] for it in (await parley.get("/api/prompts"))["prompts"]] == ["Other"]


async def test_a_name_is_taken_once(parley: RunningParley) -> None:
    await a_prompt(parley)
    body = {"name": "Sum up", "messages": [{"role": "user", "text": "x"}]}
    assert (await parley.post("/api/prompts", body, status=409))["code"] == "prompt_exists"


async def test_a_prompt_comes_back_from_markdown_as_it_was(parley: RunningParley) -> None:
    body = {
        "name": "Odd one",
        "model": "ada",
        "messages": [
            {"role": "system", "text": "Say:\n# user\n---\n\\# system"},
            {"role": "user", "text": "{{x}} in {{words}} words"},
        ],
        "variables": [{"name": "words", "kind": "number", "least": 5, "most": 80, "default": "30"}],
        "options": {"temperature": 0.2},
        "checks": CHECKS,
    }
    saved = await parley.post("/api/prompts", body)
    path = f"/api/prompts/{saved['prompt']['id']}"
    markdown = (await parley.client.get(f"{path}/markdown")).text
    await parley.client.delete(path)
    back = await parley.post("/api/prompts/import", {"markdown": markdown})
    assert back["versions"][0]["sha256"] == saved["versions"][0]["sha256"]
    assert back["prompt"]["checks"] == saved["prompt"]["checks"]
    assert back["prompt"]["model"] == "ada"


async def test_markdown_that_cannot_be_read_says_where(parley: RunningParley) -> None:
    problem = await parley.post("/api/prompts/import", {"markdown": "---\nname: [\n---\nx"}, status=422)
    assert "line" in problem["title"]


async def test_a_data_set_takes_rows_by_hand_and_from_files_and_keeps_its_versions(
    parley: RunningParley,
) -> None:
    made = await a_dataset(parley, 1)
    path = f"/api/lab/datasets/{made['dataset']['id']}"
    csv = 'text,expected,split\n"a, b",yes,train\nc,no,test\n'
    more = await parley.post(f"{path}/file", {"format": "csv", "text": csv})
    assert [(it["fields"]["text"], it["expected"], it["split"]) for it in more["rows"]] == [
        ("Row 1", "fine", "validation"),
        ("a, b", "yes", "train"),
        ("c", "no", "holdout"),
    ]
    lines = '{"text": "d", "tags": ["x", "y"]}\n'
    more = await parley.post(f"{path}/file", {"format": "jsonl", "text": lines})
    assert more["columns"] == ["text", "tags"]
    assert (more["dataset"]["number"], more["dataset"]["rows"]) == (3, 4)
    bad = await parley.post(f"{path}/file", {"format": "csv", "text": "a,b\n1\n"}, status=422)
    assert bad["title"].startswith("Line 2:")
    row_id = more["rows"][0]["id"]
    changed = await parley.client.put(f"{path}/rows/{row_id}", json={"fields": {"text": "New"}})
    assert changed.json()["rows"][0]["fields"] == {"text": "New"}
    gone = await parley.client.put(f"{path}/rows/{row_id}", json={"fields": {"text": "Newer"}})
    assert gone.status_code == 404
    hashes = more["dataset"]["sha256"], changed.json()["dataset"]["sha256"]
    assert hashes[0] != hashes[1]


async def test_a_split_is_made_again_the_same(parley: RunningParley) -> None:
    made = await a_dataset(parley, 20)
    path = f"/api/lab/datasets/{made['dataset']['id']}/split"
    shares = {"train": 0.5, "validation": 0.3, "holdout": 0.2}
    first = await parley.post(path, shares)
    assert first["dataset"]["splits"] == {"train": 10, "validation": 6, "holdout": 4}
    assert (await parley.post(path, shares))["dataset"]["sha256"] == first["dataset"]["sha256"]


async def test_a_question_of_a_session_becomes_a_row(parley: RunningParley) -> None:
    talk, made = await parley.chat("Why is it blue?"), await a_dataset(parley, 1)
    path = f"/api/lab/datasets/{made['dataset']['id']}/turns"
    rows = (await parley.post(path, {"turn_id": talk["turn_id"], "variable": "text"}))["rows"]
    assert rows[-1]["fields"] == {"text": "Why is it blue?"}
    await parley.post(path, {"turn_id": "0" * 32, "variable": "text"}, status=422)


async def test_a_run_asks_every_cell_once_and_reports_with_intervals(parley: RunningParley) -> None:
    parley.upstream.reply("All fine.", model="ada")
    parley.upstream.reply("No idea.", model="bob")
    prompt_id, plan = await a_plan(parley, "ada", "bob")
    quote = await parley.post(f"/api/prompts/{prompt_id}/quote", plan)
    assert (quote["cells"], quote["calls"], quote["recorded"]) == (6, 6, 0)
    assert 0 < quote["cost_usd_least"] < quote["cost_usd_most"] < quote["bound_usd"]
    assert parley.upstream.chats == []
    run = await run_to_end(parley, prompt_id, plan)
    assert (run["status"], run["progress"]["completed"]) == ("completed", 6)
    assert asked(parley) == {"ada": 3, "bob": 3}
    report = await parley.get(f"/api/lab/runs/{run['id']}/report")
    assert [(it["model"], it["mean"], it["answers"]) for it in report["columns"]] == [
        ("ada", 1.0, 3),
        ("bob", 0.0, 3),
    ]
    assert report["rows"][0]["cells"] == [["completed", 1.0, [True]], ["completed", 0.0, [False]]]
    assert report["sentence"].startswith("ada beats bob by +100.0 points (95%")
    where = {"row": 1, "version": 1, "model": "bob"}
    cell = await parley.get(f"/api/lab/runs/{run['id']}/cell", params=where)
    assert (cell["trials"][0]["text"], cell["prompt"][0]["text"]) == ("No idea.", "Sum up: Row 1")
    csv = (await parley.client.get(f"/api/lab/runs/{run['id']}/csv")).text
    assert csv.count("All fine.") == 3


@ON_EVERY_KIND
async def test_adding_a_model_a_row_and_a_repeat_asks_only_new_cells(parley: RunningParley) -> None:
    prompt_id, plan = await a_plan(parley, "ada")
    run = await run_to_end(parley, prompt_id, plan)
    assert asked(parley) == {"ada": 3}
    path = f"/api/lab/runs/{run['id']}"
    await parley.client.patch(path, json={"models": ["ada", "bob"]})
    assert (await ended(parley, run["id"]))["progress"]["completed"] == 6
    assert asked(parley) == {"ada": 3, "bob": 3}
    rows = {"rows": [{"fields": {"text": "One more"}}]}
    await parley.post(f"/api/lab/datasets/{plan['dataset']}/rows", rows)
    await parley.client.patch(path, json={"newest_rows": True})
    await ended(parley, run["id"])
    assert asked(parley) == {"ada": 4, "bob": 4}
    await parley.client.patch(path, json={"repeats": 2})
    await ended(parley, run["id"])
    assert asked(parley) == {"ada": 8, "bob": 8}
    another = await run_to_end(parley, prompt_id, {**plan, "models": ["ada", "bob"], "repeats": 2})
    assert (another["spent_usd"], another["progress"]["recorded"]) == (0, 16)
    assert sum(asked(parley).values()) == 16, "another run of the same cells asks nothing"


async def test_a_failed_trial_is_visible_counts_as_planned_and_is_asked_again(parley: RunningParley) -> None:
    parley.upstream.fail(400, model="ada").reply("All fine.", model="ada")
    prompt_id, plan = await a_plan(parley, "ada", parallel=1)
    run = await run_to_end(parley, prompt_id, plan)
    assert (run["status"], run["progress"]["failed"]) == ("completed", 1)
    report = await parley.get(f"/api/lab/runs/{run['id']}/report")
    column = report["columns"][0]
    assert (column["failed"], column["rows"], column["mean"]) == (1, 3, pytest.approx(2 / 3))
    cell = await parley.get(
        f"/api/lab/runs/{run['id']}/cell", params={"row": 1, "version": 1, "model": "ada"}
    )
    assert cell["trials"][0]["error"]["title"]
    await parley.client.patch(f"/api/lab/runs/{run['id']}", json={"failed": "exclude"})
    await ended(parley, run["id"])
    column = (await parley.get(f"/api/lab/runs/{run['id']}/report"))["columns"][0]
    assert (column["failed"], column["rows"], column["mean"]) == (0, 3, 1.0)
    assert asked(parley) == {"ada": 4}


@ON_EVERY_KIND
async def test_the_cap_is_never_passed(parley: RunningParley) -> None:
    parley.upstream.reply(
        "All fine.",
        model="ada",
        usage={"prompt_tokens": 1000, "completion_tokens": 2000, "total_tokens": 3000},
    )
    prompt_id, plan = await a_plan(parley, "ada", count=20, parallel=5)
    run = await run_to_end(parley, prompt_id, {**plan, "cap_usd": 0.02})
    assert run["status"] == "capped"
    assert 0 < run["spent_usd"] <= 0.02
    count = len(parley.upstream.chats)
    assert 0 < count < 20
    await parley.client.patch(f"/api/lab/runs/{run['id']}", json={"cap_usd": None})
    assert (await ended(parley, run["id"]))["progress"]["completed"] == 20
    assert len(parley.upstream.chats) == 20


async def test_a_paused_run_keeps_what_was_in_flight_and_resumes_with_the_rest(parley: RunningParley) -> None:
    parley.upstream.reply("All", " fine.", model="ada", hold_after=1, times=2).reply("All fine.", model="ada")
    prompt_id, plan = await a_plan(parley, "ada", count=6, parallel=2)
    run = await parley.post(f"/api/prompts/{prompt_id}/runs", plan)
    await parley.upstream.wait_for_requests(2)
    paused = await parley.post(f"/api/lab/runs/{run['id']}/pause")
    assert paused["status"] == "paused"
    parley.upstream.release()
    async with asyncio.timeout(20):
        while (await parley.get(f"/api/lab/runs/{run['id']}"))["progress"]["completed"] < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    await parley.post(f"/api/lab/runs/{run['id']}/resume")
    assert (await ended(parley, run["id"]))["progress"]["completed"] == 6
    assert asked(parley) == {"ada": 6}


async def test_a_cancelled_run_interrupts_its_calls(parley: RunningParley) -> None:
    parley.upstream.reply("Never", " whole.", model="ada", hold_after=1)
    prompt_id, plan = await a_plan(parley, "ada", count=2, parallel=1)
    run = await parley.post(f"/api/prompts/{prompt_id}/runs", plan)
    await parley.upstream.wait_for_requests(1)
    cancelled = await parley.post(f"/api/lab/runs/{run['id']}/cancel")
    assert cancelled["status"] == "cancelled"
    await parley.upstream.wait_until_closed(20)
    assert asked(parley) == {"ada": 1}


async def test_a_row_that_lacks_a_value_is_refused_before_anything_is_asked(parley: RunningParley) -> None:
    prompt = await a_prompt(parley, text="{{text}} for {{who}}")
    dataset = await a_dataset(parley)
    plan = {"versions": [1], "models": ["ada"], "dataset": dataset["dataset"]["id"]}
    problem = await parley.post(f"/api/prompts/{prompt['prompt']['id']}/runs", plan, status=422)
    assert (problem["code"], problem["title"]) == ("row_unfit", "Row 1 does not fit v1: “who” has no value.")
    assert parley.upstream.chats == []


async def test_one_answer_is_tried_and_checked_without_saving(parley: RunningParley) -> None:
    parley.upstream.reply("All fine.", model="ada")
    body = {
        "messages": [{"role": "user", "text": "Sum up: {{text}}"}],
        "values": {"text": "x"},
        "model": "ada",
        "checks": CHECKS,
        "expected": "fine",
    }
    answer = await parley.post("/api/prompts/try", body)
    assert (answer["text"], answer["checks"][0]["passed"]) == ("All fine.", True)
    assert parley.upstream.chats[-1].json["messages"][-1]["content"] == "Sum up: x"
    problem = await parley.post("/api/prompts/try", {**body, "values": {}}, status=422)
    assert (problem["code"], problem["field"]) == ("value_missing", "values.text")


async def test_somebody_else_finds_no_row_label_or_cell(parley: RunningParley) -> None:
    prompt_id, plan = await a_plan(parley, "ada")
    run = await run_to_end(parley, prompt_id, plan)
    rows = (await parley.get(f"/api/lab/datasets/{plan['dataset']}"))["rows"]
    row_path = f"/api/lab/datasets/{plan['dataset']}/rows/{rows[0]['id']}"
    label_path = f"/api/prompts/{prompt_id}/labels/production"
    cell = {"row": 1, "version": 1, "model": "ada"}
    await add_somebody(parley)

    async def statuses() -> list[int]:
        client = parley.client
        answers = [
            await client.put(label_path, json={"version": 1}),
            await client.delete(label_path),
            await client.get(f"/api/lab/runs/{run['id']}/cell", params=cell),
            await client.put(row_path, json={"fields": {"text": "Mine"}}),
            await client.delete(row_path),
        ]
        return [answer.status_code for answer in answers]

    with everyone_is("somebody"):
        assert await statuses() == [404] * 5
    # The control: its owner finds all; the changed row is another one.
    assert await statuses() == [200, 200, 200, 200, 404]


async def test_other_programs_ask_a_prompt_by_its_name_and_label(parley: RunningParley) -> None:
    parley.upstream.reply("Fine.", model="ada")
    made = await a_prompt(parley, text="Sum up for {{who}}: {{text}}")
    path = f"/api/prompts/{made['prompt']['id']}"
    asking = {
        "model": "prompt/Sum up",
        "messages": [{"role": "user", "content": "It rains."}],
        "metadata": {"who": "Ann"},
    }
    problem = await parley.client.post("/v1/chat/completions", json=asking)
    assert problem.json()["error"]["code"] == "prompt_without_model"
    await parley.client.patch(path, json={"model": "ada"})
    await parley.client.put(f"{path}/labels/production", json={"version": 1})
    newer = {"messages": [{"role": "user", "text": "Briefly, {{text}}"}]}
    await parley.post(f"{path}/versions", newer)
    assert "prompt/Sum up" in [it["id"] for it in (await parley.get("/v1/models"))["data"]]
    for model, sent in [
        ("prompt/Sum up", "Sum up for Ann: It rains."),
        ("prompt/Sum up@newest", "Briefly, It rains."),
        ("prompt/Sum up@v1", "Sum up for Ann: It rains."),
    ]:
        answer = await parley.post("/v1/chat/completions", {**asking, "model": model})
        assert answer["choices"][0]["message"]["content"] == "Fine."
        assert parley.upstream.chats[-1].json["messages"][-1]["content"] == sent
    gone = await parley.client.post("/v1/chat/completions", json={**asking, "model": "prompt/Sum up@nope"})
    assert (gone.status_code, gone.json()["error"]["code"]) == (404, "model_not_found")


async def test_graded_answers_have_checks_proposed_that_are_added_and_decide(parley: RunningParley) -> None:
    for text in ("All fine.", "All fine today.", "Sure! Here you are:\n- fine", "Sure! As you wish:\n- fine"):
        parley.upstream.reply(text, model="ada")
    prompt_id, plan = await a_plan(parley, count=4, parallel=1)
    run = await run_to_end(parley, prompt_id, plan)
    path = f"/api/lab/runs/{run['id']}"
    assert await parley.get(f"{path}/proposals") == {"good": 0, "bad": 0, "checks": []}
    where = {"version": 1, "model": "ada"}
    for row in range(1, 5):
        cell = await parley.post(f"{path}/grade", {**where, "row": row, "passed": row < 3})
        assert cell["trials"][0]["good"] == (row < 3)
    proposals = await parley.get(f"{path}/proposals")
    assert (proposals["good"], proposals["bad"]) == (2, 2)
    best = proposals["checks"][0]
    assert (best["caught"], best["alarms"]) == (2, 0)
    before = len(parley.upstream.chats)
    await parley.client.patch(path, json={"checks": [*CHECKS, best["check"]]})
    await ended(parley, run["id"])
    report = await parley.get(f"{path}/report")
    assert [(it["passed"], it["failed"]) for it in report["check_counts"]] == [(4, 0), (2, 2)]
    assert len(parley.upstream.chats) == before, "recorded answers are checked, and none is asked for again"
    left = await parley.get(f"{path}/proposals")
    assert best["check"] not in [it["check"] for it in left["checks"]]
    await parley.post(f"{path}/grade", {**where, "row": 1, "passed": None})
    assert (await parley.get(f"{path}/proposals"))["good"] == 1


async def test_lists_files_judges_and_hands_work_from_a_row_to_its_verdicts(parley: RunningParley) -> None:
    def answered(request: Request) -> str:
        text = str(request.json["messages"][-1]["content"])
        if request.model == "ada":
            return f"Seen: {text}"
        # The judge prefers what ada says in either order.
        return f"Better: {1 if text.index('Seen:') < text.index('fine') else 2}"

    parley.upstream.answers_by(answered)
    variables = [{"name": "tags", "kind": "list"}, {"name": "paper", "kind": "file"}]
    checks = [
        {"kind": "by_hand", "rubric": "It is kind."},
        {"kind": "judge_pair", "model": "bob", "value": "fine"},
    ]
    body = {
        "name": "Typed",
        "messages": [{"role": "user", "text": "{{tags}}: {{paper}}"}],
        "variables": variables,
        "checks": checks,
    }
    prompt_id = (await parley.post("/api/prompts", body))["prompt"]["id"]
    fields = {"tags": ["a", "b"], "paper": {"name": "x.txt", "text": "It rains."}}
    dataset = await parley.post("/api/lab/datasets", {"name": "Typed", "rows": [{"fields": fields}]})
    plan = {"versions": [1], "models": ["ada"], "dataset": dataset["dataset"]["id"]}
    run = await run_to_end(parley, prompt_id, plan)
    where = {"row": 1, "version": 1, "model": "ada"}
    path = f"/api/lab/runs/{run['id']}"
    cell = await parley.get(f"{path}/cell", params=where)
    assert cell["prompt"][0]["text"] == "a, b: It rains."
    assert [it["passed"] for it in cell["trials"][0]["checks"]] == [None, True]
    assert cell["trials"][0]["checks"][1]["reason"] == "Preferred in both orders."
    assert asked(parley) == {"ada": 1, "bob": 2}
    graded = await parley.post(f"{path}/grade", {**where, "check": 0, "passed": False})
    assert [it["passed"] for it in graded["trials"][0]["checks"]] == [False, True]
    column = (await parley.get(f"{path}/report"))["columns"][0]
    assert column["mean"] == 0.5


async def test_a_version_with_a_model_is_a_contestant(parley: RunningParley) -> None:
    parley.upstream.reply("Briefly: rain.", model="ada")
    made = await a_prompt(parley, text="For {{who}}: {{text}}")
    path = f"/api/prompts/{made['prompt']['id']}"
    refused = await parley.post(f"{path}/contestants", {"version": 1, "model": "ada"}, status=422)
    assert "“text” would have no value" in refused["title"]
    variables = [{"name": "who", "default": "Ann"}]
    messages = [{"role": "system", "text": "Be kind."}, {"role": "user", "text": "For {{who}}: {{text}}"}]
    options = {"temperature": 0.3, "max_output_tokens": 77}
    body = {"messages": messages, "variables": variables, "options": options}
    await parley.post(f"{path}/versions", body)
    preset = await parley.post(f"{path}/contestants", {"version": 2, "model": "ada"})
    again = await parley.post(f"{path}/contestants", {"version": 2, "model": "ada"})
    assert (again["id"], again["revision"]) == (preset["id"], 1)
    assert (preset["contestant"], preset["name"]) == (True, "Sum up v2, ada")
    models = {it["id"]: it for it in (await parley.get("/api/models"))["models"]}
    assert models[preset["model_id"]]["kind"] == "ensemble"
    await parley.chat("It rains.", model=preset["model_id"])
    sent = parley.upstream.chats[-1].json
    assert [(it["role"], it["content"]) for it in sent["messages"]] == [
        ("system", "Be kind."),
        ("user", "For Ann: It rains."),
    ]
    assert (sent["temperature"], sent["max_tokens"]) == (0.3, 77)


async def test_questions_that_a_model_lost_become_rows_once(parley: RunningParley) -> None:
    for model in ("ada", "bob", "cleo"):
        parley.upstream.reply(f"{model} says so.", model=model)
    battle = await parley.battle("Why is the sky blue?")
    seats = await parley.seats(battle["session_id"])
    winner, loser = seats["left"], seats["right"]
    await parley.vote(battle["match_id"], "left", reason="The other one is wrong")
    dataset = await parley.post("/api/lab/datasets", {"name": "Lost"})
    path = f"/api/lab/datasets/{dataset['dataset']['id']}/battles"
    added = await parley.post(path, {"model": loser, "variable": "text"})
    fields = {"text": "Why is the sky blue?", "reason": "The other one is wrong"}
    assert [(it["fields"], it["expected"], it["split"]) for it in added["rows"]] == [
        (fields, f"{winner} says so.", "train")
    ]
    for model in (loser, winner):
        problem = await parley.post(path, {"model": model, "variable": "text"}, status=422)
        assert problem["title"] == f"You have no votes against “{model}” that are not here already."


async def test_one_call_improves_a_prompt_from_the_battles_that_a_model_lost(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (from_battles, loading, improving):
        monkeypatch.setattr(module, "LEAST_HELD_OUT", 2)
    for model in ("ada", "bob"):
        parley.upstream.reply(f"{model} says so.", model=model)
    prompt = (await a_prompt(parley))["prompt"]
    path, body = f"/api/prompts/{prompt['id']}/improvements/battles", {"version": 1}
    body |= {"model": "ada", "reflector": "bob"}
    few = await parley.post(path, body, status=422)
    assert few["title"] == "You have 0 votes against “ada”; Improve needs 3."
    for number in (1, 1, 2, 3, 4):
        asking = {"mode": "compare", "seats": {"a": "ada", "b": "bob"}, "prompt": f"Question {number}?"}
        talk = await parley.post("/api/sessions", asking)
        vote = {"vote": "b", "reason": "Too short"}
        await parley.post(f"/api/matches/{talk['match_id']}/vote", vote)
    search = await parley.post(path, body)
    await parley.post(f"/api/lab/improvements/{search['id']}/cancel")
    assert (search["plan"]["model"], search["plan"]["dataset_name"]) == ("ada", "Lost by ada")
    assert search["cap_usd"] > 0
    assert [it["kind"] for it in search["checks"]] == ["judge_pair", "judge"]
    rows = (await parley.get(f"/api/lab/datasets/{search['plan']['dataset_id']}"))["rows"]
    assert [(it["fields"]["text"], it["split"]) for it in rows] == [
        ("Question 1?", "holdout"),
        ("Question 2?", "train"),
        ("Question 3?", "holdout"),
        ("Question 4?", "validation"),
    ]
    assert (rows[0]["expected"], rows[0]["fields"]["reason"]) == ("bob says so.", "Too short")
