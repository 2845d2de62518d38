"""Metrics over HTTP: the key, no person in them, all series that the dashboard names, and quick with many models."""

import re
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from parley.features.metrics.series import Series, Sources
from parley.features.metrics.service import MetricsService
from parley.kernel.calls import CallEnded
from tests.fakes.running import RunningParley, a_running_parley

KEY = "a-key-of-sixteen-characters"
BEARER = {"authorization": f"Bearer {KEY}"}
DASHBOARD = Path(__file__).parents[2] / "deploy" / "grafana" / "parley.json"
NAME = re.compile(r"\b(?:parley|process)_[a-z_]+")


@pytest.fixture
async def measured(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    folder = tmp_path / "measured"
    folder.mkdir()
    async with a_running_parley(folder, metrics_key=KEY) as running:
        yield running


def a_request(model: str, **values: object) -> CallEnded:
    usual: dict[str, object] = {
        "call_id": "c",
        "started_at": 0.0,
        "owner_id": "a-person",
        "space_id": "a-person",
        "key_id": "a-key",
        "purpose": "reply",
        "mode": "chat",
        "turn_id": "t",
        "reply_id": "r",
        "attempt": 1,
        "model_id": model,
        "provider_id": "near",
        "outcome": "completed",
        "code": None,
        "first_token_ms": 300,
        "duration_ms": 900,
        "input_tokens": 10,
        "output_tokens": 5,
        "reasoning_tokens": 2,
        "cached_tokens": 4,
        "cost_micros": 1_500_000,
        "estimated": False,
        "from_cache": False,
    }
    return CallEnded(**{**usual, **values})  # pyright: ignore[reportArgumentType]


def series_of(*models: str) -> Series:
    return Series(
        Sources(
            models=lambda: models,
            turns_running=lambda: 0,
            turns_waiting=lambda: 0,
            loop_lag=lambda: 0.0,
            disk_free=lambda: 1,
            folded_at=lambda: 0.0,
        )
    )


def values(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_requests_are_counted_without_a_person(measured: RunningParley) -> None:
    await measured.chat(model="ada")
    answer = await measured.client.get("/metrics", headers=BEARER)
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    counted = values(answer.text)
    labels = (("mode", "chat"), ("model", "ada"), ("provider", "near"), ("status", "completed"))
    assert counted["parley_requests_total", labels] == 1
    assert counted["parley_first_token_seconds_count", (("provider", "near"),)] == 1
    people = {"owner", "person", "user", "key", "space", "session"}
    assert not people & {label for _, labels in counted for label, _ in labels}


async def test_metrics_open_to_their_key_alone(parley: RunningParley, measured: RunningParley) -> None:
    assert (await parley.client.get("/metrics", headers=BEARER)).json()["code"] == "metrics_off"
    assert not parley.application[MetricsService].is_on
    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {KEY}"}):
        refused = await measured.client.get("/metrics", headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "metrics_key")


def test_every_expression_of_the_dashboard_names_a_series() -> None:
    series = series_of("ada")
    series.count(a_request("ada"))
    names = {name for name, _ in values(series.text().decode())}
    panels = msgspec.json.decode(DASHBOARD.read_text("utf-8"))["panels"]
    expressions = [target["expr"] for panel in panels for target in panel["targets"]]
    assert len(expressions) >= 12
    assert {name for each in expressions for name in NAME.findall(each)} - names == set()
    assert NAME.findall("rate(parley_nothing_total[5m])")[0] not in names  # such a name would be found


def test_every_label_of_the_dashboard_is_one_of_its_series() -> None:
    series = series_of("ada")
    series.count(a_request("ada"))
    labels: dict[str, set[str]] = {}
    for name, pairs in values(series.text().decode()):
        labels.setdefault(name, set()).update(label for label, _ in pairs)
    panels = msgspec.json.decode(DASHBOARD.read_text("utf-8"))["panels"]
    used = [
        (name, label)
        for expression in (target["expr"] for panel in panels for target in panel["targets"])
        for name in NAME.findall(expression)
        for label in labels_in(expression)
    ]
    assert len(used) >= 8
    assert [pair for pair in used if pair[1] not in labels[pair[0]]] == []
    assert labels_in('sum by (le, state) (x{status="failed",a!="b"})') == {"le", "state", "status", "a"}


def labels_in(expression: str) -> set[str]:
    """Return the labels that an expression groups by or selects."""
    grouped = (name for group in re.findall(r"\bby \(([^)]*)\)", expression) for name in group.split(","))
    return {name.strip() for name in grouped} | set(re.findall(r"(\w+)\s*(?:=~|!=|!~|=)\s*\"", expression))


def test_a_model_that_is_not_in_the_catalog_adds_no_series() -> None:
    series = series_of("ada")
    for number in range(50):
        series.count(a_request(f'made-up-{number}"\n'))
    models = {
        dict(labels)["model"]
        for name, labels in values(series.text().decode())
        if "requests_total" in name and labels
    }
    assert models == {"other"}


def test_a_thousand_models_take_milliseconds() -> None:
    series = series_of(*(f"model-{number}" for number in range(1000)))
    for number in range(1000):
        series.count(a_request(f"model-{number}"))
        series.count(a_request(f"model-{number}", outcome="failed"))
    text = series.text()
    taken: list[float] = []
    for _ in range(10):
        begun = time.process_time()
        series.text()
        taken.append(time.process_time() - begun)
    assert min(taken) <= 0.02
    assert len(values(text.decode())) > 7000
