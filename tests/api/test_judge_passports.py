"""Passports of judges over HTTP: saved in place of an earlier one, said in a sentence, shown beside a run's checks."""

from typing import Any

import pytest

from tests.api.test_prompt_lab import a_plan, run_to_end
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley


def figure(value: float, low: float, high: float) -> dict[str, float]:
    return {"value": value, "low": low, "high": high}


def passport(**changes: Any) -> dict[str, Any]:
    usual = {
        "votes": 64,
        "agreement": figure(0.78, 0.67, 0.86),
        "comparisons": 60,
        "flipped": figure(0.1, 0.04, 0.2),
        "lean": figure(0.02, -0.05, 0.09),
    }
    return {**usual, **changes}


async def saved(parley: RunningParley, status: int = 200, **changes: Any) -> Any:
    response = await parley.client.put("/api/lab/judges/bob", json=passport(**changes))
    assert response.status_code == status, response.text
    return response.json()


@ON_EVERY_KIND
async def test_a_passport_stands_beside_its_check(parley: RunningParley) -> None:
    checks = [{"kind": "judge", "model": "bob", "rubric": "It is kind."}, {"kind": "refusal", "negate": True}]
    prompt_id, plan = await a_plan(parley, "ada", count=1, checks=checks)
    path = f"/api/lab/runs/{(await run_to_end(parley, prompt_id, plan))['id']}/report"
    counts = (await parley.get(path))["check_counts"]
    assert [each["judge"] for each in counts] == [
        "No passport yet. Measure it against your votes: parley judge run bob",
        None,
    ]
    await saved(parley, votes=1)
    sentence = (
        "Agrees with people in 78% (95% 67% to 86%) of 64 votes. 10% (95% 4% to 20%) of its verdicts change with the "
        "order; no position bias is seen."
    )
    assert (await saved(parley))["sentence"] == sentence
    assert [(it["model"], it["votes"]) for it in (await parley.get("/api/lab/judges"))["judges"]] == [
        ("bob", 64)
    ]
    assert (await parley.get(path))["check_counts"][0]["judge"] == sentence


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"lean": figure(0.4, 0.2, 0.6)},
            "it prefers the first place, whatever stands there (+40% (95% +20% to +60%)).",
        ),
        ({"lean": figure(-0.4, -0.6, -0.2)}, "it prefers the second place"),
        ({"lean": None, "flipped": None, "comparisons": 0}, "Its position bias is not known."),
        ({"lean": figure(0.4, 0.2, 0.6) | {"low": None}}, "Its position bias is not known."),
        ({"agreement": {"value": 1}, "votes": 1}, "in 100% (no interval) of 1 vote."),
        ({"agreement": None, "votes": 1}, "No verdict on 1 vote could be read."),
    ],
)
async def test_it_says_what_is_wrong_with_a_judge(
    changes: dict[str, Any], words: str, parley: RunningParley
) -> None:
    assert words in (await saved(parley, **changes))["sentence"]


async def test_an_interval_without_its_value_is_refused(parley: RunningParley) -> None:
    problem = await saved(parley, status=422, agreement=figure(0.9, 0.1, 0.2))
    assert problem["field"] == "agreement"
