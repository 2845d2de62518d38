"""promptfoo's configs over HTTP: previewed, imported, run with the verdicts of promptfoo, and exported."""

from pathlib import Path
from typing import Any

import msgspec

from tests.api.test_callers import add_somebody, everyone_is
from tests.api.test_prompt_lab import run_to_end
from tests.fakes.running import RunningParley

EXAMPLES = Path(__file__).parents[1] / "features" / "lab" / "promptfoo_examples"
VERDICTS: dict[str, list[dict[str, Any]]] = msgspec.json.decode((EXAMPLES / "verdicts.json").read_bytes())
CONFIG = """\
description: Capitals
prompts: ["Capital of {{country}}?", "Name the capital of {{country}}."]
providers: [openai:gpt-4o]
tests:
  - vars: {country: France}
    assert: [{type: icontains, value: Paris}, {type: similar, value: Paris}]
  - vars: {country: Italy}
    assert: [{type: icontains, value: Rome}]
"""


async def take(parley: RunningParley, text: str = CONFIG, **more: Any) -> Any:
    return await parley.post("/api/lab/promptfoo", {"text": text, **more})


def plan_of(taken: Any, *models: str) -> dict[str, Any]:
    return {"versions": taken["versions"], "models": list(models), "dataset": taken["dataset_id"]}


async def test_ten_configs_run_with_the_verdicts_of_promptfoo(parley: RunningParley) -> None:
    for name, verdicts in VERDICTS.items():
        taken = await take(parley, (EXAMPLES / f"{name}.yaml").read_text("utf-8"), name=name)
        parley.upstream.forget()
        for verdict in verdicts:
            parley.upstream.reply(verdict["output"], model="ada")
        plan = {**plan_of(taken, "ada"), "parallel": 1}
        run = await run_to_end(parley, taken["prompt_id"], plan)
        report = await parley.get(f"/api/lab/runs/{run['id']}/report")
        cells = [cell for row in report["rows"] for cell in row["cells"]]
        passed = [False not in outcome for _, _, outcome in cells]
        assert passed == [verdict["passed"] for verdict in verdicts], name
        assert sum(it["open"] for it in report["check_counts"]) == 0


async def test_a_preview_saves_nothing_and_says_what_an_import_does(parley: RunningParley) -> None:
    preview = await parley.post("/api/lab/promptfoo/preview", {"text": CONFIG})
    assert (preview["name"], preview["rows"], preview["checks"]) == ("Capitals", 2, ["Contains"])
    assert [(it["version"], it["is_new"]) for it in preview["prompts"]] == [(1, True), (2, True)]
    assert (preview["variables"], preview["models"]) == (["country"], ["openai:gpt-4o"])
    assert preview["not_taken"] == [
        {"file": "promptfooconfig.yaml", "line": 6, "text": "similar: has no counterpart", "count": 1}
    ]
    assert (await parley.get("/api/prompts"))["prompts"] == []
    await take(parley)
    same = await parley.post("/api/lab/promptfoo/preview", {"text": CONFIG})
    assert (same["prompt_exists"], same["checks_replaced"], same["rows_changed"]) == (True, 0, False)
    again = await parley.post(
        "/api/lab/promptfoo/preview",
        {"text": CONFIG.replace("Italy", "Spain").replace("icontains", "contains")},
    )
    assert [it["is_new"] for it in again["prompts"]] == [False, False]
    assert (again["checks_replaced"], again["rows_changed"]) == (1, True)


async def test_an_import_uses_versions_and_rows_again_by_their_content(parley: RunningParley) -> None:
    first = await take(parley)
    assert (first["versions"], first["rows"]) == ([1, 2], 2)
    path = f"/api/lab/datasets/{first['dataset_id']}"
    await parley.post(f"{path}/split", {"train": 0.0, "validation": 0.0, "holdout": 1.0})
    assert (await take(parley)) == first
    assert (await parley.get(path))["dataset"]["splits"]["holdout"] == 2, "the same rows keep their split"
    more = await take(
        parley, CONFIG.replace("prompts: [", 'prompts: ["{{country}}?", ') + "  - vars: {country: Spain}\n"
    )
    assert (more["prompt_id"], more["dataset_id"], more["versions"]) == (
        first["prompt_id"],
        first["dataset_id"],
        [3, 1, 2],
    )
    rows = (await parley.get(path))["rows"]
    assert [(it["fields"]["country"], it["split"]) for it in rows] == [
        ("France", "holdout"),
        ("Italy", "holdout"),
        ("Spain", "validation"),
    ]


async def test_a_config_that_lacks_its_only_prompt_names_the_file(parley: RunningParley) -> None:
    body = {"text": "prompts: [file://a.txt]"}
    assert (await parley.post("/api/lab/promptfoo/preview", body))["missing"] == ["a.txt"]
    problem = await parley.post("/api/lab/promptfoo", body, status=422)
    assert problem["title"] == "The file “a.txt” is missing."
    await parley.post("/api/lab/promptfoo", {**body, "files": {"a.txt": "Hi"}})
    await parley.post("/api/lab/promptfoo", {"text": CONFIG, "judge": "nobody"}, status=422)


async def test_checks_that_cannot_work_are_left_out_with_their_line(parley: RunningParley) -> None:
    text = "prompts: [p]\ndefaultTest:\n  assert:\n    - {type: regex, value: '('}\n    - {type: regex, value: a}\n"
    taken = await take(parley, text)
    assert taken["checks"] == ["Matches"]
    assert [it["line"] for it in taken["not_taken"]] == [4]


async def test_a_verdict_that_nobody_can_give_is_open_and_other_rows_checks_do_not_count(
    parley: RunningParley,
) -> None:
    parley.upstream.reply("Paris", model="ada", times=4)
    text = f"{CONFIG}defaultTest: {{assert: [{{type: equals, value: '{{{{nothing}}}}', metric: M}}]}}"
    taken = await take(parley, text)
    run = await run_to_end(parley, taken["prompt_id"], plan_of(taken, "ada"))
    counts = (await parley.get(f"/api/lab/runs/{run['id']}/report"))["check_counts"]
    assert [(it["label"], it["passed"], it["failed"], it["open"]) for it in counts] == [
        ("M", 0, 0, 4),
        ("Contains", 2, 2, 0),
    ]


async def test_an_export_is_read_back_as_it_was(parley: RunningParley) -> None:
    taken = await take(parley)
    path = f"/api/prompts/{taken['prompt_id']}/promptfoo?dataset={taken['dataset_id']}"
    answer = await parley.client.get(f"{path}&version=1")
    assert answer.headers["content-type"].startswith("application/yaml")
    assert "attachment; filename*=UTF-8''Capitals.yaml" in answer.headers["content-disposition"]
    back = await take(parley, answer.text)
    assert (back["versions"], back["dataset_id"], back["not_taken"]) == ([1], taken["dataset_id"], [])
    assert (await parley.get(f"/api/lab/datasets/{taken['dataset_id']}"))["dataset"]["number"] == 1
    await add_somebody(parley)
    with everyone_is("somebody"):
        assert (await parley.client.get(path)).status_code == 404
        mine = await parley.post(
            "/api/prompts", {"name": "Mine", "messages": [{"role": "user", "text": "x"}]}
        )
        theirs = f"/api/prompts/{mine['prompt']['id']}/promptfoo?dataset={taken['dataset_id']}"
        assert (await parley.client.get(theirs)).status_code == 404
